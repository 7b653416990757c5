"""Which words of a rewrite are shown as asked for, and which as new."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from contracts.terms import ConstraintTerms, Span
from evaluation.reports.judging.words import judged_words

ASKED = "What did Alder Foods earn in fiscal year 2022, without one-off items?"


def constraint(kind: str, words: str, value: dict[str, Any], *admissible: str) -> ConstraintTerms:
    start = ASKED.index(words)
    span = Span(0, start, start + len(words))
    return ConstraintTerms("c1", kind, "critical", value, span, admissible)


TIME = constraint(
    "time",
    "fiscal year 2022",
    {"relation": "on", "start": "2022", "end": "2022", "calendar": "fiscal"},
    "FY22",
)


def shown(text: str, terms: ConstraintTerms = TIME, *, new: bool = True) -> str:
    """[asked for], +new+, and the rest as it stands."""
    around = {"asked": "[{}]", "new": "+{}+", "same": "{}"}
    pieces = judged_words(text, terms, [ASKED], new=new)
    return "".join(around[piece.state].format(piece.text) for piece in pieces)


def test_words_of_the_constraint_are_shown_with_the_blanks_between_them() -> None:
    assert shown("Alder Foods revenue, fiscal year 2022") == (
        "Alder Foods +revenue+, [fiscal year 2022]"
    )


def test_another_year_is_new() -> None:
    assert shown("Alder Foods earned in fiscal year 2021") == (
        "Alder Foods earned in [fiscal year] +2021+"
    )


def test_words_of_another_admissible_form_are_asked_for() -> None:
    assert shown("Alder Foods FY22") == "Alder Foods [FY22]"


def test_inflections_of_one_root_are_the_same_word() -> None:
    excluded = constraint(
        "polarity", "without one-off items", {"mode": "exclude", "target": "items"}
    )
    assert shown("an item excluded", excluded) == "an [item] +excluded+"


def test_rivals_of_a_status_are_not_asked_for() -> None:
    status = constraint("status", "fiscal", {"value": "approved", "rivals": ["draft"]})
    assert shown("draft or approved", status) == "+draft+ or [approved]"


def test_stop_words_are_neither() -> None:
    assert shown("of the in by") == "of the in by"


def test_filters_show_no_new_words() -> None:
    assert shown("year = 2022", new=False) == "[year] = [2022]"
    assert shown("period = 2021", new=False) == "period = 2021"


def test_letters_of_a_script_without_blanks_are_found_and_nothing_of_it_is_new() -> None:
    name = ConstraintTerms("c1", "referent", "critical", {"name": "東京"}, None)
    pieces = judged_words("私は東京に行く", name, ["東京の人口は?"])
    assert [(piece.state, piece.text) for piece in pieces] == [
        ("same", "私は"), ("asked", "東京"), ("same", "に行く"),
    ]  # fmt: skip


def test_what_is_longer_than_any_search_is_shown_without_marks() -> None:
    [piece] = judged_words("2022 " * 10_000, TIME, [ASKED])
    assert piece.state == "same"


@given(st.text(max_size=60))
def test_the_pieces_joined_are_the_text(text: str) -> None:
    assert "".join(piece.text for piece in judged_words(text, TIME, [ASKED])) == text
