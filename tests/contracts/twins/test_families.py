from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.models.fixtures import FAMILIES as STORED
from contracts.terms import KINDS, MATERIALITIES, ConstraintTerms, ContractTerms, Span
from contracts.twins import (
    FAMILIES,
    Known,
    Side,
    differing,
    expansions,
    families_for,
    faults_of_pair,
    propose,
)
from contracts.twins.validating import FAMILY_NAMES
from tests.contracts.twins.asking import NOTHING, asked, words_of

KNOWN = Known(
    names=("Harbor Rail", "Harbor Freight", "Ormskar works", "Tarlow works"),
    groups=(("Harbor Rail", "Acme Group"),),
)
WORKS = {"name": "Ormskar works", "from_turn": 0}
# One request of each kind of flip: the words in [brackets], between any other words.
REQUESTS: list[tuple[str, dict[str, Any], str]] = [
    ("time", {"relation": "before", "end": "2021"}, "Who ran it [before 2021]"),
    ("time", {"relation": "on", "start": "2022", "calendar": "fiscal"}, "in [fiscal year 2022]"),
    ("time", {"relation": "between", "start": "2019", "end": "2021"}, "[between 2019 and 2021]"),
    ("time", {"relation": "as_of", "start": "2023-06"}, "staff [as of June 2023]"),
    ("quantity", {"operator": ">", "value": 9, "aggregation": "annual"}, "[an annual cut over 9]"),
    ("quantity", {"operator": ">=", "value": 5}, "[at least 5]"),
    ("comparison", {"sets": ["A", "B"], "direction": "higher"}, "is [A higher than B]"),
    ("polarity", {"mode": "exclude", "target": "new ones"}, "all, [not counting new ones]"),
    ("status", {"value": "draft", "rivals": ["final"]}, "the [draft] policy"),
    ("referent", {"name": "Harbor Rail"}, "is it a [Harbor Rail] line"),
    ("referent", WORKS, "Where is the Ormskar works?\nIs [it] far"),
    ("referent", WORKS | {"from_turn": 1}, "The Tarlow works?\nThe Ormskar works?\nIs [it] far"),
]  # fmt: skip
NOISE = st.one_of(
    st.sampled_from(["", " ", "🙂 ", " ‏مرحبا ", " a ", " e\u0301 ", " (", "— ", " \u200d", "an "]),
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=6),
)


@st.composite
def requests(draw: st.DrawFn) -> tuple[tuple[str, ...], ContractTerms]:
    """One of REQUESTS with any words around it, and a second constraint on some of these."""
    kind, value, marked = draw(st.sampled_from(REQUESTS))
    before, after = (draw(NOISE).replace("[", "").replace("]", "") for _ in range(2))
    texts, terms = asked(kind, value, *(before + marked + after).split("\n"))
    text = texts[-1]
    low, high = sorted(draw(st.tuples(*(st.integers(0, len(text)) for _ in range(2)))))
    if text[low:high].strip():
        other = {"source": "the annual report"}
        span = Span(len(texts) - 1, low, high)
        second = ConstraintTerms(
            "c2", "evidence", draw(st.sampled_from(MATERIALITIES)), other, span
        )
        terms = replace(terms, constraints=(*terms.constraints, second))
    return texts, terms


@settings(max_examples=300, deadline=None)
@given(requests())
def test_flipped_twice_it_is_the_request_again(
    request_: tuple[tuple[str, ...], ContractTerms],
) -> None:
    texts, terms = request_
    for flip in propose(texts, terms, "c1", KNOWN):
        back = [(one.texts, one.terms) for one in propose(flip.texts, flip.terms, "c1", KNOWN)]
        assert (texts, terms) in back


@settings(max_examples=300, deadline=None)
@given(requests())
def test_a_flip_changes_its_constraint_and_the_words_of_no_other(
    request_: tuple[tuple[str, ...], ContractTerms],
) -> None:
    texts, terms = request_
    for flip in propose(texts, terms, "c1", KNOWN):
        assert differing(terms, flip.terms) == ("c1",)
        assert flip.texts != texts
        assert words_of(flip).strip()
        for was, now in zip(terms.constraints[1:], flip.terms.constraints[1:], strict=True):
            assert replace(now, span=was.span) == was
            assert words_of(flip, 1).strip()


@settings(max_examples=200, deadline=None)
@given(requests())
def test_a_flip_with_its_own_answer_and_evidence_is_a_pair(
    request_: tuple[tuple[str, ...], ContractTerms],
) -> None:
    texts, terms = request_
    for flip in propose(texts, terms, "c1", KNOWN):
        base = Side(texts, terms, ("one",), frozenset(["d1"]))
        twin = Side(flip.texts, flip.terms, ("two",), frozenset(["d2"]))
        assert faults_of_pair(flip.family, "c1", base, twin) == ()


@pytest.mark.parametrize(("kind", "value", "marked"), REQUESTS)
def test_each_of_these_requests_has_a_twin(kind: str, value: dict[str, Any], marked: str) -> None:
    texts, terms = asked(kind, value, *marked.split("\n"))
    assert propose(texts, terms, "c1", KNOWN)


# ---------------------------------------------------------------- anything at all

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3000) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=4,
)
FIELDS = ["name", "aliases", "relation", "start", "end", "value", "rivals", "target", "mode",
          "sets", "direction", "operator", "aggregation", "unresolved", "from_turn"]  # fmt: skip
VALUES = st.dictionaries(st.sampled_from(FIELDS), ANYTHING)
SPANS = st.none() | st.builds(Span, st.integers(-2, 3), st.integers(-3, 20), st.integers(-3, 20))


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.text(max_size=20), max_size=3),
    st.lists(
        st.builds(
            ConstraintTerms,
            id=st.sampled_from(["c1", "c2"]),
            kind=st.sampled_from([*KINDS, "mood"]),
            materiality=st.sampled_from(MATERIALITIES),
            value=VALUES | st.sampled_from([value for _, value, _ in REQUESTS]),
            span=SPANS,
        ),
        max_size=3,
    ),
)
def test_nothing_raises_whatever_comes(
    texts: list[str], constraints: list[ConstraintTerms]
) -> None:
    terms = ContractTerms(tuple(constraints))
    for one in ("c1", "c3"):
        propose(texts, terms, one, KNOWN)
        faults_of_pair("date", one, Side(tuple(texts), terms), Side((), ContractTerms()))
    expansions(texts, terms)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60), st.sampled_from(REQUESTS), st.data())
def test_any_words_may_be_marked(
    text: str, kind_and_value: tuple[str, dict[str, Any], str], data: st.DataObject
) -> None:
    low, high = sorted(data.draw(st.tuples(*(st.integers(0, len(text)) for _ in range(2)))))
    kind, value, _ = kind_and_value
    one = ConstraintTerms("c1", kind, "critical", value, Span(0, low, high))
    assert isinstance(propose([text], ContractTerms((one,)), "c1", KNOWN), tuple)


def test_the_families_are_those_that_a_pair_may_have() -> None:
    assert tuple(FAMILIES) == STORED == FAMILY_NAMES


@pytest.mark.parametrize(
    ("kind", "families"),
    [
        ("time", ("date",)),
        ("referent", ("organisation", "referent", "unresolved")),
        ("quantity", ("aggregation", "direction")),
        ("polarity", ("direction",)),
        ("comparison", ("direction",)),
        ("status", ("status",)),
        ("evidence", ()),
    ],
)
def test_a_kind_of_constraint_has_its_families(kind: str, families: tuple[str, ...]) -> None:
    assert families_for(ConstraintTerms("c1", kind, "critical", {})) == families


def test_a_pair_turns_on_a_critical_constraint_only() -> None:
    texts, terms = asked("status", {"value": "draft"}, "The [draft] policy?")
    minor = replace(terms.constraints[0], materiality="minor")
    assert propose(texts, ContractTerms((minor,)), "c1", NOTHING) == ()
