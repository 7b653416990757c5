"""A study of four requests for the tests of the run engine: small enough that each test makes it
anew.
"""

import json
from collections.abc import Iterable
from typing import Any

from annotation.models import Person, Project
from annotation.services.imports import ImportReport, import_file
from annotation.services.projects import create_project, set_member
from evaluation.models import Case, Conditions, Protocol, Run
from evaluation.runs.execution import work
from evaluation.runs.freezing import freeze_conditions
from evaluation.services.protocols import register_protocol
from evaluation.services.runs import start_run

DOCUMENTS = [
    ("d1", "In fiscal year 2022 Alder Foods reported revenue of EUR 10 million."),
    ("d2", "In fiscal year 2023 Alder Foods reported revenue of EUR 12 million."),
    ("d3", "The Norrby ferry plan was approved by the Ministry of Ports."),
    ("d4", "Lark Bakery opened a second shop in Norrby."),
]
REVENUE = "What revenue did Alder Foods report for fiscal year {year}?"
# a, b: a twin pair; c: a follow-up; open: a request that has no contract yet
REQUESTS = [
    {
        "id": "a",
        "class": "dated-fact",
        "text": REVENUE.format(year=2022),
        "answers": ["EUR 10 million"],
        "evidence": [["d1"]],
    },
    {
        "id": "b",
        "class": "dated-fact",
        "text": REVENUE.format(year=2023),
        "answers": ["EUR 12 million"],
        "evidence": [["d2"]],
    },
    {
        "id": "c",
        "class": "follow-up",
        "turns": [{"role": "user", "text": "Tell me about the Norrby ferry plan."}],
        "text": "Who said yes to it?",
        "answers": ["Ministry of Ports"],
        "evidence": [["d3"]],
    },
    {"id": "open", "class": "follow-up", "text": "Where is Lark Bakery?", "evidence": [["d4"]]},
]
REFERENCES = {
    "a": "Alder Foods revenue in fiscal year 2022",
    "b": "Alder Foods revenue in fiscal year 2023",
    "c": "Which ministry approved the Norrby ferry plan?",
}
TWINS = [{"id": "t1", "family": "date", "base": "a", "twin": "b", "constraint": "c2"}]


def constraint(key: str, kind: str, text: str, words: str, value: dict[str, Any]) -> dict[str, Any]:
    start = text.index(words)
    return {
        "id": key,
        "kind": kind,
        "materiality": "critical",
        "span": {"turn": 0, "start": start, "end": start + len(words)},
        "value": value,
        "admissible": [],
    }


def named(name: str) -> dict[str, Any]:
    return {"name": name, "aliases": [], "from_turn": None, "unresolved": False}


def _revenue_contract(request: str, year: str) -> dict[str, Any]:
    text = REVENUE.format(year=year)
    time = {"relation": "on", "start": year, "end": year, "calendar": "fiscal"}
    return {
        "request": request,
        "constraints": [
            constraint("c1", "referent", text, "Alder Foods", named("Alder Foods")),
            constraint("c2", "time", text, f"fiscal year {year}", time),
        ],
        "ambiguity": {"unresolved": False, "readings": []},
    }


CONTRACTS = [
    _revenue_contract("a", "2022"),
    _revenue_contract("b", "2023"),
    {
        "request": "c",
        "constraints": [
            constraint(
                "c1",
                "referent",
                "Tell me about the Norrby ferry plan.",
                "Norrby ferry plan",
                named("Norrby ferry plan"),
            )
        ],
        "ambiguity": {"unresolved": False, "readings": []},
    },
]


def take_in(
    project: Project, kind: str, rows: Iterable[dict[str, Any]], target: str = ""
) -> ImportReport:
    """Import the rows as the owner does with a file."""
    data = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()
    return import_file(
        actor=project.created_by,
        project=project,
        kind=kind,
        filename=f"{kind}.jsonl",
        data=data,
        target=target,
    )


def fill(project: Project, contracts: Iterable[dict[str, Any]] = CONTRACTS) -> None:
    """Put the study's corpus, requests, contracts, references and twin pair into the project."""
    take_in(project, "corpus", [{"_id": key, "text": text} for key, text in DOCUMENTS])
    take_in(project, "requests", REQUESTS)
    take_in(project, "contracts", contracts)
    author = "annotator-a"
    take_in(
        project,
        "standalone",
        [{"request": key, "text": text, "author": author} for key, text in REFERENCES.items()],
    )
    take_in(project, "twins", TWINS)


def upload(project: Project, arm: str, queries: dict[str, str]) -> ImportReport:
    """Import rewrites of an arm: one standalone query a request."""
    rows = [{"request": key, "kind": "standalone", "queries": [q]} for key, q in queries.items()]
    return take_in(project, "rewrites", rows, arm)


def engineer_and_study() -> tuple[Person, Project]:
    """Make people and study on whatever database is the default now."""
    owner = Person.objects.create_user("owner")
    project = create_project(actor=owner, slug="study", name="Study")
    people = {"annotator-a": "annotator", "engineer": "engineer"}
    for name, role in people.items():
        person = Person.objects.create_user(name)
        set_member(actor=owner, project=project, person=person, roles=[role])
    fill(project)
    return Person.objects.get(username="engineer"), project


def register(
    engineer: Person, project: Project, judging: str = "automatic", **more: Any
) -> Protocol:
    """Register rules that one request a class can satisfy; `more` are further fields of them."""
    rule = {
        "completeness_floor": 0.5,
        "regression_ceiling": 0.9,
        "min_requests": 1,
        "families": {"date": {"max_failure_rate": 1.0, "min_pairs": 1}},
    }
    content = {
        "name": "gate",
        "alpha": 0.05,
        "resamples": 1000,
        "seed": 7,
        "correction": "holm",
        "test": "mcnemar_exact",
        "judging": judging,
        "classes": {"*": {**rule, "families": {}}, "dated-fact": rule},
        **more,
    }
    return register_protocol(actor=engineer, project=project, content=content)


def freeze(engineer: Person, project: Project, **changed: Any) -> Conditions:
    return freeze_conditions(actor=engineer, project=project, **{"k": 1, **changed})


def begin(engineer: Person, project: Project, arms: Iterable[str], **changed: Any) -> Run:
    """Start a run of the arms under the study's protocol; `changed` goes to the Conditions."""
    return start_run(
        actor=engineer,
        project=project,
        protocol=register(engineer, project),
        conditions=freeze(engineer, project, **changed),
        arm_names=list(arms),
    )


def finish(run: Run, worker: str = "w1") -> Run:
    """Let one worker do everything that is left, and return the run as it then is."""
    work(run.pk, worker=worker, seconds=60.0)
    run.refresh_from_db()
    return run


def case_of(run: Run, arm: str, request: str) -> Case:
    return run.cases.get(arm__name=arm, request__key=request)


def judged(run: Run, arm: str, request: str) -> dict[str, str]:
    """What the matcher said of each constraint."""
    rows = case_of(run, arm, request).judgements.by_matcher()
    return dict(rows.values_list("constraint__key", "judgement"))
