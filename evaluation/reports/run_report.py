"""Everything that the verdict page shows of a finished run, from its rows and its result."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from contracts.models import TwinPair
from evaluation.models import Arm, Judgement, Protocol, Run, Verdict
from evaluation.reports.controls import ControlsShown, controls_shown
from evaluation.reports.run_tables import (
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
from evaluation.reports.scorecard_table import ScorecardTable, scopes, scorecard_table
from evaluation.reports.verdict_cards import Card, Unresolved, cards, unresolved
from evaluation.scoring.scorecard import ALL_CLASSES


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
    cards: tuple[Card, ...]
    unresolved: tuple[Unresolved, ...]
    asked: int
    scopes: list[str]
    table: ScorecardTable
    families: tuple[FamilyRow, ...]
    ranking: RankingCells | None
    failed_pairs: tuple[FailedPair, ...]
    controls: ControlsShown | None
    stages: tuple[StageRow, ...]
    judged: Judged
    limits: tuple[str, ...]
    version: int
    requests: int


def candidates(arms: Sequence[Arm]) -> list[Arm]:
    return [arm for arm in arms if arm.is_candidate]


def shown_arms(arms: Sequence[Arm], candidate: Arm | None) -> list[Arm]:
    """The scorecard's columns: original, human, the candidate."""
    order: dict[str, int] = {Arm.Source.ORIGINAL: 0, Arm.Source.HUMAN: 1}
    fixed = sorted((a for a in arms if a.source in order), key=lambda a: order[a.source])
    return [*fixed, candidate] if candidate else fixed


def run_report(
    run: Run, arms: Sequence[Arm], candidate: Arm | None, scope: str = ALL_CLASSES
) -> RunReport:
    """Return the report of a finished run for one candidate, in one scope of the scorecard."""
    result: dict[str, Any] = run.result or {}
    known = scopes(result)
    columns = [arm.name for arm in shown_arms(arms, candidate)]
    name = candidate.name if candidate else "original"
    verdicts = list(Verdict.objects.current(run).filter(arm=candidate)) if candidate else []
    contents = [verdict.content for verdict in verdicts]
    judged = judged_by(run, candidate) if candidate else Judged(0, 0, 0)
    asking = unresolved(contents)
    return RunReport(
        candidate=candidate,
        cards=cards(contents),
        unresolved=asking,
        asked=sum(item.asked is True for item in asking),
        scopes=known,
        table=scorecard_table(
            result,
            columns,
            candidate.name if candidate else None,
            scope if scope in known else ALL_CLASSES,
        ),
        families=family_rows(result, name),
        ranking=overall_ranking(result, name),
        failed_pairs=_failed_pairs(run, failed_pairs(result, name)),
        controls=controls_shown(result),
        stages=stage_rows(result, columns),
        judged=judged,
        limits=limits(
            result,
            name,
            judged,
            documents=run.conditions.corpus.document_count,
            hypothetical=run.project.hypothetical,
            logged=bool(run.arm_content.get(name, {}).get("runs")),
        ),
        version=max((verdict.version for verdict in verdicts), default=0),
        requests=len(run.conditions.content["requests"]),
    )


def judged_by(run: Run, arm: Arm) -> Judged:
    """Count who judged the constraints of resolved requests under the arm."""
    rows = Judgement.objects.filter(case__run=run, case__arm=arm, case__contract__unresolved=False)
    total, people = rows.by_matcher().count(), rows.by_people().count()
    waiting = Judgement.objects.waiting(run).filter(case__arm=arm).count()
    return Judged(matcher=total - people - waiting, people=people, open=waiting)


def registered_sentence(run: Run, protocol: Protocol) -> str:
    """Say whether the rules stood before the run, and by how long."""
    if protocol.registered_at > run.created_at:
        return _("Registered after this run started: its verdicts were not preregistered.")
    return _("Registered %(time)s before this run started.") % {
        "time": timesince(protocol.registered_at, run.created_at)
    }


def protocol_banners(protocol: Protocol) -> list[str]:
    """What takes weight from a protocol: runs before it, or a newer version."""
    found = []
    before = protocol.project.runs.filter(created_at__lt=protocol.registered_at).count()
    if before:
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
    newer = getattr(protocol, "superseded_by", None)
    if newer is not None:
        found.append(
            _("Superseded by version %(n)d: decisions under these rules no longer stand.")
            % {"n": newer.version}
        )
    return found


def _failed_pairs(run: Run, rows: tuple[PairRow, ...]) -> tuple[FailedPair, ...]:
    sides = {
        pair.key: pair
        for pair in TwinPair.objects.filter(
            project=run.project, key__in=[row.id for row in rows]
        ).select_related("base", "twin")
    }
    return tuple(
        FailedPair(row, sides[row.id].base.key, sides[row.id].twin.key)
        for row in rows
        if row.id in sides
    )
