"""Finished runs for the tests of pages: the small study, and one of any width."""

from typing import Any

from annotation.models import Person, Project
from evaluation.models import Run
from evaluation.services.runs import start_run
from tests.evaluation.runs.small_study import (
    constraint,
    finish,
    freeze,
    named,
    register,
    take_in,
    upload,
)

KEPT = {
    "a": "Alder Foods revenue fiscal year 2022",
    "b": "Alder Foods revenue fiscal year 2023",
    "c": "Norrby ferry plan approved by which ministry",
}
# Names another year under a, and keeps the rest.
LOSSY = {**KEPT, "a": "Alder Foods revenue fiscal year 2021"}


def run_with(
    engineer: Person,
    project: Project,
    candidates: dict[str, dict[str, str]],
    judging: str = "automatic",
) -> Run:
    """Upload the candidates' rewrites and run them beside the original and the human reference."""
    for arm, queries in candidates.items():
        upload(project, arm, queries)
    return finish(
        start_run(
            actor=engineer,
            project=project,
            protocol=register(engineer, project, judging),
            conditions=freeze(engineer, project, k=2),
            arm_names=["original", "human", *candidates],
        )
    )


def fill_wide(project: Project, count: int) -> dict[str, str]:
    """Put `count` requests of one constraint each into the project; return lossy rewrites."""
    texts = {f"r{n:02}": f"What did Firm {n} earn?" for n in range(count)}
    take_in(
        project,
        "corpus",
        [{"_id": f"d{n:02}", "text": f"Firm {n} earned EUR {n} million."} for n in range(count)],
    )
    take_in(
        project,
        "requests",
        [
            {
                "id": key,
                "class": "plain",
                "turns": [{"role": "user", "text": "Hello."}],
                "text": text,
                "answers": [f"EUR {n} million"],
                "evidence": [[f"d{n:02}"]],
            }
            for n, (key, text) in enumerate(texts.items())
        ],
    )
    take_in(project, "contracts", [_contract(key, text) for key, text in texts.items()])
    return dict.fromkeys(texts, "earnings of somebody else")


def _contract(key: str, text: str) -> dict[str, Any]:
    firm = text.removeprefix("What did ").removesuffix(" earn?")
    found = constraint("c1", "referent", text, firm, named(firm))
    span = {**found["span"], "turn": 1}
    return {
        "request": key,
        "constraints": [{**found, "span": span}],
        "ambiguity": {"unresolved": False, "readings": []},
    }
