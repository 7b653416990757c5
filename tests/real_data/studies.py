"""Real data through the product's own path: files in, conditions frozen, run, read off its result.

A project for retrieval only takes rewrites without contracts. Nothing is computed here: every
number comes from the scorecard of a concluded run.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from django.db import transaction

from annotation.models import Person, Project
from annotation.services.imports import import_file
from annotation.services.projects import create_project, set_member
from evaluation.models import Run
from evaluation.runs.execution import work
from evaluation.runs.freezing import freeze_conditions
from evaluation.services.comparing import compare_sides
from evaluation.services.runs import start_run
from tests.real_data.sources import Rows, Source

Estimate = Mapping[str, Any]


@dataclass(frozen=True)
class Change:
    """An arm against the original over the same `tested` requests: the mean `difference` with its
    interval, how many requests got worse and better, and the `test` that it is chance.
    """

    difference: Estimate
    worse: int
    better: int
    tested: int
    test: Estimate


@contextmanager
def project_of(source: Source) -> Iterator[Project]:
    """A project with the files of the source, gone when the block ends."""
    with transaction.atomic():
        owner = Person.objects.create_user("real-data")
        project = create_project(
            actor=owner, slug="real-data", name="Real data", purpose=Project.Purpose.RETRIEVAL
        )
        set_member(actor=owner, project=project, person=owner, roles=["owner", "engineer"])
        _take_in(project, "corpus", source.corpus)
        _take_in(project, "requests", source.requests)
        for arm, rows in source.uploads.items():
            _take_in(project, source.kind, rows, arm)
        yield project
        transaction.set_rollback(True)


def run_of(project: Project, *arms: str, k: int, **bm25: Any) -> "Concluded":
    """Run the original search and `arms` under BM25 to the end."""
    actor = project.created_by
    conditions = freeze_conditions(
        actor=actor,
        project=project,
        retriever="bm25",
        retriever_parameters=bm25,
        k=k,
        reader_parameters={"min_share": 1.0},  # nobody asks for answers here: it abstains
    )
    run = start_run(
        actor=actor,
        project=project,
        protocol=None,
        conditions=conditions,
        arm_names=["original", *arms],
    )
    while not run.is_over:
        work(run.pk, worker="real-data", seconds=300.0)
        run.refresh_from_db()
    assert run.state == Run.State.FINISHED, run.error
    return Concluded(run)


class Concluded:
    """What a concluded run says of an arm, over all requests or those of one class."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.scorecard: Mapping[str, Any] = run.result["scorecard"]  # type: ignore[index]

    def recall(self, arm: str, scope: str = "all") -> Estimate:
        """Mean evidence recall of everything retrieved."""
        return cast(Estimate, self._row(arm, scope)["scores"]["evidence_recall"]["estimate"])

    def recall_at(self, depth: int, arm: str, scope: str = "all") -> Estimate:
        """Mean evidence recall among the first `depth` documents."""
        return cast(Estimate, self._row(arm, scope)["evidence_depths"]["within"][str(depth)])

    def complete(self, arm: str, scope: str = "all") -> Estimate:
        """The share of requests with all required evidence retrieved."""
        return cast(Estimate, self._row(arm, scope)["evidence_depths"]["complete"])

    def against_original(self, arm: str, scope: str = "all") -> Change:
        """What an arm's evidence recall is against that of the original, request by request."""
        project = self.run.project
        original, other = (f"{self.run.number}:{name}" for name in ("original", arm))
        *_sides, record = compare_sides(
            actor=project.created_by, project=project, a=original, b=other
        )
        found = next(row for row in record["scopes"] if row["scope"] == scope)
        score = found["scores"]["evidence_recall"]
        return Change(
            difference=score["difference"],
            worse=score["worse"],
            better=score["better"],
            tested=score["tested"],
            test=score["test"],
        )

    def _row(self, arm: str, scope: str) -> Mapping[str, Any]:
        rows = self.scorecard["arms"]
        return next(row for row in rows if (row["arm"], row["scope"]) == (arm, scope))


def _take_in(project: Project, kind: str, rows: Rows, arm: str = "") -> None:
    import_file(
        actor=project.created_by,
        project=project,
        kind=kind,
        filename=f"{kind}.jsonl",
        data="\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode(),
        target=arm,
    )
