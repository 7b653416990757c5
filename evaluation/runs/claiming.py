"""Who has which case: rows decide, by the database's clock.

A worker takes cases in batches and holds them by a lease that it renews. A case whose worker was
lost several times is taken alone, so that only a case that itself ends its workers is given up.
"""

import os
from collections.abc import Collection, Iterable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import DateTimeField, ExpressionWrapper, F, Value
from django.db.models.functions import Now

from evaluation.models import Call, Case, Run

LEASE_SECONDS = "INTACT_LEASE_S"
_ALONE = Case.MAX_BESIDE_OTHERS + 1


def lease() -> timedelta:
    """How long a silent worker keeps what it holds; it renews at a quarter of that."""
    return timedelta(seconds=max(float(os.environ.get(LEASE_SECONDS, "120")), 4.0))


def lease_end() -> Any:
    """The end of a lease that begins now, by the database's clock."""
    end = Now() + Value(lease())
    return ExpressionWrapper(end, output_field=DateTimeField())


def claim(run: Run, worker: str, *, most: int = 1, holding: Collection[int] = ()) -> list[Case]:
    """Take up to `most` free cases for this worker, or one that has to be run alone; [] for none.

    `holding` are those that the worker has in hand. They are not taken again, although their leases
    may have run out while the machine slept, and beside them none is taken to be run alone.
    Cases that were begun alone too often are given up here. Nothing is taken of a run that was
    paused or is over.
    """
    with transaction.atomic():
        if not Run.objects.filter(pk=run.pk, state__in=Run.WORKED_ON).exists():
            return []
        free = run.cases.claimable().exclude(pk__in=holding).select_for_update(skip_locked=True)
        together = free.filter(beside_others__lt=Case.MAX_BESIDE_OTHERS).order_by("pk")
        chosen = list(together.values_list("pk", flat=True)[:most])
        alone = not chosen
        if alone and not holding:
            _give_up(free)
            suspects = free.order_by("attempts", "pk").values_list("pk", flat=True)
            chosen = list(suspects[:1])
        counts: dict[str, Any] = {"beside_others": F("beside_others") + 1}
        if alone:
            counts = {"beside_others": _ALONE, "attempts": F("attempts") + 1}
        Case.objects.filter(pk__in=chosen).update(
            state=Case.State.RUNNING, lease_owner=worker, leased_until=lease_end(), **counts
        )
    rows = Case.objects.filter(pk__in=chosen).select_related("arm", "request", "contract")
    return list(rows.order_by("pk")) if chosen else []


def held_of(worker: str, pks: Collection[int]) -> set[int]:
    """Which of these cases the worker still holds; locked until the transaction ends, in the order
    in which a registration locks them (`seen.wait_for_cases`): else two wait for each other.
    """
    held = Case.objects.filter(pk__in=pks, state=Case.State.RUNNING, lease_owner=worker)
    return _locked(held)


def _locked(cases: Any) -> set[int]:
    return set(cases.order_by("pk").select_for_update().values_list("pk", flat=True))


def put_back(worker: str, works: Iterable[tuple[int, bool]]) -> None:
    """Give cases (pk, whether it was run alone) back in good order: nothing counts against them."""
    mine = Case.objects.filter(state=Case.State.RUNNING, lease_owner=worker)
    by_counter: dict[str, list[int]] = {}
    for pk, alone in works:
        by_counter.setdefault("attempts" if alone else "beside_others", []).append(pk)
    for counter, pks in by_counter.items():
        with transaction.atomic():
            held = _locked(mine.filter(pk__in=pks))
            Case.objects.filter(pk__in=held).update(
                state=Case.State.PENDING,
                lease_owner="",
                leased_until=None,
                **{counter: F(counter) - 1},
            )


def blame(worker: str, pk: int, error: str, *, was_alone: bool) -> None:
    """Give back a case that stopped its worker: it counts, and from now on it is run alone."""
    mine = Case.objects.filter(pk=pk, state=Case.State.RUNNING, lease_owner=worker)
    mine.update(
        state=Case.State.PENDING,
        lease_owner="",
        leased_until=None,
        error=error,
        attempts=F("attempts") + (0 if was_alone else 1),
        beside_others=_ALONE,
    )


def renew(run: Run, worker: str) -> None:
    """Hold what this worker holds for another lease: its cases, and the calls that it waits for."""
    mine = run.cases.filter(state=Case.State.RUNNING, lease_owner=worker)
    with transaction.atomic():
        Case.objects.filter(pk__in=_locked(mine)).update(leased_until=lease_end())
    Call.objects.filter(run=run, worker=worker, reply__isnull=True).update(leased_until=lease_end())


def _give_up(free: Any) -> None:
    for pk, error in free.filter(attempts__gte=Case.MAX_ATTEMPTS).values_list("pk", "error"):
        why = error or "its workers ended before it did."
        Case.objects.filter(pk=pk).update(
            state=Case.State.DEAD,
            status="not_run",
            error=f"given up after {Case.MAX_ATTEMPTS} attempts: {why}",
            leased_until=None,
            closed_at=Now(),
        )
