"""Letters that turn the direction of words are shown apart."""

import re

import pytest

from annotation.templatetags.controls import seen


@pytest.mark.parametrize("letter", "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
def test_a_turning_letter_is_named_and_stays_in_the_text(letter: str) -> None:
    shown = seen(f"a{letter}b")
    assert f'data-name="U+{ord(letter):04X}"' in shown
    assert re.sub("<[^>]*>", "", shown) == f"a{letter}b"


@pytest.mark.parametrize("letter", "\u200e\u200f\u061c\u200d")
def test_marks_of_a_single_word_stay_as_they_are(letter: str) -> None:
    assert seen(f"a{letter}b") == f"a{letter}b"


def test_markup_in_the_text_stays_text() -> None:
    assert seen("<b>\u202e") == '&lt;b&gt;<span class="turns" data-name="U+202E">\u202e</span>'
