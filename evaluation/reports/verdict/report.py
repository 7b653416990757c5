"""Everything that the verdict page shows of a finished run, from its rows and its result."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from contracts.models import TwinPair
from evaluation.models import Arm, Judgement, Protocol, Run, Verdict
from evaluation.reports.charts.result_charts import Chart, charts
from evaluation.reports.judging.who_judged import (
    JudgingShown,
    counted_by,
    judge_unchecked,
    judging_shown,
)
from evaluation.reports.matrix.rows import critical_losses
from evaluation.reports.protocol.sentences import reach_sentence, void_sentence
from evaluation.reports.verdict.answer_line import answer_line
from evaluation.reports.verdict.cards import Card, Unresolved, cards, unresolved
from evaluation.reports.verdict.controls import ControlsShown, controls_shown
from evaluation.reports.verdict.looks import brought_sentences, look_line, look_sentence
from evaluation.reports.verdict.negatives import Negative, negatives
from evaluation.reports.verdict.scorecard_table import ScorecardTable, scopes, scorecard_table
from evaluation.reports.verdict.tables import (
    FamilyRow,
    Judged,
    PairRow,
    RankingCells,
    StageRow,
    failed_pairs,
    family_rows,
    limits,
    overall_ranking,
    stage_rows,
)
from evaluation.runs.auditing import unchecked
from evaluation.runs.inputs import pairs_are_as_frozen
from evaluation.scoring.scorecard import ALL_CLASSES
from evaluation.services.looks import looks_of
from evaluation.services.protocols import registered_reach, void_by


@dataclass(frozen=True, slots=True)
class FailedPair:
    """A pair that did not pass, with its two requests."""

    pair: PairRow
    base: str
    twin: str


@dataclass(frozen=True, slots=True)
class RunReport:
    """What the verdict page shows for one candidate; without a candidate there are no verdicts."""

    candidate: Arm | None
    answer: str
    unchecked: str
    cards: tuple[Card, ...]
    unresolved: tuple[Unresolved, ...]
    asked: int
    scopes: list[str]
    table: ScorecardTable
    charts: tuple[Chart, ...]
    families: tuple[FamilyRow, ...]
    ranking: RankingCells | None
    failed_pairs: tuple[FailedPair, ...]
    controls: ControlsShown | None
    stages: tuple[StageRow, ...]
    judging: JudgingShown | None
    waiting: int
    negatives: tuple[Negative, ...]
    limits: tuple[str, ...]
    version: int
    requests: int
    look: str = ""


def candidates(arms: Sequence[Arm]) -> list[Arm]:
    return [arm for arm in arms if arm.is_candidate]


def shown_arms(arms: Sequence[Arm], candidate: Arm | None) -> list[Arm]:
    """The scorecard's columns: original, human, the candidate."""
    order: dict[str, int] = {Arm.Source.ORIGINAL: 0, Arm.Source.HUMAN: 1}
    fixed = sorted((a for a in arms if a.source in order), key=lambda a: order[a.source])
    return [*fixed, candidate] if candidate else fixed


def in_order(arms: Iterable[Arm]) -> list[Arm]:
    """Original, human, then the candidates as they come."""
    arms = list(arms)
    return [*shown_arms(arms, None), *candidates(arms)]


def run_report(
    run: Run, arms: Sequence[Arm], candidate: Arm | None, scope: str = ALL_CLASSES
) -> RunReport:
    """Return the report of a finished run for one candidate, in one scope of the scorecard."""
    result: dict[str, Any] = run.result or {}
    known = scopes(result)
    columns = [arm.name for arm in shown_arms(arms, candidate)]
    name = candidate.name if candidate else "original"
    standing = list(Verdict.objects.current(run))
    verdicts = [verdict for verdict in standing if candidate and verdict.arm_id == candidate.pk]
    contents = [verdict.content for verdict in verdicts]
    judged = judged_by(run, candidate) if candidate else Judged(0, 0, 0)
    waiting = Judgement.objects.waiting(run).filter(case__arm=candidate) if candidate else None
    asking = unresolved(contents)
    shown = scope if scope in known else ALL_CLASSES
    looks = looks_of(run)
    known_before = filter(None, (look_sentence(looks), *brought_sentences(run, candidate)))
    return RunReport(
        candidate=candidate,
        answer=answer_line(contents),
        unchecked=judge_unchecked(result, [name]),
        cards=cards(contents, critical_losses(run, candidate) if candidate else {}),
        unresolved=asking,
        asked=sum(item.asked is True for item in asking),
        scopes=known,
        table=scorecard_table(result, columns, candidate.name if candidate else None, shown),
        charts=charts(result, columns, candidate.name if candidate else None, shown),
        families=family_rows(result, name),
        ranking=overall_ranking(result, name),
        failed_pairs=_failed_pairs(run, failed_pairs(result, name)),
        controls=controls_shown(result),
        stages=stage_rows(result, columns),
        judging=judging_shown(result, columns, name, waiting=unchecked(run)),
        waiting=waiting.count() if waiting is not None else 0,
        negatives=negatives((verdict.content for verdict in standing), result),
        limits=(
            *limits(
                result,
                name,
                judged,
                documents=run.conditions.corpus.document_count,
                hypothetical=run.project.hypothetical,
                logged=bool(run.arm_content.get(name, {}).get("runs")),
            ),
            *known_before,
            *pairs_changed(run),
        ),
        version=max((verdict.version for verdict in verdicts), default=0),
        requests=len(run.conditions.content["requests"]),
        look=look_line(looks),
    )


def pairs_changed(run: Run) -> tuple[str, ...]:
    """Whether the twin pairs that the Conditions were frozen with are no longer what they were."""
    if pairs_are_as_frozen(run):
        return ()
    return (
        _(
            "Twin pairs were changed or deleted since the conditions were frozen, so what is "
            "computed again from now on can differ from what stands here."
        ),
    )


def judged_by(run: Run, arm: Arm) -> Judged:
    """Count who judged the constraints of resolved requests under the arm: as the result has it, or
    from the rows where an earlier version computed it.
    """
    if counted := counted_by(run.result or {}, arm.name):
        return counted
    rows = Judgement.objects.filter(case__run=run, case__arm=arm, case__contract__unresolved=False)
    total, people = rows.by_matcher().count(), rows.by_people().count()
    waiting = Judgement.objects.waiting(run).filter(case__arm=arm).count()
    return Judged(matcher=total - people - waiting, people=people, open=waiting)


def registered_sentence(run: Run, protocol: Protocol) -> str:
    """Say whether the rules stood before the run, and by how long."""
    if protocol.registered_at > run.created_at:
        return _("Registered after this run started: its verdicts were not preregistered.")
    if run.created_at - protocol.registered_at < timedelta(minutes=1):
        return _("Registered less than a minute before this run started.")
    return _("Registered %(time)s before this run started.") % {
        "time": timesince(protocol.registered_at, run.created_at)
    }


def protocol_banners(protocol: Protocol) -> list[str]:
    """What takes weight from a protocol: requests whose results stood before it, or a newer version
    that voids its decisions; that comes last.
    """
    found = []
    before = protocol.project.runs.filter(created_at__lt=protocol.registered_at).count()
    reach = registered_reach(protocol) if before else None
    if reach is None and before:
        found.append(
            ngettext(
                "%(n)d run existed in this project before these rules were registered, so they may "
                "have been made with its results in sight.",
                "%(n)d runs existed in this project before these rules were registered, so they "
                "may have been made with their results in sight.",
                before,
            )
            % {"n": before}
        )
    elif reach and reach.seen:
        found.append(reach_sentence(reach.open, reach.seen))
    if newer := void_by(protocol):
        found.append(void_sentence(newer.version, newer.registered_at))
    return found


def run_banners(run: Run) -> list[str]:
    """What takes weight from a finished run: that its results could not be computed again, and what
    takes it from its protocol.
    """
    return [*filter(None, [run.notice]), *(protocol_banners(run.protocol) if run.protocol else ())]


def _failed_pairs(run: Run, rows: tuple[PairRow, ...]) -> tuple[FailedPair, ...]:
    pairs = TwinPair.objects.filter(project=run.project).order_by()
    sides = {
        key: (base, twin) for key, base, twin in pairs.values_list("key", "base__key", "twin__key")
    }
    return tuple(FailedPair(row, *sides[row.id]) for row in rows if row.id in sides)
