import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.registry import PartError
from evaluation.variations import Source, build_maker
from evaluation.variations.spelling import without_noise
from tests.evaluation.variations.typing_texts import LONG, REFUSED, texts_of, varied


@pytest.mark.parametrize(("text", "why"), REFUSED)
@pytest.mark.parametrize("mode", ["paper", "protect"])
def test_a_text_without_two_latin_words_is_refused(text: str, why: str, mode: str) -> None:
    made = varied("spelling", text, mode=mode)
    assert made.text is None
    assert why in made.why


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("Wer hat den Krieg gewonnen und warum?", True),
        ("Qui a gagn\u00e9 la guerre en 1945?", True),
        ("who sings la vie en rose", False),
        ("los angeles lakers roster 2010", False),
        ("total goals scored by ronaldo in la liga", False),
    ],
)
def test_another_language_gets_no_english_errors(text: str, refused: bool) -> None:
    assert ("not in English" in varied("spelling", text).why) is refused


@pytest.mark.parametrize("mode", ["paper", "protect"])
def test_words_that_nobody_misspells_are_refused(mode: str) -> None:
    made = varied("spelling", "xqzzt vvrrk", mode=mode)
    assert (made.text, made.attempts) == (None, 1)
    assert "list of misspellings" in made.why


def test_a_variation_says_what_it_is() -> None:
    made = varied("spelling", LONG)
    assert (made.kind, made.generator, made.version) == ("spelling", "spelling/paper", "1")
    assert [check.validator for check in made.checks] == ["error_made", "answer_not_leaked"]
    assert made.flags["edit_distance"] > 0
    assert made.edited


def test_parameters_that_change_the_text_change_the_generator() -> None:
    maker = build_maker("spelling", {"mode": "protect", "word_share": 0.1})
    assert maker.generator_name == "spelling/protect word_share=0.1"
    assert maker.describe()["libraries"] == {"nlpaug": "1.1.11"}


@pytest.mark.parametrize("share", [0.0, -0.1, 1.5])
def test_a_share_out_of_range_is_refused(share: float) -> None:
    with pytest.raises(PartError, match="word_share must be above 0 and at most 1"):
        build_maker("spelling", {"word_share": share})


def test_protection_leaves_names_numbers_and_polarity() -> None:
    text = 'Who made more films than Ann Lee, not the "long river" one, before 1999?'
    made = texts_of("spelling", text, "protect")
    assert made
    for one in made:
        for kept in ("Who", "more films than Ann Lee,", "not", '"long river"', "before 1999?"):
            assert kept in one


def test_a_text_of_protected_words_alone_is_refused() -> None:
    made = varied("spelling", "Not Before 1999", mode="protect")
    assert made.text is None


def test_an_answer_that_comes_in_is_rejected() -> None:
    source = Source("q1", "is it not late", ("no", "nod", "bot", "nt"))
    for seed in range(40):
        made = build_maker("spelling", {}).vary(source, seed=seed)
        assert made.text is None or not set(made.text.split()) & set(source.answers)


def test_cleaning_a_list_by_hand() -> None:
    noisy = {
        "the": ["[[th", "DE", "then", "teh", "th?"],
        "then": ["thn", "the"],
        "mist": ["not", "mist", "myst)"],
    }
    assert without_noise(noisy) == {"the": ["teh", "th"], "then": ["thn"], "mist": ["myst"]}


@given(st.lists(st.sampled_from(LONG.split()), min_size=2, max_size=9), st.integers(0, 50))
def test_a_variation_is_never_its_source(words: list[str], seed: int) -> None:
    text = " ".join(words)
    for mode in ("paper", "protect"):
        made = varied("spelling", text, mode=mode, seed=seed)
        assert made.text is None or made.text.split() != words
        assert (made.text is None) == bool(made.why)
        assert made == varied("spelling", text, mode=mode, seed=seed)
