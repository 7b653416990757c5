import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.variations import Source, _nlpaug, build_maker
from evaluation.variations._nlpaug import Settings
from tests.evaluation.variations.typing_texts import LONG, REFUSED, texts_of, varied


@pytest.mark.parametrize(("text", "why"), REFUSED)
@pytest.mark.parametrize("mode", ["paper", "protect"])
def test_a_text_without_two_latin_words_is_refused(text: str, why: str, mode: str) -> None:
    made = varied("visual", text, mode=mode)
    assert made.text is None
    assert why in made.why


def test_a_text_without_lookalikes_is_refused() -> None:
    made = varied("visual", "am ate vane")
    assert (made.text, made.attempts) == (None, 1)
    assert "looks like another" in made.why


# The twelve confusions of the library's file, read both ways.
def test_lookalikes_go_both_ways() -> None:
    looks = _nlpaug._augmenter(Settings("visual", least_characters=2)).model.predict
    assert (looks("o"), looks("l"), looks("g")) == (["u", "0"], ["1"], ["9"])
    assert sorted(looks("0")) == ["8", "9", "D", "O", "o"]


def test_a_pass_that_changed_nothing_is_tried_again() -> None:
    # One word in four has a lookalike, and two of seven tokens are drawn.
    text = "ate vane ham mete name tone mane"
    made = [varied("visual", text, seed=seed) for seed in range(40)]
    assert any(one.attempts > 1 for one in made)
    assert all(one.text is None or one.text != text for one in made)
    assert any("No word came out changed." in r.why for one in made for r in one.rejected)


def test_what_never_changes_in_all_attempts_has_no_variation() -> None:
    maker = build_maker("visual", {})
    text = "ate vane ham mete name tone mane"
    made = [maker.vary(Source("q1", text), seed=seed, attempts=1) for seed in range(40)]
    failed = [one for one in made if one.text is None]
    assert failed
    assert {one.why for one in failed} == {"No word came out changed."}


def test_years_and_names_stand_in_protected_mode() -> None:
    for one in texts_of("visual", LONG, "protect"):
        assert "1999?" in one and "Oliver Fricker" in one and "before" in one
        assert len(one) == len(LONG)


def test_a_word_that_becomes_a_number_is_rejected_in_protected_mode() -> None:
    # "so" alone has lookalikes here, and with both of its letters changed it may become "80".
    maker = build_maker("visual", {"mode": "protect", "character_share": 1.0})
    made = [maker.vary(Source("q1", "ate so mane"), seed=seed) for seed in range(20)]
    assert {one.text for one in made} == {"ate 8u mane", None}
    rejected = {(one.text, one.why) for variant in made for one in variant.rejected}
    assert ("ate 80 mane", "The error changed a number.") in rejected


@given(st.lists(st.sampled_from(LONG.split()), min_size=2, max_size=9), st.integers(0, 50))
def test_a_variation_is_never_its_source(words: list[str], seed: int) -> None:
    for mode in ("paper", "protect"):
        made = varied("visual", " ".join(words), mode=mode, seed=seed)
        assert made.text is None or "".join(made.text.split()) != "".join(words)
        assert made == varied("visual", " ".join(words), mode=mode, seed=seed)
