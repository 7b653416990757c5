"""The families of twins: which apply to a constraint, and all that they propose. A new family is
one file with a proposer and one line in FAMILIES and KINDS.
"""

from collections.abc import Mapping, Sequence

from contracts.terms import ConstraintTerms, ContractTerms, Span
from contracts.twins.aggregation import propose_aggregation
from contracts.twins.date import propose_date
from contracts.twins.direction import propose_direction
from contracts.twins.flips import Asked, Flip, Known, Proposer, same_demand
from contracts.twins.organisation import propose_organisation
from contracts.twins.referent import propose_referent
from contracts.twins.status import propose_status
from contracts.twins.unresolved import propose_unresolved
from contracts.twins.validating import KINDS, differing
from contracts.values import validate_value

FAMILIES: Mapping[str, Proposer] = {
    "date": propose_date,
    "organisation": propose_organisation,
    "direction": propose_direction,
    "status": propose_status,
    "aggregation": propose_aggregation,
    "referent": propose_referent,
    "unresolved": propose_unresolved,
}


def families_for(constraint: ConstraintTerms) -> tuple[str, ...]:
    """Return the families that can flip a constraint, by its kind; none for a source."""
    return KINDS.get(constraint.kind, ())


_NOTHING = Known()


def propose(
    texts: Sequence[str], terms: ContractTerms, constraint: str, known: Known = _NOTHING
) -> tuple[Flip, ...]:
    """Return the twins of a request (turns, current text last) that flip one critical constraint,
    over every family that applies, each once.

    Each can be flipped back: proposing from it gives the request again, apart from further wordings
    that no rule could carry over. Nothing is proposed where the words of the span do not show the
    value, for an id that the terms do not have once, and for terms that do not fit the texts.
    """
    texts = tuple(texts)
    return tuple(
        made
        for made in _raw(texts, terms, constraint, known)
        if any(
            same_demand(texts, terms, back)
            for back in _raw(made.texts, made.terms, constraint, known, made.family)
        )
    )


def _raw(
    texts: tuple[str, ...],
    terms: ContractTerms,
    constraint: str,
    known: Known,
    only: str | None = None,
) -> list[Flip]:
    """What the families (or one of them) propose that is sound, whether or not it leads back."""
    named = [one for one in terms.constraints if one.id == constraint]
    if len(named) != 1 or not named[0].critical or not named[0].span:
        return []
    if not all(_fits(one, texts) for one in terms.constraints):
        return []
    asked = Asked(texts, terms, named[0], named[0].span)
    found: dict[tuple[tuple[str, ...], str], Flip] = {}
    for family in families_for(named[0]):
        for made in FAMILIES[family](asked, known) if only in (None, family) else ():
            if differing(terms, made.terms) == (constraint,) and _sound(made):
                found.setdefault((made.texts, family), made)
    return list(found.values())


def _sound(made: Flip) -> bool:
    return all(_fits(one, made.texts) for one in made.terms.constraints)


def _fits(constraint: ConstraintTerms, texts: Sequence[str]) -> bool:
    """Whether a value is sound and its span covers words."""
    if validate_value(constraint.kind, constraint.value):
        return False
    return constraint.span is None or _covers(constraint.span, texts)


def _covers(span: Span, texts: Sequence[str]) -> bool:
    inside = 0 <= span.turn < len(texts) and 0 <= span.start < span.end <= len(texts[span.turn])
    return inside and bool(texts[span.turn][span.start : span.end].strip())
