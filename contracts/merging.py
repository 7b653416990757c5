"""What two reviewers said of one thing, as one: further wordings of both, the longer words. Pure:
values in, values out.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from contracts.differences import AMBIGUITY, Difference
from contracts.terms import Ambiguity, ConstraintTerms, Span

# Fields of a value that list further wordings: both reviewers' hold together.
WORDINGS = ("aliases", "rivals")


class CannotMerge(Exception):
    """The two sides exclude each other; the sentence says why."""


def _(words: str) -> str:
    """Mark words for the catalogues; whoever shows them translates them."""
    return words


def merged(difference: Difference) -> dict[str, Any]:
    """Return what both sides say together, as JSON of a constraint or of the ambiguity mark.

    Raises CannotMerge where one side has nothing, or where the values or the materiality differ:
    then one of them is right, and somebody must say which.
    """
    if difference.kind == AMBIGUITY:
        return _readings_of_both(difference.a, difference.b)
    a, b = difference.a, difference.b
    if a is None or b is None:
        raise CannotMerge(
            _("Only one reviewer has it, so there is nothing to merge: take it, or say no.")
        )
    if a.materiality != b.materiality:
        raise CannotMerge(
            _("One reviewer says critical, the other minor: take A or B, or edit it.")
        )
    if _without_wordings(a.value) != _without_wordings(b.value):
        raise CannotMerge(_("The two values exclude each other: take A or B, or edit it."))
    value = {**b.value, **a.value} | {
        name: _union(a.value.get(name) or (), b.value.get(name) or ())
        for name in WORDINGS
        if name in a.value or name in b.value
    }
    admissible = tuple(_union(a.admissible, b.admissible))
    both: ConstraintTerms = replace(a, value=value, span=_longer(a, b), admissible=admissible)
    return both.to_json()


def can_merge(difference: Difference) -> bool:
    try:
        merged(difference)
    except CannotMerge:
        return False
    return True


def _readings_of_both(a: Mapping[str, Any], b: Mapping[str, Any]) -> dict[str, Any]:
    if not (a["unresolved"] and b["unresolved"]):
        raise CannotMerge(
            _("One reviewer can answer it, the other cannot: take A or B, or edit it.")
        )
    return Ambiguity(True, tuple(_union(a["readings"], b["readings"]))).to_json()


def _without_wordings(value: Mapping[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in value.items() if name not in WORDINGS}


def _union(first: Iterable[str], second: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*first, *second]))


def _longer(a: ConstraintTerms, b: ConstraintTerms) -> Span | None:
    spans = [span for span in (a.span, b.span) if span is not None]
    return max(spans, key=lambda span: span.end - span.start, default=None)
