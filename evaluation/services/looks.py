"""How often verdicts were given on the same requests. Each look is one more chance to be released,
and no bound of a single run allows for the others; so each run says which others there are.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet

from evaluation.models import Arm, Case, Run, Verdict


@dataclass(frozen=True, slots=True)
class Look:
    """Another finished run with verdicts on `shared` requests of this one. `outcomes` counts the
    words of its standing verdicts; it is `void` where its protocol has a newer version.
    """

    run: int
    protocol: str
    version: int
    void: bool
    conditions: str
    shared: int
    outcomes: tuple[tuple[str, int], ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "run": self.run,
            "protocol": {"name": self.protocol, "version": self.version},
            "void": self.void,
            "conditions": self.conditions,
            "requests": self.shared,
            "verdicts": dict(self.outcomes),
        }


@dataclass(frozen=True, slots=True)
class Looks:
    """The run is the `place`th, by its number, of all that gave verdicts on its `requests`."""

    place: int
    requests: int
    others: tuple[Look, ...]

    @property
    def total(self) -> int:
        return len(self.others) + 1

    def to_json(self) -> dict[str, Any]:
        others = [look.to_json() for look in self.others]
        return {"run": self.place, "of": self.total, "others": others}


def looks_of(run: Run) -> Looks | None:
    """The other runs of the project that gave verdicts on requests of this run, by their numbers;
    None of a run that gave none itself.
    """
    if not run.verdicts.exists():
        return None
    others = (
        Run.objects.filter(project=run.project, state=Run.State.FINISHED, protocol__isnull=False)
        .exclude(pk=run.pk)
        .filter(pk__in=Verdict.objects.values("run"))
    )
    shared = _shared(run, others)
    found = others.filter(pk__in=shared).select_related("protocol__superseded_by", "conditions")
    found = found.defer("conditions__content", "protocol__content", "result").order_by("number")
    outcomes = _outcomes(list(found))
    looks = tuple(
        Look(
            run=other.number,
            protocol=other.protocol.name,
            version=other.protocol.version,
            void=hasattr(other.protocol, "superseded_by"),
            conditions=other.conditions.sha256,
            shared=shared[other.pk],
            outcomes=tuple(sorted(outcomes[other.pk].items())),
        )
        for other in found
        if other.protocol
    )
    place = 1 + sum(look.run < run.number for look in looks)
    return Looks(place, len(run.conditions.content["requests"]), looks)


def _shared(run: Run, others: QuerySet[Run]) -> dict[int, int]:
    """How many requests each of the others has in common with the run. Every run has the original
    of each of its requests, so that is one row a request.
    """
    original = Arm.objects.filter(project=run.project, source=Arm.Source.ORIGINAL).values("pk")
    mine = Case.objects.filter(run=run, arm__in=original).order_by().values("request")
    rows = Case.objects.filter(run__in=others.values("pk"), arm__in=original, request__in=mine)
    return dict(rows.order_by().values_list("run_id").annotate(Count("pk")))


def _outcomes(runs: Sequence[Run]) -> dict[int, Counter[str]]:
    """How often each word stands among the newest verdicts of each run."""
    found: dict[int, Counter[str]] = {}
    standing = Verdict.objects.current(*runs).order_by("pk")
    for run, outcome in standing.values_list("run_id", "outcome"):
        found.setdefault(run, Counter())[outcome] += 1
    return found
