"""Typing errors corrected with the corpus's words and a dictionary."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.records import RequestText, Rewrite
from evaluation.registry import PartError
from evaluation.rewriters import build_rewriter
from evaluation.rewriters.typed_query import TypedQueryParameters, Vocabulary, correct, plain
from tests.evaluation.rewriters.corpus_views import ListView
from tests.real_data import corrector_measures
from tests.real_data.sources import is_here

NONE = Vocabulary({})


def corrected(text: str, **parameters: Any) -> Rewrite:
    part = build_rewriter("typed_query", parameters, generator=None, corpus=ListView())
    return part.rewrite(RequestText("r", text))


# The first five pairs are of Wikipedia's list of common misspellings.
@pytest.mark.parametrize(
    ("typed", "clean"),
    [
        ("recieve", "receive"),
        ("goverment", "government"),
        ("seperate", "separate"),
        ("definately", "definitely"),
        ("becuase", "because"),
        ("  Hpw  many, tiems?", "  How  many, times?"),
        ("the tiemtable of Norbry", "the timetable of Norrby"),
    ],
)
def test_a_misspelt_word_is_put_right_and_the_rest_stays(typed: str, clean: str) -> None:
    assert corrected(typed).queries == (clean,)


def test_what_was_corrected_is_noted() -> None:
    got = corrected("goverment tiems")
    assert got.kind == "standalone"
    assert got.notes == {"corrected": [["goverment", "government"], ["tiems", "times"]]}
    assert Rewrite.from_json(got.to_json()) == got


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What did Pnina Zyx say?",  # no words of English, but of the corpus
        "PNINA zyx's share",
        "the XJPR of 2022 was 4th",
        "iPhnoe and XJPRQ",
        "mail to jhon.smiht@exmaple.org or www.goverment.se",
        "B7tton ab",
        "wouldn't",
        "Did Mr Qwyrtzp speak?",  # a name that the corpus does not have
    ],
)
def test_what_is_no_misspelling_stays_letter_by_letter(text: str) -> None:
    got = corrected(text)
    assert (got.kind, got.queries, got.notes) == ("unchanged", (text,), {})


def test_a_word_of_the_corpus_wins_over_a_word_of_the_dictionary() -> None:
    words = Vocabulary({"silver": 5, "the": 50})
    assert correct("siver", words, TypedQueryParameters())[0] == "silver"
    assert correct("siver", NONE, TypedQueryParameters())[0] == "river"


def test_a_name_is_corrected_to_a_word_of_the_corpus_alone() -> None:
    assert corrected("Does Norbry have a rail?").queries == ("Does Norrby have a rail?",)
    assert corrected("Did Grameen Bannk pay?").queries == ("Did Grameen Bannk pay?",)


def test_two_edits_are_for_long_words_and_may_be_forbidden() -> None:
    assert corrected("timetabbel").queries == ("timetable",)
    assert corrected("timetabbel", distance=1).kind == "unchanged"


def test_a_slip_to_a_key_beside_decides_between_words_that_are_alike() -> None:
    words = Vocabulary({"bat": 1, "cat": 1})  # v is beside b and c on the keyboard; x only beside c
    only = TypedQueryParameters(corpus_share=1.0)
    assert correct("xat", words, only)[0] == "cat"


def test_without_a_corpus_it_is_described_and_does_not_rewrite() -> None:
    part = build_rewriter("typed_query", {}, generator=None)
    assert "pyspellchecker" in part.describe()["libraries"]
    with pytest.raises(PartError, match="looks into the corpus"):
        part.rewrite(RequestText("r", "x"))


@given(st.text(max_size=40))
def test_any_text_keeps_its_blanks_and_signs(text: str) -> None:
    got, pairs = correct(text, NONE, TypedQueryParameters(distance=1))
    assert (got == text) is not bool(pairs)
    assert [c for c in got if not c.isalpha()] == [c for c in text if not c.isalpha()]


@pytest.mark.skipif(not is_here("dl-typo"), reason="the public data lie beside the project")
def test_real_queries_against_recorded_checkers() -> None:
    """The recorded figures are the data's own columns: over these 39 queries Bing's checker
    restores 38, an earlier pyspellchecker 16. The one that is installed has a newer dictionary.
    """
    rows = {row.checker: row for row in corrector_measures.typo_table()}
    assert rows["pyspellchecker, as recorded"].restored == 16
    installed = rows["pyspellchecker, installed"]
    ours = rows["typed_query with HotpotQA's words"]
    assert installed.restored >= 16
    assert ours.restored >= installed.restored
    assert ours.harmed <= installed.harmed


def test_the_library_alone_is_at_hand_for_comparison() -> None:
    assert plain("how to recieve goverment mail") == "how to receive government mail"
