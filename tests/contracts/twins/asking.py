"""Requests for the tests of twins, written with the constraint's words in [brackets]."""

from collections.abc import Mapping, Sequence
from typing import Any

from contracts.terms import Ambiguity, ConstraintTerms, ContractTerms, Span
from contracts.twins import Flip, Known, propose
from contracts.values import complete_value

NOTHING = Known()


def asked(
    kind: str, value: Mapping[str, Any], *marked: str, admissible: tuple[str, ...] = ()
) -> tuple[tuple[str, ...], ContractTerms]:
    """The texts without the brackets, and terms with a critical constraint on the words in them."""
    turn = next(at for at, text in enumerate(marked) if "[" in text)
    start, end = marked[turn].index("["), marked[turn].index("]") - 1
    texts = tuple(text.replace("[", "").replace("]", "") for text in marked)
    span = Span(turn, start, end)
    constraint = ConstraintTerms(
        "c1", kind, "critical", complete_value(kind, value), span, admissible
    )
    return texts, ContractTerms((constraint,))


def flips(
    kind: str, value: Mapping[str, Any], *marked: str, known: Known = NOTHING
) -> tuple[Flip, ...]:
    """What is proposed for a request written with brackets."""
    texts, terms = asked(kind, value, *marked)
    return propose(texts, terms, "c1", known)


def changes(found: Sequence[Flip], family: str) -> dict[str, str]:
    """The words that a family changes: {"after 2021": "before 2021"}."""
    return {one.now: one.was for one in found if one.family == family}


def value_of(flip: Flip) -> Mapping[str, Any]:
    return flip.terms.constraints[0].value


def words_of(flip: Flip, at: int = 0) -> str:
    """The words on which a constraint's span stands."""
    span = flip.terms.constraints[at].span
    assert span is not None
    return flip.texts[span.turn][span.start : span.end]


def unresolved(terms: ContractTerms, *readings: str) -> ContractTerms:
    return ContractTerms(terms.constraints, Ambiguity(True, readings))
