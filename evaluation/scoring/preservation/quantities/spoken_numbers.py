"""Numbers in words: "two hundred and fifty", "one and a half", "half a million", "a dozen"."""

from typing import NamedTuple

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.quantities.units import unit_at
from evaluation.scoring.preservation.text import Text

_SCALES = ("dozen", "hundred", "thousand", "million", "billion", "trillion")
_FRACTIONS = {"half": 0.5, "quarter": 0.25}


class Spoken(NamedTuple):
    """Where the words of a number end, and its value."""

    end: int
    value: float


def spoken_number(text: Text, at: int) -> Spoken | None:
    """Return the number that the words from `at` say, or None where they say none."""
    word = _word(text, at)
    if word not in lexicon.table("numbers") and word not in ("a", "an", *_FRACTIONS):
        return None  # nearly every word of a text, so this is looked at first
    return _part_of_scale(text, at) or _half_of_unit(text, at) or _whole(text, at)


def _word(text: Text, at: int) -> str:
    return text.words[at].text if at < len(text) else ""


def _joined(text: Text, at: int) -> bool:
    return at < len(text) and text.words[at].gap in ("", "-")


def _part_of_scale(text: Text, at: int) -> Spoken | None:
    """ "half a million", "a quarter of a million", "half a dozen"; a lone "half" is no number."""
    place = at + (_word(text, at) == "a")
    part = _FRACTIONS.get(_word(text, place))
    if part is None:
        return None
    place += 1
    place += _word(text, place) == "of"
    place += _word(text, place) in ("a", "one")
    scale = lexicon.table("scales").get(_word(text, place))
    if scale is None or _word(text, place) not in _SCALES:
        return None
    return Spoken(place + 1, part * float(scale))


def _half_of_unit(text: Text, at: int) -> Spoken | None:
    """ "half an hour"."""
    half = _word(text, at) == "half" and _word(text, at + 1) in ("a", "an")
    return Spoken(at + 2, 0.5) if half and unit_at(text, at + 2) else None


def _whole(text: Text, at: int) -> Spoken | None:
    place, total, group, seen = at, 0.0, 0.0, False
    if _word(text, at) in ("a", "an"):
        if _word(text, at + 1) not in _SCALES:
            return None
        place, group, seen = at + 1, 1.0, True
    while place < len(text) and (place == at or _joined(text, place)):
        word = _word(text, place)
        small = _small(text, place) if group == 0 or group % 100 == 0 else None
        if small and not (seen and word == "one" and group == 0):
            group, place, seen = group + small.value, small.end, True
        elif word in ("hundred", "dozen") and seen and 0 < group < 100:
            group, place = group * float(lexicon.table("scales")[word]), place + 1
        elif word in _SCALES[2:] and seen and group:
            total, group = total + group * float(lexicon.table("scales")[word]), 0.0
            place += 1
        elif word == "and" and seen and _continues(text, place + 1, total, group):
            place += 1
        else:
            break
    if not seen:
        return None
    value, place = _with_fraction(text, place, total + group)
    return Spoken(place, value)


def _continues(text: Text, at: int, total: float, group: float) -> bool:
    """Whether "and" goes on with a smaller part: "two hundred and fifty", not "five and six"."""
    small = _small(text, at)
    larger = group and group % 100 == 0 or not group and total
    return bool(small and larger and _word(text, small.end) not in _SCALES)


def _small(text: Text, at: int) -> Spoken | None:
    """A number below one hundred."""
    values = lexicon.table("numbers")
    word = _word(text, at)
    if word not in values:
        return None
    value, end = float(values[word]), at + 1
    unit = values.get(_word(text, end)) if _joined(text, end) else None
    if value >= 20 and unit and 0 < float(unit) < 10:
        return Spoken(end + 1, value + float(unit))
    return Spoken(end, value)


def _with_fraction(text: Text, place: int, value: float) -> tuple[float, int]:
    """ "two and a half": the half of one, before any scale word."""
    words = [_word(text, at) for at in range(place, place + 3)]
    if words[:2] == ["and", "a"] and words[2] in _FRACTIONS:
        value, place = value + _FRACTIONS[words[2]], place + 3
    elif words[:2] == ["and", "one"] and words[2] in _FRACTIONS:
        value, place = value + _FRACTIONS[words[2]], place + 3
    elif words[0] == "point" and (digit := lexicon.table("numbers").get(words[1])):
        value, place = value + float(digit) / 10, place + 2
    else:
        return value, place
    scale = lexicon.table("scales").get(_word(text, place))
    if scale and _word(text, place) in _SCALES:
        value, place = value * float(scale), place + 1
    return value, place
