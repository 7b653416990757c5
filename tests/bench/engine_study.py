"""A study of any size for the engine's benchmarks, and parts that answer at once."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.models import Person, Project
from annotation.services.imports import import_file
from annotation.services.projects import create_project, set_member
from evaluation.models import Run
from evaluation.readers.base import READERS, Passage, Reader
from evaluation.records import Answer, Hit, Rewrite
from evaluation.retrieval.base import RETRIEVERS, Retriever
from evaluation.rewriters.base import REWRITERS, Rewriter
from evaluation.runs.freezing import freeze_conditions
from evaluation.services.protocols import register_protocol
from evaluation.services.runs import start_run
from tests.evaluation.runs.small_study import constraint, named

DOCUMENTS = 200
TEXT = "What revenue did Company {n} report for fiscal year 20{y:02}?"


@RETRIEVERS.register("instant", version="1")
class InstantRetriever(Retriever):
    """Five documents by the length of the query, without a search."""

    def search(
        self, queries: Sequence[str], *, k: int, filters: Mapping[str, Any] | None = None
    ) -> list[Hit]:
        at = len(queries[0])
        return [Hit(f"d{(at + n) % DOCUMENTS:04}", n + 1, float(k - n)) for n in range(k)]

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "corpus": self.source.sha256}


@READERS.register("instant", version="1")
class InstantReader(Reader):
    """Answers with its first passage's title, without reading."""

    def read(self, question: str, passages: Sequence[Passage]) -> Answer:
        return Answer("EUR 10 million", (passages[0][0].id,))


@REWRITERS.register("instant", version="1")
class InstantRewriter(Rewriter):
    """Says the request in other words, without thinking."""

    def write(self, request: Any) -> Rewrite:
        return Rewrite("standalone", queries=(f"Tell me: {request.text}",))


def build(requests: int) -> Project:
    """A project with contracts of two constraints and a standalone reference for each request."""
    owner = Person.objects.create_user("owner")
    project = create_project(actor=owner, slug="engine", name="Engine")
    for name, role in {"annotator": "annotator", "engineer": "engineer"}.items():
        person = Person.objects.create_user(name)
        set_member(actor=owner, project=project, person=person, roles=[role])
    for kind, rows in _files(requests):
        import_file(
            actor=owner,
            project=project,
            kind=kind,
            filename=f"{kind}.jsonl",
            data="\n".join(json.dumps(row) for row in rows).encode(),
            target="",
        )
    return project


def begin(project: Project, *, arms: Sequence[str], **conditions: Any) -> Run:
    """Start a run of everything in the project; `conditions` say which parts."""
    engineer = Person.objects.get(username="engineer")
    rule = {"completeness_floor": 0.5, "regression_ceiling": 0.9, "min_requests": 1, "families": {}}
    protocol = project.protocols.first() or register_protocol(
        actor=engineer,
        project=project,
        content={
            "name": "gate", "alpha": 0.05, "resamples": 1000, "seed": 7, "correction": "holm",
            "test": "mcnemar_exact", "judging": "automatic", "classes": {"*": rule},
        },
    )  # fmt: skip
    return start_run(
        actor=engineer,
        project=project,
        protocol=protocol,
        conditions=freeze_conditions(actor=engineer, project=project, **conditions),
        arm_names=list(arms),
    )


def _files(requests: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    numbers = range(requests)
    texts = [TEXT.format(n=n, y=n % 24) for n in numbers]
    yield (
        "corpus",
        [
            {
                "_id": f"d{n:04}",
                "title": f"Company {n}",
                "text": f"In fiscal year 20{n % 24:02} Company {n} reported EUR {n} million. " * 4,
            }
            for n in range(DOCUMENTS)
        ],
    )
    yield (
        "requests",
        [
            {
                "id": f"r{n:05}",
                "class": f"class-{n % 4}",
                "text": texts[n],
                "answers": ["EUR 10 million"],
                "evidence": [[f"d{n % DOCUMENTS:04}"]],
            }
            for n in numbers
        ],
    )
    yield "contracts", [contract_of(n, texts[n]) for n in numbers]
    yield (
        "standalone",
        [
            {
                "request": f"r{n:05}",
                "text": f"Company {n} revenue in fiscal year 20{n % 24:02}",
                "author": "annotator",
            }
            for n in numbers
        ],
    )


def contract_of(n: int, text: str) -> dict[str, Any]:
    year = f"20{n % 24:02}"
    time = {"relation": "on", "start": year, "end": year, "calendar": "fiscal"}
    return {
        "request": f"r{n:05}",
        "constraints": [
            constraint("c1", "referent", text, f"Company {n}", named(f"Company {n}")),
            constraint("c2", "time", text, f"fiscal year {year}", time),
        ],
        "ambiguity": {"unresolved": False, "readings": []},
    }
