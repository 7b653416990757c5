from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.terms import ConstraintTerms, ContractTerms, Span
from contracts.twins import Edit, propose
from contracts.twins.flips import edited, moved
from contracts.twins.words import article, cased, places
from tests.contracts.twins.asking import asked, words_of

TEXT = "Who ran Harbor Rail before 2021?"
YEAR = Edit(0, 20, 31, "after 1999")


@pytest.mark.parametrize(
    ("span", "now"),
    [
        (Span(0, 8, 19), Span(0, 8, 19)),  # before the edit
        (Span(0, 31, 32), Span(0, 30, 31)),  # after it
        (Span(0, 8, 32), Span(0, 8, 31)),  # round it
        (Span(0, 20, 31), Span(0, 20, 30)),  # on it
        (Span(1, 20, 31), Span(1, 20, 31)),  # in another turn
        (Span(0, 8, 25), None),  # cut by it
        (Span(0, 21, 30), None),  # inside it
        (None, None),
    ],
)
def test_a_span_moves_with_its_words(span: Span | None, now: Span | None) -> None:
    assert moved(span, [YEAR]) == now


@given(st.text(max_size=30), st.data())
def test_a_span_beside_an_edit_keeps_its_words(text: str, data: st.DataObject) -> None:
    places = st.integers(0, len(text))
    start, end, low, high = sorted(data.draw(st.lists(places, min_size=4, max_size=4)))
    edit = Edit(0, low, high, data.draw(st.text(max_size=5)))
    span = moved(Span(0, start, end), [edit]) if start < end else None
    if span:
        (new,) = edited([text], [edit])
        assert new[span.start : span.end] == text[start:end]


def constraint(kind: str, value: dict[str, object], text: str, words: str) -> ConstraintTerms:
    start = text.index(words)
    return ConstraintTerms("c2", kind, "critical", value, Span(0, start, start + len(words)))


def beside(other: ConstraintTerms) -> tuple[tuple[str, ...], ContractTerms]:
    value = {"relation": "before", "end": "2021"}
    texts, terms = asked("time", value, TEXT.replace("before 2021", "[before 2021]"))
    return texts, replace(terms, constraints=(*terms.constraints, other))


def test_the_words_of_another_constraint_move_and_stay() -> None:
    texts, terms = beside(constraint("polarity", {"mode": "negate", "target": "?"}, TEXT, "?"))
    for flip in propose(texts, terms, "c1"):
        assert words_of(flip, 1) == "?"
        assert flip.terms.constraints[1].value == terms.constraints[1].value


@pytest.mark.parametrize(
    ("other", "now"),
    [
        (constraint("time", {"relation": "on", "start": "2021"}, TEXT, "2021"), "before 2022"),
        (constraint("referent", {"name": "Harbor, 2021"}, TEXT, TEXT[8:31]), "before 2022"),
        (constraint("status", {"value": "late"}, TEXT, "before"[1:]), "after 2021"),
        (replace(constraint("status", {"value": "in 2021"}, TEXT, "?"), span=None), "before 2022"),
    ],
)
def test_a_change_that_would_touch_another_constraint_is_not_proposed(
    other: ConstraintTerms, now: str
) -> None:
    texts, terms = beside(other)
    assert now not in {flip.now for flip in propose(texts, terms, "c1")}


# Oxford English Dictionary and the Chicago Manual of Style (17th edition, 5.74): by sound.
@pytest.mark.parametrize(
    ("words", "said"),
    [("annual", "an"), ("cumulative", "a"), ("unit", "a"), ("uninsured", "an"), ("hour", "an"),
     ("hotel", "a"), ("8 %", "an"), ("18", "an"), ("80", "an"), ("FBI", "an"), ("UN", "a"),
     ("one-off", "a"), ("European", "a"), ("umbrella", "an")],
)  # fmt: skip
def test_an_article_goes_by_the_sound(words: str, said: str) -> None:
    assert article(words) == said


@pytest.mark.parametrize(
    ("like", "written"),
    [
        ("draft", "final cut"),
        ("Draft", "Final cut"),
        ("DRAFT", "FINAL CUT"),
        ("A Draft", "Final Cut"),
    ],
)
def test_new_words_take_the_case_of_the_old(like: str, written: str) -> None:
    assert cased("final cut", like) == written


def test_whole_words_are_found_and_no_parts_of_letters() -> None:
    text = "draft Draft drafts pre-draft draft\u0301 draft's 🙂draft"
    assert [text[start:end] for start, end in places("draft", text)] == [
        "draft", "Draft", "draft", "draft",
    ]  # fmt: skip
