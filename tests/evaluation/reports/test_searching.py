"""What words in a search box find."""

import json
import re

import pytest

from evaluation.reports.matrix.search_words import (
    is_plain,
    plain_part,
    text_pattern,
    value_pattern,
    words_of,
)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("  alder  foods ", ("alder", "foods")),
        ('"fiscal  year" 2022', ("fiscal year", "2022")),
        ('an "open quote', ("an", "open", "quote")),
        ("", ()),
    ],
)
def test_a_query_is_words_and_what_stands_in_quotes_is_one(
    query: str, words: tuple[str, ...]
) -> None:
    assert words_of(query) == words


# Unicode, CaseFolding.txt and UAX #15: what is folded or composed to the same is the same word.
@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("ÅRDAL", "in Årdal"),
        ("årdal", "in A\u030ardal"),
        ("a\u030ardal", "IN ÅRDAL"),
        ("straße", "HAUPTSTRASSE 3"),
        ("STRASSE", "Hauptstraße 3"),
        ("σίσυφος", "ΣΊΣΥΦΟΣ"),
        ("łódź", "ŁÓDŹ"),
        ("москва", "МОСКВА"),
        ("c++ (new)", "Uses C++ (New) only"),
    ],
)
def test_a_word_is_found_in_every_case_and_composition(word: str, text: str) -> None:
    assert re.search(text_pattern(word), text)
    assert re.search(text_pattern(word), json.dumps([text])), "as JSON escapes it"


@pytest.mark.parametrize(("word", "text"), [("a.c", "abc"), ("arda", "Årdal"), ("ss", "s s")])
def test_another_word_is_not_found(word: str, text: str) -> None:
    assert not re.search(text_pattern(word), text)


VALUE = {"name": 'Alder "North" Foods', "aliases": ["Årdal"], "value": 7000.0, "unresolved": False}


@pytest.mark.parametrize("word", ["alder", "årdal", "7000", "7,000", "foods"])
def test_what_a_value_says_is_found(word: str) -> None:
    assert re.search(value_pattern(word), json.dumps(VALUE))


@pytest.mark.parametrize("word", ["name", "aliases", "false", "unresolved", "value", "12"])
def test_the_names_of_a_values_fields_are_not_found(word: str) -> None:
    assert not re.search(value_pattern(word), json.dumps(VALUE))


@pytest.mark.parametrize(
    ("word", "part"),
    [("Company", "company"), ("Årdal", "rdal"), ("Straße", "stra"), ("masse", "ma"), ("łß", "")],
)
def test_the_plain_part_of_a_word_has_one_form(word: str, part: str) -> None:
    assert plain_part(word) == part
    assert is_plain(word) == (part == word.casefold())
