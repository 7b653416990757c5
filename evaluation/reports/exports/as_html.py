"""A run as one page that needs no other: all that the page of the run says, for every candidate and
class, to read, to print and to send. What is too long for paper says how much of it is shown.
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation

from annotation.exporting.snapshot import snapshot
from evaluation.models import Arm, Run, Verdict
from evaluation.reports.judging.who_judged import judge_unchecked
from evaluation.reports.matrix.rows import ANY_LOST, Filters, find_rows
from evaluation.reports.matrix.shown import Group, groups, read_constraints
from evaluation.reports.protocol.sentences import (
    ClassSentences,
    Frozen,
    class_sentences,
    frozen_facts,
    general_sentences,
)
from evaluation.reports.protocol.voiding import void_json
from evaluation.reports.run_watched import coverage
from evaluation.reports.verdict.answer_line import Answers, answers_of
from evaluation.reports.verdict.report import (
    RunReport,
    candidates,
    in_order,
    registered_sentence,
    run_banners,
    run_report,
    shown_arms,
)
from evaluation.reports.verdict.scorecard_table import ScorecardTable, scorecard_table
from evaluation.reports.verdict.tables import STAGES

MOST_LOST = 500  # constraints of each candidate: more are in the CSV
MOST_PAIRS = 200


@dataclass(frozen=True, slots=True)
class Lost:
    """The constraints that a candidate lost: the first of them by request, and how many in all."""

    groups: Sequence[Group]
    shown: int
    total: int


@dataclass(frozen=True, slots=True)
class Part:
    """What the report says of one candidate; of the original where the run has no candidate."""

    anchor: str
    report: RunReport
    arms: tuple[str, ...]
    by_class: tuple[ScorecardTable, ...]  # those of single classes, which stand in the appendix
    lost: Lost | None

    @property
    def table(self) -> ScorecardTable:
        """The scorecard over all classes."""
        return self.report.table

    @property
    def failed_pairs(self) -> Sequence[Any]:
        return self.report.failed_pairs[:MOST_PAIRS]


def html_pieces(run: Run) -> Generator[str, None, None]:
    yield html_report(run)


def html_report(run: Run) -> str:
    """Return the whole page in the reader's language."""
    with snapshot():
        return render_to_string("evaluation/report.html", report_context(run))


def report_context(run: Run) -> dict[str, Any]:
    """Everything that the page shows, from the run's rows and stored result."""
    arms = list(run.arms.all())  # in the order of the page
    shown: Sequence[Arm | None] = candidates(arms) or [None]
    protocol = run.protocol
    sentences: tuple[str, ...] = general_sentences(protocol.content) if protocol else ()
    classes: tuple[ClassSentences, ...] = class_sentences(protocol.content) if protocol else ()
    frozen: tuple[Frozen, ...] = frozen_facts(run.conditions.content)
    return {
        "run": run,
        "project": run.project,
        "language": translation.get_language() or "en",
        "right_to_left": translation.get_language_bidi(),
        "all_arms": [arm.name for arm in in_order(arms)],
        "answers": _answers(run, candidates(arms)),
        "unchecked": judge_unchecked(run.result or {}, [arm.name for arm in arms]),
        "parts": [_part(run, arms, arm, place) for place, arm in enumerate(shown, start=1)],
        "counts": {
            "cases": run.cases.count(),
            "requests": len(run.conditions.content["requests"]),
        },
        "void": void_json(run),
        "banners": run_banners(run),
        "registered": registered_sentence(run, protocol) if protocol else "",
        "sentences": sentences,
        "classes": classes,
        "facts": frozen,
        "stages": STAGES,
        "coverage": coverage(run),
        "most_pairs": MOST_PAIRS,
    }


def _answers(run: Run, arms: Sequence[Arm]) -> Answers:
    """What may ship, by class, from the standing verdicts."""
    standing = list(Verdict.objects.current(run).order_by("request_class__name"))
    return answers_of(
        {arm.name: [v.content for v in standing if v.arm_id == arm.pk] for arm in arms}
    )


def _part(run: Run, arms: Sequence[Arm], candidate: Arm | None, place: int) -> Part:
    result: Mapping[str, Any] = run.result or {}
    report = run_report(run, arms, candidate)
    columns = tuple(arm.name for arm in shown_arms(arms, candidate))
    name = candidate.name if candidate else None
    return Part(
        anchor=f"c{place}",
        report=report,
        arms=columns,
        by_class=tuple(
            scorecard_table(result, columns, name, scope) for scope in report.scopes[1:]
        ),
        lost=_lost(run, arms, candidate) if candidate else None,
    )


def _lost(run: Run, arms: Sequence[Arm], candidate: Arm) -> Lost:
    found = find_rows(run, Filters(arm=candidate, lost=ANY_LOST), None).ids
    first = read_constraints(found[:MOST_LOST])
    shown = groups(run, first, shown_arms(arms, candidate), candidate)
    return Lost(shown, len(first), len(found))
