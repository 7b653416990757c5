"""Numbers in words, units of measurement, and slips in the small words that carry a bound."""

import pytest

from evaluation.scoring.preservation.quantities.numbers import find_quantities
from evaluation.scoring.preservation.quantities.spoken_numbers import spoken_number
from evaluation.scoring.preservation.quantities.units import measure
from evaluation.scoring.preservation.slips import SLIPS
from evaluation.scoring.preservation.text import read_text


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("two hundred and fifty", 250),
        ("one hundred twenty-three thousand four hundred and five", 123_405),
        ("half a million", 500_000),
        ("a quarter of a million", 250_000),
        ("two and a half million", 2_500_000),
        ("two dozen", 24),
        ("nineteen hundred", 1_900),
        ("one point five", 1.5),
    ],
)
def test_a_number_in_words_is_read_whole(words: str, value: float) -> None:
    text = read_text(words)
    assert spoken_number(text, 0) == (len(text), value)


@pytest.mark.parametrize("words", ["half", "a dog", "hundredweight", "five and six"])
def test_words_beside_a_number_are_no_part_of_it(words: str) -> None:
    found = spoken_number(read_text(words), 0)
    assert found is None or found == (1, 5)


# Exact by definition: the international yard and pound of 1959, and the scales of temperature.
@pytest.mark.parametrize(
    ("one", "number", "other", "same"),
    [
        ("mile", 1, "m", 1609.344),
        ("lb", 1, "kg", 0.45359237),
        ("acre", 1, "m2", 4046.8564224),
        ("nautical mile", 1, "m", 1852),
        ("degrees Fahrenheit", 41, "degrees Celsius", 5),
        ("kWh", 1, "MJ", None),
        ("basis points", 40, "percentage points", 0.4),
        ("years", 1.5, "months", 18),
        ("km/h", 36, "m/s", 10),
    ],
)
def test_a_unit_is_converted_exactly(
    one: str, number: float, other: str, same: float | None
) -> None:
    first, second = measure(one), measure(other)
    assert first is not None and second is not None
    if same is None:
        assert first.dimension != second.dimension
    else:
        assert first.dimension == second.dimension
        assert first.base(number) == pytest.approx(second.base(same), rel=1e-12)


@pytest.mark.parametrize(
    ("text", "value"),
    [("under 1 h 30 min", 1.5), ("2 years and 6 months", 2.5), ("5 ft 6 in", 5.0)],
)
def test_a_measure_in_two_units_is_one_quantity(text: str, value: float) -> None:
    assert find_quantities(read_text(text))[0].value == value


@pytest.mark.parametrize(
    ("slip", "word"), [("tahn", "than"), ("witout", "without"), ("excpetion", "exception")]
)
def test_a_slip_in_a_small_word_is_read_as_the_word(slip: str, word: str) -> None:
    assert [one.text for one in read_text(slip).words] == [word]


@pytest.mark.parametrize("word", ["later", "sorter", "form", "expect", "loner", "Tahn", "quiet"])
def test_another_word_or_a_name_is_no_slip(word: str) -> None:
    assert [one.text for one in read_text(word).words] == [word.casefold()]


def test_no_word_that_a_list_knows_is_a_slip() -> None:
    from evaluation.scoring.preservation import lexicon

    known = {
        word
        for path in lexicon.FOLDER.glob("*.txt")
        for words, _ in lexicon.phrases(path.stem).entries
        for word in words
    }
    assert not known & set(SLIPS)
