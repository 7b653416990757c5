import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.registry import PartError
from evaluation.variations import build_maker
from tests.evaluation.variations.typing_texts import LONG, REFUSED, texts_of, varied


@pytest.mark.parametrize(("text", "why"), REFUSED)
@pytest.mark.parametrize("mode", ["paper", "protect"])
def test_a_text_without_two_latin_words_is_refused(text: str, why: str, mode: str) -> None:
    made = varied("keyboard", text, mode=mode)
    assert made.text is None
    assert why in made.why


def test_words_of_three_letters_get_no_error() -> None:
    made = varied("keyboard", "who won the cup")
    assert (made.text, made.attempts) == (None, 1)
    assert "at least four letters" in made.why


def test_symbols_digits_and_capitals_come_in_by_default() -> None:
    letters = set("".join(texts_of("keyboard", "language of the mountain people")))
    assert letters & set("!@#$%^&*()")
    assert letters & set("0123456789")
    assert any(map(str.isupper, letters))


def test_protected_mode_hits_lower_case_letters_only() -> None:
    made = texts_of("keyboard", LONG, "protect")
    for one in made:
        assert "1999?" in one and "Oliver Fricker" in one and "before" in one
        assert len(one) == len(LONG)
        assert [c for c in one if not c.islower()] == [c for c in LONG if not c.islower()]


def test_the_share_of_characters_is_a_parameter() -> None:
    gentle = build_maker("keyboard", {"character_share": 0.1, "word_share": 0.2})
    assert gentle.generator_name == "keyboard/paper word_share=0.2 character_share=0.1"
    with pytest.raises(PartError, match="character_share must be above 0"):
        build_maker("keyboard", {"character_share": 0})


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(PartError, match="one of 'paper', 'protect'"):
        build_maker("keyboard", {"mode": "gentle"})


@given(st.lists(st.sampled_from(LONG.split()), min_size=2, max_size=9), st.integers(0, 50))
def test_a_variation_is_never_its_source(words: list[str], seed: int) -> None:
    for mode in ("paper", "protect"):
        made = varied("keyboard", " ".join(words), mode=mode, seed=seed)
        assert made.text is None or "".join(made.text.split()) != "".join(words)
        assert made == varied("keyboard", " ".join(words), mode=mode, seed=seed)
