from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.registry import PartError
from evaluation.variations import Source, checks
from evaluation.variations.checks import (
    adds_nothing,
    answer_not_leaked,
    differs,
    facts_kept,
    length_like,
    like_the_source,
    names,
    quoted,
    shared_checks,
)


def of(text: str, *answers: str) -> Source:
    return Source("q1", text, answers)


def test_white_space_makes_no_other_text() -> None:
    assert not differs(of("Who  won\nit?"), " Who won it? ").passed
    assert differs(of("Who won it?"), "Who won it").passed


@pytest.mark.parametrize(
    ("source", "text", "missing"),
    [
        ("Who won in 1915?", "I want to know who won in 1915.", []),
        ("Who won in 1915?", "I want to know who won in 1951.", ["1915"]),
        ("What is 3.5 of 1,000?", "Tell me 3.5 of 1000.", ["1,000"]),
        ("Who sang \u201cHey Jude\u201d?", 'Name who sang "Hey Jude".', []),
        ('Who sang "Hey Jude"?', "Name who sang Hey Judy.", ['"Hey Jude"', "Jude"]),
        ("Did Tesla meet Ford?", "whether tesla met ford", []),
        ("Did Tesla meet Ford?", "whether he met Ford", ["Tesla"]),
        ("What is Tesla's age?", "the age of Tesla", []),
        ("Tesla died when?", "When did he die?", ["Tesla"]),
        ("Didn't it end?", "whether it did not end", []),
        ("Is NASA in the US?", "whether NASA is in the US", []),
    ],
)
def test_numbers_quotations_and_names_are_kept(source: str, text: str, missing: list[str]) -> None:
    check = facts_kept(of(source), text)
    assert (check.passed, check.values["missing"]) == (not missing, missing)


def test_the_sentence_says_what_is_missing() -> None:
    assert facts_kept(of("Did Ford win in 1915?"), "Did he win?").why == (
        "It lacks what the request has: 1915, Ford."
    )


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("I want to know who met Ford.", []),
        ("In 1915, who met Ford?", ["1915"]),
        ("Who met Henry Ford?", ["Henry"]),
        ("Name the person that met Ford.", []),
    ],
)
def test_nothing_is_added(text: str, added: list[str]) -> None:
    assert adds_nothing(of("Who met Ford?"), text).values["added"] == added


@pytest.mark.parametrize(
    ("source", "answers", "text", "passed"),
    [
        ("Who won?", ("The Broncos",), "Who of the broncos won?", False),
        ("Did the Broncos win?", ("Broncos",), "whether the Broncos won", True),
        ("Who won?", ("art",), "the earth won", True),  # tokens, not parts of words
        ("Who won?", ("The", "..."), "the winner", True),  # nothing is left of these answers
        ("Who won?", (), "Broncos", True),
    ],
)
def test_no_answer_comes_in(source: str, answers: tuple[str, ...], text: str, passed: bool) -> None:
    assert answer_not_leaked(of(source, *answers), text).passed is passed


def test_the_reason_does_not_tell_the_answer() -> None:
    said = answer_not_leaked(of("Who won?", "Zanzibar"), "Did Zanzibar win?").to_json()
    assert not said["passed"] and "Zanzibar" not in str(said)


def test_length_is_recorded_and_decides_nothing() -> None:
    check = length_like(of("one two three four"), "one two three four five")
    assert (check.passed, check.decides, check.values["change"]) == (False, False, 0.25)


class Turning:
    """Embeds the first text at 0 degrees and the second where the cosine is 0.6."""

    def model(self) -> dict[str, Any]:
        return {"name": "turning"}

    def embed(self, texts: list[str]) -> Any:
        return np.asarray([[1.0, 0.0], [0.6, 0.8]], dtype=np.float32)


def test_likeness_is_triage_alone() -> None:
    check = like_the_source(of("a b"), "c d", Turning())
    assert check is not None
    assert (check.passed, check.decides) == (False, False)
    assert check.values == {"cosine": 0.6, "model": {"name": "turning"}}


def test_without_a_model_no_likeness_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> None:
        raise PartError("There is no model.")

    monkeypatch.setattr("evaluation.retrieval.embedding.Encoder", missing)
    assert like_the_source(of("a b"), "c d") is None
    assert "similarity" not in {c.validator for c in shared_checks(of("a b"), "c", similarity=True)}


def test_every_check_is_named_and_versioned() -> None:
    made = shared_checks(of("Who won?"), "Tell me who won.")
    assert [(c.validator, c.version, c.decides) for c in made] == [
        ("not_empty", "1", True),
        ("differs", "1", True),
        ("facts_kept", "1", True),
        ("negation_kept", "1", True),
        ("answer_not_leaked", "1", True),
    ]


def test_names_and_quotations() -> None:
    assert names("Where did McCartney's band, Wings, play? In Rome.") == [
        "McCartney",
        "Wings",
        "Rome",
    ]
    assert quoted("the 'one' isn't \u201ctwo\u201d, it's \"three\"") == ["one", "two", "three"]
    assert quoted("the \u00abone\u00bb and \u2018two\u2019") == ["one", "two"]


@pytest.mark.parametrize(
    ("source", "text", "kept"),
    [
        ("Which team did not win?", "Which team won?", False),
        ("Which team won?", "Which team didn't win?", False),
        ("Which team won?", "which team didnt win", False),
        ("Which team did not win?", "Which team failed to win?", True),
        ("Which film is without sound?", "Which film is soundless?", True),
        ("Which international team did not win?", "Which international team won?", False),
        ("Why isn't it open?", "I want to know why it is not open.", True),
        ("Who won?", "No idea who won, who was it?", True),
        ("Who won?", "Don\u2019t know who won, d'you?", True),
        ("Who won?", "I want to know who won.", True),
    ],
)
def test_a_negation_neither_goes_nor_comes(source: str, text: str, kept: bool) -> None:
    assert checks.negation_kept(of(source), text).passed is kept


def test_capitals_alone_name_nothing() -> None:
    assert names("WHO WON THE RACE IN 1990?") == []
    assert facts_kept(of("WHO WON IN 1990?"), "Who won ON 1990?").passed


@given(st.text(), st.text())
def test_any_two_texts_are_checked(source: str, text: str) -> None:
    for check in (*shared_checks(of(source, text), text), adds_nothing(of(source), text)):
        assert check.passed == (not check.why)


@given(st.text())
def test_a_text_keeps_its_own_facts(text: str) -> None:
    assert facts_kept(of(text), text).passed and adds_nothing(of(text), text).passed


def test_the_module_loads_no_model() -> None:
    assert not hasattr(checks, "Encoder")
