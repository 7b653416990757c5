"""The words that decided a constraint are marked in a rewrite's difference to the request."""

import pytest

from contracts.word_diff import word_diff
from evaluation.reports.case.marks import MarkedPiece, Quote, marked_pieces, marked_text

ASKED = "What was the revenue of Alder Foods in fiscal year 2022?"


def plain(pieces: tuple[MarkedPiece, ...]) -> str:
    return " ".join("".join(part.text for part in piece.parts) for piece in pieces)


def marked(pieces: tuple[MarkedPiece, ...]) -> list[tuple[str, str, str]]:
    return [
        (piece.state, part.kind, part.text) for piece in pieces for part in piece.parts if part.kind
    ]


def test_the_texts_stay_as_the_difference_has_them() -> None:
    pieces = word_diff(ASKED, "revenue Alder Foods 2021")
    found = marked_pieces(pieces, [Quote(1, "time", "2021", "altered")])
    assert plain(found) == " ".join(piece.text for piece in pieces)


def test_an_altered_constraint_is_told_from_a_kept_one() -> None:
    pieces = word_diff(ASKED, "What was the revenue of Alder Foods in fiscal year 2021?")
    quotes = [Quote(1, "referent", "Alder Foods", "stated"), Quote(2, "time", "2021", "altered")]
    found = marked_pieces(pieces, quotes)
    assert marked(found) == [("same", "referent", "Alder Foods"), ("ins", "time", "2021")]
    outcomes = {part.text: (part.outcome, part.ends) for piece in found for part in piece.parts}
    assert outcomes["2021"] == ("altered", (2,)) and outcomes["Alder Foods"] == ("", (1,))


def test_a_quote_over_two_pieces_ends_once() -> None:
    pieces = word_diff(ASKED, "What was the revenue of Alder Foods in calendar year 2022?")
    found = marked_pieces(pieces, [Quote(1, "time", "in calendar year 2022", "altered")])
    assert [text for _state, _kind, text in marked(found)] == ["in", "calendar", "year 2022"]
    assert [part.ends for piece in found for part in piece.parts if part.ends] == [(1,)]


def test_what_the_rewrite_does_not_have_is_never_marked() -> None:
    pieces = word_diff(ASKED, "What was the revenue of Alder Foods?")
    assert marked(marked_pieces(pieces, [Quote(2, "time", "2022", "stated")])) == []


@pytest.mark.parametrize(
    ("text", "quote", "place"),
    [
        ("before 2021 and 2021", "2021", "before "),
        ("unapproved or approved", "approved", "unapproved or "),
        ("two  words", "two words", ""),
        ("(a+b)*", "(a+b)*", ""),
        ("料金は2021年", "2021", "料金は"),
    ],
)
def test_a_quote_is_found_as_whole_words_first(text: str, quote: str, place: str) -> None:
    [piece] = marked_text(" ".join(text.split()), [Quote(1, "time", quote, "stated")])
    before = [part.text for part in piece.parts]
    at = next(n for n, part in enumerate(piece.parts) if part.kind)
    assert "".join(before[:at]) == place


def test_quotes_over_each_other_are_both_there() -> None:
    quotes = [Quote(1, "referent", "Alder Foods", "stated"), Quote(2, "status", "Foods", "stated")]
    [piece] = marked_text("of Alder Foods today", quotes)
    assert [(part.text, part.ends) for part in piece.parts if part.kind] == [
        ("Alder ", ()),
        ("Foods", (1, 2)),
    ]


@pytest.mark.parametrize("quote", ["", "   ", "nowhere"])
def test_a_quote_that_does_not_stand_there_marks_nothing(quote: str) -> None:
    assert marked(marked_text("some words", [Quote(1, "time", quote, "stated")])) == []
