"""The list of a project's arms: what each is, its parameters in words, the runs that it was in."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from evaluation.documenting import first_sentence
from evaluation.models import Arm, Run
from evaluation.registry import PartError
from evaluation.reports.parts.words import differences_in_words
from evaluation.rewriters.base import REWRITERS

MOST_RUNS = 10


@dataclass(frozen=True, slots=True)
class ArmRow:
    """One arm. `runs` are the newest `MOST_RUNS` of `run_count`."""

    arm: Arm
    what: str
    parameters: str
    runs: tuple[Run, ...]
    run_count: int

    @property
    def more(self) -> int:
        return self.run_count - len(self.runs)

    @property
    def may_be_deleted(self) -> bool:
        return self.arm.source == Arm.Source.ENGINE and not self.run_count


def arm_rows(arms: Iterable[Arm]) -> list[ArmRow]:
    """Return a row for each arm, its runs the newest first; `arms` have them prefetched. The
    original and the human reference come first, then the others by name.
    """
    rows = []
    for arm in sorted(arms, key=_place):
        runs = sorted(arm.runs.all(), key=lambda run: -run.number)
        newest = tuple(runs[:MOST_RUNS])
        rows.append(ArmRow(arm, _what(arm), _parameters(arm), newest, len(runs)))
    return rows


def _place(arm: Arm) -> tuple[int, str]:
    fixed = [*Arm.RESERVED]
    return (fixed.index(arm.source) if arm.source in fixed else len(fixed), arm.name)


def _what(arm: Arm) -> str:
    if arm.source == Arm.Source.ORIGINAL:
        return _("the request as the user sent it; always part")
    if arm.source == Arm.Source.HUMAN:
        return _("the standalone references that people wrote")
    if arm.source == Arm.Source.UPLOADED:
        return _("uploaded rewrites")
    try:
        return first_sentence(REWRITERS.find(arm.rewriter))
    except PartError:
        return _("there is no such rewriter any more")


def _parameters(arm: Arm) -> str:
    if arm.source != Arm.Source.ENGINE:
        return ""
    return differences_in_words(REWRITERS, arm.rewriter, arm.parameters)
