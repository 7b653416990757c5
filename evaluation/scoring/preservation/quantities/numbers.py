"""Finding quantities in a text: number, operator, unit, currency and aggregation."""

from collections.abc import Container
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isclose

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.quantities.currencies import (
    CURRENCY_FAMILIES,
    UNKNOWN_CURRENCY,
    currency_after,
    currency_before,
    nation_after,
)  # fmt: skip
from evaluation.scoring.preservation.quantities.shares import spoken_share
from evaluation.scoring.preservation.quantities.spoken_numbers import spoken_number
from evaluation.scoring.preservation.quantities.units import Measure as Measure
from evaluation.scoring.preservation.quantities.units import measure as measure
from evaluation.scoring.preservation.quantities.units import unit_at
from evaluation.scoring.preservation.text import Text, read_text, stem

SIGNS = ("<", "<=", ">", ">=", "=", "~")
FLIPPED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_NO_LABELS = ("months", "stopwords", "openers")
# Scales whose name stands before the number.
_SCALES = ("ph", "age", "grade", "level", "magnitude", "category", "size", "score", "class")
_NEGATIONS = ("not", "no", "never")
# Words after a bare age that begin something else.
_BEHIND_AGE = frozenset(("without", "since", "before", "after", "until", "during", "not", "except"))


@dataclass(frozen=True, slots=True)
class QuantityMention:
    """Words `first` up to `end` that name a number. `operator` is "" when none is said, `high` the
    upper end of a range.

    `unit` is None without a known unit; `noun` is the stem of the word after the number, for
    counted things, and `noun_before` that of the one before it and its operator ("seats: 4").
    `ambiguous` marks "1.200", which is 1.2 or 1200, `share` a percentage said as "two thirds".
    """

    first: int
    end: int
    value: float
    operator: str
    high: float | None = None
    unit: Measure | None = None
    noun: str = ""
    currency: str | None = None
    ambiguous: bool = False
    at: int = 0
    noun_before: str = ""
    share: bool = False


def find_quantities(text: Text, taken: Container[int] = ()) -> list[QuantityMention]:
    """Return the quantities of a text from left to right. `taken` holds word indexes that belong to
    dates or names and are no quantities."""
    return _quantities(text, taken) if taken else list(_all_quantities(text))


@lru_cache(maxsize=256)  # a request is read again for each number of a rewrite
def _all_quantities(text: Text) -> tuple[QuantityMention, ...]:
    return tuple(_quantities(text, ()))


def _quantities(text: Text, taken: Container[int]) -> list[QuantityMention]:
    mentions: list[QuantityMention] = []
    at = 0
    while at < len(text):
        found = None if at in taken else _mention_at(text, at, taken)
        if found:
            joined = _one_measure(text, mentions[-1], found) if mentions else None
            mentions[-1:] = [joined] if joined else [*mentions[-1:], found]
            at = max(found.end, at + 1)
        else:
            at += 1
    return mentions


def _one_measure(
    text: Text, one: QuantityMention, other: QuantityMention
) -> QuantityMention | None:
    """ "1 h 30 min" and "2 years and 6 months" are one quantity, in the larger unit."""
    between = [word.text for word in text.words[one.end : other.first]]
    if between not in ([], ["and"]) or one.unit is None or other.unit is None:
        return None
    if one.high is not None or other.high is not None or other.operator:
        return None
    apart = one.unit.dimension != other.unit.dimension or one.unit.factor <= other.unit.factor
    if apart or one.unit.offset or other.value * other.unit.factor >= one.unit.factor:
        return None
    value = one.value + other.value * other.unit.factor / one.unit.factor
    return replace(one, end=other.end, value=value)


# ---------------------------------------------------------------- numbers


@dataclass(frozen=True, slots=True)
class _Number:
    end: int
    value: float
    ambiguous: bool = False
    share: bool = False


def _digits(text: Text, at: int) -> _Number | None:
    if at >= len(text) or not text.words[at].is_number:
        return None
    raw = text.words[at].text.replace("\u00a0", "").replace("\u202f", "").replace(" ", "")
    ambiguous = at > 0 and text.words[at - 1].text == "half"
    if raw.count(".") > 1:
        raw = raw.replace(".", "")
    elif "," in raw and "." not in raw and len(raw.rpartition(",")[2]) != 3:
        raw = raw.replace(",", ".")
    elif "." in raw and len(raw.rpartition(".")[2]) == 3 and not raw.startswith("0"):
        ambiguous = True
    try:
        return _Number(at + 1, float(raw.replace(",", "")), ambiguous)
    except ValueError:
        return None


def _number(text: Text, at: int) -> _Number | None:
    found = _digits(text, at)
    if found is None:
        if share := spoken_share(text, at):
            return _Number(share.end, share.value, share=True)
        spoken = spoken_number(text, at)
        return _Number(spoken.end, spoken.value) if spoken else None
    end, value = found.end, found.value
    while end < len(text) and (scale := lexicon.table("scales").get(text.words[end].text)):
        word = text.words[end]
        # "7m" may be metres: a lone letter scales only beside a currency.
        if len(word.text) == 1 and not (word.adjacent and currency_before(text, at)):
            if word.text != "k" or not word.adjacent:
                break
        value, end = value * float(scale), end + 1
    return _Number(end, value, found.ambiguous)


# ---------------------------------------------------------------- unit, currency, operator


def _mention_at(text: Text, at: int, taken: Container[int]) -> QuantityMention | None:
    number = _number(text, at)
    if number is None or _is_label(text, at):
        return None
    first, end, high = at, number.end, None
    before = currency_before(text, at)
    if before:
        first = before.first
    middle, end_of_first_unit = end, _skip_unit(text, end)
    upper = _upper(text, middle, taken) or _upper(text, end_of_first_unit, taken)
    if upper:
        high, end = upper.value, upper.end
    unit = measure("%") if number.share else None
    after = None if unit else currency_after(text, end)
    if after:
        end = after.end
    elif unit is None and (found := unit_at(text, end)):
        if not (found[0] == end + 1 and text.words[end].text in ("a",)):
            end, unit = found
    currency = after or before
    if currency and currency.meaning in CURRENCY_FAMILIES and nation_after(text, end):
        currency = currency._replace(meaning=UNKNOWN_CURRENCY)
    operator, opened = _before(text, first)
    scale = ""
    if not operator and first == at and _scale_before(text, at):
        operator, opened = _before(text, at - 1)
        scale, opened = text.words[at - 1].stem, opened if operator else first
    if unit is None and currency is None and _of_age(text, opened, first, end):
        unit = measure("years")
    closing, closed = _after(text, end, skip=not unit)
    behind = closed if closing and closed > end else end
    noun = text.words[behind].stem if unit is None and behind < len(text) else ""
    if (
        closing
        and closed > end + 1
        and lexicon.phrases("operators_after").starting_at(text, end + 1)
    ):
        noun = text.words[end].stem
    if scale and operator and unit is None and not currency:
        noun = scale
    if high is not None and operator in ("", "between", "="):
        operator = "between"
    if closing:
        operator = closing
    if operator == "between" and high is None:
        operator = ""
    return QuantityMention(
        first=min(opened, first),
        end=closed if closing else end,
        value=number.value,
        operator=operator,
        high=high,
        unit=unit,
        noun=noun,
        currency=currency.meaning if currency else None,
        ambiguous=number.ambiguous,
        at=at,
        noun_before=text.words[min(opened, first) - 1].stem if min(opened, first) else "",
        share=number.share,
    )


def _of_age(text: Text, opened: int, first: int, end: int) -> bool:
    """Whether a bare number is one of years: "younger than 16", and not "older than 2 oaks"."""
    if opened >= first or text.words[opened].text not in ("younger", "older", "aged"):
        return False
    if end >= len(text) or text.words[end].gap not in ("", "-"):
        return True
    return text.words[end].text in lexicon.words("stopwords") | _BEHIND_AGE


def _skip_unit(text: Text, at: int) -> int:
    found = lexicon.phrases("currencies").starting_at(text, at)
    unit = unit_at(text, at)
    return found.end if found else unit[0] if unit else at


def _upper(text: Text, at: int, taken: Container[int]) -> _Number | None:
    """The upper end of "200 to 500", "€200-€500", "between 200 and 500"."""
    if at >= len(text) or at in taken:
        return None
    dash = text.words[at].gap in ("-", "–", "—")
    joined = int(text.words[at].text in ("to", "and"))
    if text.words[at].text == "up" and at + 1 < len(text) and text.words[at + 1].text == "to":
        joined = 2
    if not dash and not joined:
        return None
    if text.words[at].text == "and":
        opening = [w.text for w in text.words[max(0, at - 5) : at]]
        if "between" not in opening:
            return None
    start = at + joined
    currency = lexicon.phrases("currencies").starting_at(text, start)
    start = currency.end if currency else start
    return None if start in taken else _number(text, start)


def _is_label(text: Text, at: int) -> bool:
    """A number glued to letters, or right after a capitalised word ("Bench 3", "F1"), is a name."""
    word = text.words[at]
    if not word.is_number or at == 0:
        return False
    previous = text.words[at - 1]
    currency = currency_before(text, at)
    if currency:
        return False
    if word.adjacent and not previous.is_number and previous.text.isalpha():
        return True
    ordinary = any(previous.text in lexicon.words(name) for name in _NO_LABELS) or bool(
        lexicon.phrases("operators_before").ending_at(text, at)
    )
    measured = unit_at(text, at + 1) or lexicon.phrases("currencies").starting_at(text, at + 1)
    small = word.raw.isdecimal() and len(word.raw) < 4
    return previous.capital and small and word.gap == "" and not ordinary and not measured


def _before(text: Text, at: int) -> tuple[str, int]:
    """The operator right before a number or its currency, and where it begins."""
    if at and text.words[at - 1].text in SIGNS:
        sign = text.words[at - 1].text
        return ("about" if sign == "~" else sign), at - 1
    for skipped in (0, 1):
        place = at - skipped
        if skipped and (place < 1 or text.words[place].text not in ("a", "an", "the", "of")):
            continue
        found = lexicon.phrases("operators_before").ending_at(text, place)
        if found:
            return _negated(text, found)
        general = _comparative(text, place)
        if general:
            return _negated(text, general)
    return "", at


def _scale_before(text: Text, at: int) -> bool:
    """Whether the name of a scale stands before a number: "below pH 9", "under age 14"."""
    return at > 0 and text.words[at - 1].stem in _SCALES and text.words[at].gap == ""


def _comparative(text: Text, at: int) -> lexicon.Found | None:
    """ "<adjective>er than" that no list knows: a bound whose side is not certain."""
    if at >= 2 and text.words[at - 1].text == "than" and text.words[at - 2].text.endswith("er"):
        return lexicon.Found(at - 2, at, "?")
    return None


def _negated(text: Text, found: lexicon.Found) -> tuple[str, int]:
    before = text.words[found.first - 1].text if found.first else ""
    if before in _NEGATIONS and found.meaning in FLIPPED:
        return FLIPPED[found.meaning], found.first - 1
    return found.meaning, found.first


def _after(text: Text, end: int, *, skip: bool) -> tuple[str, int]:
    """The operator after a number, its unit, or one counted noun ("8 people or more", "8+")."""
    if text.raw[text.words[end - 1].end :][:1] == "+":
        return ">=", end
    places = [end, end + 1] if skip or _closes_after_noun(text, end) else [end]
    if end < len(text) and text.words[end].text in ("per", "a", "an", "of"):
        places.append(end + 2)  # "2.40 euros per kilometre or less", "two thirds of votes or more"
    for place in places:
        found = lexicon.phrases("operators_after").starting_at(text, place)
        if found:
            following = text.words[found.end].is_number if found.end < len(text) else False
            # In "A at least 5" the words belong to the number that follows.
            if not following or text.words[found.first].text in ("or", "and", "plus"):
                return found.meaning, found.end
    return "", end


def _closes_after_noun(text: Text, end: int) -> bool:
    """Whether "or more" ends a clause one noun after a number with its unit ("30% turnout or
    more"); in "or more votes" it belongs to what follows."""
    ahead = text.words[end : end + 4]
    if len(ahead) < 3 or ahead[1].text != "or" or any(word.gap for word in ahead[:3]):
        return False
    return not ahead[3:] or bool(ahead[3].gap) or ahead[3].text in lexicon.words("stopwords")


# ---------------------------------------------------------------- comparison


def same_number(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


def unit_noun(name: str | None) -> str:
    """The stem of a unit's first word: what stands right after the number."""
    text = read_text(name or "")
    return stem(text.words[0].text) if len(text) else ""
