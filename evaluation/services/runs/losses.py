"""The cases of a run that have no result: why, and who decided to conclude without them."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Count

from annotation.models import LedgerEntry
from evaluation.models import Case, Run

MOST_SENTENCES = 20
MOST_EXAMPLES = 3


@dataclass(frozen=True)
class Loss:
    """The `n` cases that ended with one sentence, with a few of them as (arm, request)."""

    sentence: str
    given_up: bool
    n: int
    examples: tuple[tuple[str, str], ...]

    @property
    def others(self) -> int:
        return self.n - len(self.examples)


def losses(run: Run) -> list[Loss]:
    """The failed and given-up cases by their sentence, the most frequent first, 20 at most."""
    lost = run.cases.lost().order_by()
    counted = lost.values_list("error", "state").annotate(n=Count("pk")).order_by("-n", "error")
    groups = list(counted[:MOST_SENTENCES])
    if not groups:
        return []
    examples: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    shown = lost.filter(error__in=[error for error, _state, _n in groups]).order_by("pk")
    rows = shown.values_list("error", "state", "arm__name", "request__key")
    for error, state, arm, request in rows[: 50 * MOST_SENTENCES]:
        if len(examples[error, state]) < MOST_EXAMPLES:
            examples[error, state].append((arm, request))
    return [
        Loss(error, state == Case.State.DEAD, n, tuple(examples[error, state]))
        for error, state, n in groups
    ]


def left_out(run: Run) -> LedgerEntry | None:
    """The entry of whoever had the run concluded without its failed cases, if anybody did."""
    if not run.without_failed:
        return None
    entries = run.project.ledger.filter(kind="run.failed_left_out", subject=f"run {run.number}")
    return entries.select_related("actor").order_by("-sequence").first()
