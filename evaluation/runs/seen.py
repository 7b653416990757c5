"""Which requests have a result: a stage of a case of theirs was computed, in whatever run, under
whatever protocol or none, whatever became of run and case. What was taken over from an equal case
has no time of its own: the one that computed it has. A case that failed before its first stage was
kept gave nothing.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Min, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation.models import Project, Request
from contracts.models import Contract, TwinPair
from contracts.models.fixtures import imported_at
from evaluation.models import Case, Run, StageResult


@dataclass(frozen=True, slots=True)
class FirstResult:
    """When a request had its first result, and the number of the first run that has one."""

    at: datetime
    run: int


@dataclass(frozen=True, slots=True)
class Seen:
    """How many of some requests have results; the earliest of these and its run."""

    requests: int
    of: int
    run: int
    at: datetime

    @property
    def since(self) -> str:
        """Since when, for a sentence."""
        when = {"run": self.run, "when": f"{self.at:%Y-%m-%d %H:%M}"}
        return _("since run %(run)d, %(when)s UTC") % when


def first_results(project: Project, *, until: datetime | None = None) -> dict[int, FirstResult]:
    """The first result of every request (by its row's number) that has one, by the database's
    clock; with `until` only of those that had one by then.

    Equal times count as before: which of two came first in one tick nobody can tell.
    """
    # A case's stages come in their order, so its rewrite is the earliest of them; and what is taken
    # over begins with a rewrite that an earlier case computed. So this reads a row a case.
    rewrites = StageResult.objects.filter(
        case__run__project=project, stage=StageResult.Stage.REWRITE, taken_from__isnull=True
    )
    done = Case.objects.filter(run__project=project, state=Case.State.DONE, closed_at__isnull=False)
    if until is not None:
        rewrites, done = rewrites.filter(created_at__lte=until), done.filter(closed_at__lte=until)
    found: dict[int, FirstResult] = {}
    for rows in (
        rewrites.order_by()
        .values_list("case__request_id")
        .annotate(Min("created_at"), Min("case__run__number")),
        done.order_by().values_list("request_id").annotate(Min("closed_at"), Min("run__number")),
    ):
        for request, at, run in rows:
            other = found.get(request, FirstResult(at, run))
            found[request] = FirstResult(min(at, other.at), min(run, other.run))
    return found


def counted(found: Mapping[int, FirstResult], requests: Collection[int]) -> Seen | None:
    """Count which of `requests` are among those found; None where none is."""
    seen = [found[request] for request in requests if request in found]
    if not seen:
        return None
    first = min(seen, key=lambda result: result.at)
    return Seen(len(seen), len(requests), min(result.run for result in seen), first.at)


def late_pairs(
    project: Project, pairs: Iterable[TwinPair], found: Mapping[int, FirstResult]
) -> list[TwinPair]:
    """Those of the pairs that were made when both sides had a result: whoever made them could know
    how they come out.
    """
    imported = imported_at(project)
    return [
        pair
        for pair in pairs
        if (made := pair.approved_at or imported.get(pair.key))
        and all(side in found and found[side].at <= made for side in (pair.base_id, pair.twin_id))
    ]


def evaluated(project: Project) -> "QuerySet[Request]":
    """The requests that Conditions frozen now would have: where verdicts are wanted, those with an
    approved contract.
    """
    requests = project.requests.order_by()
    if not project.takes_contracts:
        return requests
    contracts = Contract.objects.current(project).order_by()
    return requests.filter(pk__in=contracts.values("request_id"))


def unseen(project: Project, requests: Iterable[Request], before: datetime | None) -> list[Request]:
    """Those of the requests that had no result `before`, or that have none now."""
    found = first_results(project, until=before)
    return [request for request in requests if request.pk not in found]


def newest_registration(project: Project) -> datetime | None:
    """When the project's newest protocol was registered."""
    rows = project.protocols.order_by("-registered_at", "-pk")
    newest: datetime | None = rows.values_list("registered_at", flat=True).first()
    return newest


def database_now(project: Project) -> Any:
    """What time it is by the clock that closes the cases too."""
    now = Project.objects.annotate(now=Now()).values_list("now", flat=True).get(pk=project.pk)
    # SQLite compares texts, and a whole second is written shorter than the same one of a case.
    return now if now.microsecond else now + timedelta(microseconds=1)


def wait_for_cases(project: Project) -> None:
    """Wait until whatever was closing a case is done, and hold the others off until the end of the
    transaction: what is closed by a moment before this call can be read after it.
    """
    runs = Run.objects.filter(project=project).order_by()
    held = Case.objects.filter(run__in=runs, state=Case.State.RUNNING).order_by("pk")
    list(held.select_for_update().values_list("pk", flat=True))
