"""The rows of one adjudication: every difference between its two sheets, with its decision."""

from collections.abc import Sequence
from itertools import combinations

from django.utils.translation import gettext as _

from contracts.alignment import align_all
from contracts.differences import AMBIGUITY, Difference, differences
from contracts.models import Adjudication, Constraint, Decision, Sheet
from contracts.services.sheets import left_out

Row = tuple[Difference, Decision | None]


def rows_of(adjudication: Adjudication) -> list[Row]:
    """Every row of the bench in order, each with its decision if there is one."""
    decided = {d.item: d for d in adjudication.decisions.all()}
    found = differences(adjudication.sheet_a.terms, adjudication.sheet_b.terms)
    return [(difference, decided.get(difference.item)) for difference in found]


def is_open(difference: Difference, decision: Decision | None) -> bool:
    """Whether somebody must still decide it: it was never decided, or what was decided changed."""
    return not difference.agreed and (decision is None or decision.changed)


def undecided(adjudication: Adjudication) -> list[Difference]:
    return [d for d, decision in rows_of(adjudication) if is_open(d, decision)]


def named(adjudication: Adjudication, difference: Difference, number: int) -> str:
    """A row as sentences name it: its number, its kind and the marked words."""
    if difference.kind == AMBIGUITY:
        return f"{number} {_('ambiguity')}"
    side = difference.a or difference.b
    label = str(Constraint.Kind(difference.kind).label)
    if side.span is None:
        return f"{number} {label}"
    words = adjudication.request.texts[side.span.turn][side.span.start : side.span.end]
    return f"{number} {label} “{words}”"


def farthest_pair(sheets: Sequence[Sheet]) -> tuple[Sheet, Sheet]:
    """Of all sheets of a request, the two that differ most: in critical demands first, then in
    any; of equal pairs the one sealed first.
    """
    if len(sheets) == 2:
        return sheets[0], sheets[1]
    return max(combinations(sheets, 2), key=_distance)


def all_agree(sheets: Sequence[Sheet]) -> bool:
    """Whether no two of the sheets differ in anything."""
    return all(
        difference.agreed
        for a, b in combinations(sheets, 2)
        for difference in differences(a.terms, b.terms)
    )


def further_sheets(adjudication: Adjudication) -> list[Sheet]:
    """The sheets beside the two of the adjudication that were sealed when it was opened."""
    two = (adjudication.sheet_a_id, adjudication.sheet_b_id)
    reviewers = (adjudication.sheet_a.annotator_id, adjudication.sheet_b.annotator_id)
    found = (
        Sheet.objects.sealed_for(adjudication.request)
        .filter(sealed_at__lte=adjudication.opened_at)
        .exclude(pk__in=two)
        .exclude(annotator__in=reviewers)
    )
    further = list(found)
    closed = left_out(adjudication.request.project) if further else set()
    return [sheet for sheet in further if sheet.pk not in closed]


def presence_of(
    adjudication: Adjudication, further: Sequence[Sheet]
) -> tuple[dict[str, int], list[str]]:
    """How many of all reviewers have each row's constraint, by item, and what further reviewers
    have that neither A nor B has, each in its kind and words.
    """
    a, b = adjudication.sheet_a.terms.constraints, adjudication.sheet_b.terms.constraints
    seen: dict[str, int] = {}
    others = []
    texts = adjudication.request.texts
    for unit in align_all([a, b, *(sheet.terms.constraints for sheet in further)]):
        x, y = unit.sides[:2]
        for key in ([f"a:{x.id}"] if x else []) + ([f"b:{y.id}"] if y else []):
            seen[key] = unit.seen_by
        if x is None and y is None:
            side = next(side for side in unit.sides if side)
            span = side.span
            words = f" “{texts[span.turn][span.start : span.end]}”" if span else ""
            others.append(f"{Constraint.Kind(unit.kind).label}{words}")
    rows = differences(adjudication.sheet_a.terms, adjudication.sheet_b.terms)
    votes = {
        row.item: max(
            seen.get(f"a:{row.a.id}", 0) if row.a else 0,
            seen.get(f"b:{row.b.id}", 0) if row.b else 0,
        )
        for row in rows
        if row.kind != AMBIGUITY
    }
    return votes, others


def _distance(pair: tuple[Sheet, Sheet]) -> tuple[int, int]:
    found = differences(pair[0].terms, pair[1].terms)
    return sum(d.critical for d in found), sum(not d.agreed for d in found)
