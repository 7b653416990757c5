from hypothesis import given
from hypothesis import strategies as st

from contracts.word_diff import Piece, diffs, is_written_anew, word_diff

WORDS = st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1), max_size=12)


def states(pieces: tuple[Piece, ...]) -> list[tuple[str, str]]:
    return [(piece.state, piece.text) for piece in pieces]


def test_a_changed_word_is_shown_as_lost_and_new() -> None:
    assert states(word_diff("revenue before 2021", "revenue since 2021")) == [
        ("same", "revenue"),
        ("del", "before"),
        ("ins", "since"),
        ("same", "2021"),
    ]


def test_case_and_outer_punctuation_change_nothing() -> None:
    assert states(word_diff("Who leads it, in 2021?", "who leads it in 2021")) == [
        ("same", "who leads it in 2021")
    ]


def test_texts_in_another_order_mark_only_words_that_are_new() -> None:
    pieces = word_diff("what did the old pump of the works cost", "cost pump works Harrowfen")
    assert states(pieces) == [("same", "cost pump works"), ("ins", "Harrowfen")]


def test_a_text_without_deletions_for_its_distance_is_told_from_one_that_lost_nothing() -> None:
    asked = "What retention period does the draft policy of 2022 give?"
    assert is_written_anew(asked, "final policy 2022 retention")
    assert not is_written_anew(asked, f"{asked} And where?")


def test_several_sub_queries_show_no_lost_words() -> None:
    found = diffs("growth of Ash and Elm", ["growth of Ash", "growth of Elm"])
    assert not any(piece.state == "del" for pieces in found for piece in pieces)


@given(WORDS, WORDS)
def test_the_rewrite_can_always_be_read_off_the_pieces(asked: list[str], new: list[str]) -> None:
    pieces = word_diff(" ".join(asked), " ".join(new))
    assert " ".join(p.text for p in pieces if p.state != "del").split() == " ".join(new).split()
