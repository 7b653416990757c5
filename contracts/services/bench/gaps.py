"""Guideline gaps: where the rules did not say what reviewers needed, for whoever writes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.guidelines import topic_at
from annotation.models import Guideline, Person, Project
from annotation.services import ledger
from annotation.services.guidelines import current
from annotation.services.projects import Refused, lock
from annotation.services.work import require_oversight
from contracts.differences import AMBIGUITY
from contracts.models import Adjudication, Constraint, Decision

AMBIGUITY_TOPIC = "sheet"  # the mark is no kind of constraint: the sheet's own guideline has it


@dataclass(frozen=True)
class Gap:
    """One decision whose reason is a gap. `in_force` is the version of its topic's guideline when
    it was decided, None when nothing was written.
    """

    decision: Decision
    kind: str
    topic: str
    words: str
    in_force: int | None


def gaps_of(*, actor: Person, project: Project) -> list[Gap]:
    """Every guideline gap of the project: those without an answer first, then the newest."""
    require_oversight(actor, project)
    found = (
        Decision.objects.filter(reason=Decision.Reason.GAP, adjudication__request__project=project)
        .select_related("adjudication__request", "answered_by")
        .prefetch_related(
            "adjudication__request__turns",
            "adjudication__sheet_a__constraints",
            "adjudication__sheet_b__constraints",
        )
        .order_by("-decided_at")
    )
    versions = list(project.guidelines.values_list("topic", "version", "created_at"))
    gaps = [_gap(decision, versions) for decision in found]
    return sorted(gaps, key=lambda gap: gap.decision.answered_by_id is not None)


@transaction.atomic
def answer_gap(*, actor: Person, project: Project, decision_id: int, topic: str) -> Decision:
    """Say that the newest version of a topic (its address) closes the gap; without a topic the
    gap is open again. Raises Decision.DoesNotExist for a gap of another project.
    """
    require_oversight(actor, project)
    lock(project)
    decision = Decision.objects.select_related("adjudication__request").get(
        pk=decision_id, reason=Decision.Reason.GAP, adjudication__request__project=project
    )
    answer = _answer(project, decision, topic) if topic else None
    Decision.objects.filter(pk=decision.pk).update(answered_by=answer)
    ledger.record(
        project=project,
        kind="adjudication.gap_answered",
        subject=decision.adjudication.request.key,
        content={"topic": topic, "version": answer.version if answer else None},
        actor=actor,
    )
    decision.answered_by = answer
    return decision


def _answer(project: Project, decision: Decision, address: str) -> Guideline:
    topic = topic_at(address)
    newest = current(project=project, topic=topic.name) if topic else None
    if newest is None or newest.created_at <= decision.decided_at:
        raise Refused(
            _("Write a new version first: the newest one was in force when this gap came up.")
        )
    return newest


def _gap(decision: Decision, versions: Sequence[tuple[str, int, datetime]]) -> Gap:
    kind, words = _about(decision)
    topic = AMBIGUITY_TOPIC if kind == AMBIGUITY else kind
    before = [
        version for name, version, at in versions if name == topic and at <= decision.decided_at
    ]
    return Gap(decision, kind, topic, words, max(before, default=None))


def _about(decision: Decision) -> tuple[str, str]:
    """The kind of the row that was decided, and its marked words."""
    if decision.item == AMBIGUITY:
        return AMBIGUITY, ""
    found = constraint_of(decision)
    if found is None:
        return "", ""
    span = found.terms.span
    texts = decision.adjudication.request.texts
    return found.kind, texts[span.turn][span.start : span.end] if span else ""


def constraint_of(decision: Decision) -> Constraint | None:
    """A reviewer's constraint on the decided row, of A if they have one."""
    adjudication: Adjudication = decision.adjudication
    keys = decision.item.split("|")
    for sheet, key in zip((adjudication.sheet_a, adjudication.sheet_b), keys, strict=False):
        for constraint in sheet.constraints.all():
            if constraint.key == key:
                return constraint
    return None
