"""What words say about a quantity: operator, number, unit, currency and aggregation. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any

from contracts import language as languages

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*", re.ASCII)
# One point before three digits may part thousands; so may one comma outside English.
_THOUSANDS_OR_PARTS = re.compile(r"(?!0\.)\d{1,3}\.\d{3}")
_DECIMAL_COMMA = re.compile(r"\d+,(?!\d{3}$)\d+|\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}")
_BEFORE = {
    "": "=", "exactly": "=", "precisely": "=", "genau": "=", "exactement": "=",
    "at least": ">=", "no less than": ">=", "not less than": ">=", "no fewer than": ">=",
    "a minimum of": ">=", "minimum": ">=", "mindestens": ">=", "au moins": ">=", "al menos": ">=",
    "at most": "<=", "up to": "<=", "no more than": "<=", "not more than": "<=",
    "a maximum of": "<=", "maximum": "<=", "höchstens": "<=", "bis zu": "<=", "au plus": "<=",
    "more than": ">", "over": ">", "above": ">", "greater than": ">", "exceeding": ">",
    "higher than": ">", "mehr als": ">", "über": ">", "plus de": ">", "más de": ">",
    "less than": "<", "fewer than": "<", "under": "<", "below": "<", "lower than": "<",
    "weniger als": "<", "unter": "<", "moins de": "<", "menos de": "<",
    "about": "about", "around": "about", "approximately": "about", "roughly": "about",
    "circa": "about", "etwa": "about", "rund": "about", "ungefähr": "about", "environ": "about",
}  # fmt: skip
_AFTER = re.compile(r"(?i)\b(?:or|and) (more|above|over|less|fewer|below|under)$")
_SHORT = {"k": 3, "mn": 6, "bn": 9}
# A metre or a million, bytes or a billion: with a currency before the number it is plain.
_WITH_CURRENCY = {"m": 6, "b": 9}
_ERAS = frozenset("ad bc ce bce a.d b.c c.e b.c.e".split())  # the number is a year
_PERCENT = ("%", "percent", "per cent", "prozent")
# What may stand on a number without a blank; a bare "m" is metres or million.
_ATTACHED = frozenset("kg km cm mm kw mw gw kwh mwh gwh k mn bn % °c".split())
_NO_UNIT = frozenset(
    "a about after and as at before by for from in into is it more not of off on or per than that "
    "the then this to until was with und oder von im pro et ou de en y o".split()
)
_AGGREGATES = (
    ("average", r"an? (?:average|mean) of|on average|in average|average|avg\.?|mean"),
    ("median", r"an? median of|median"),
    ("total", r"an? total of|in total|in all|altogether|total"),
    ("annual", r"per year|per annum|p\.a\.|a year|annually|annual|yearly|each year|every year"),
    ("quarterly", r"per quarter|a quarter|quarterly|each quarter|every quarter"),
    ("monthly", r"per month|a month|monthly|each month|every month"),
    ("cumulative", r"cumulatively|cumulative|cumulated"),
    ("count", r"how many|the number of|number of"),
)
_TIMES = frozenset("second minute hour day week month quarter year decade century s h".split())
_ONES = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
_NUMBER_WORD = (
    "(?:" + "|".join((_ONES + "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty "
    "seventy eighty ninety hundred thousand million billion").split()) + ")"
)  # fmt: skip
_SPELT = re.compile(rf"(?i)\b{_NUMBER_WORD}(?:(?:\s|-|\sand\s){_NUMBER_WORD})*\b")


@dataclass(frozen=True, slots=True)
class _Measure:
    """What follows a number."""

    scale: int = 0  # a power of ten
    unit: str | None = None
    currency: str | None = None


def first_quantity(words: str, language: str | None) -> dict[str, Any]:
    """Return the operator, value, upper end, unit, currency and aggregation that the words say
    plainly.
    """
    words, aggregation = _without_aggregation(_in_digits(words.strip(), language))
    found = list(_NUMBER.finditer(words))
    if not found:
        return _present(aggregation=aggregation)
    if len(found) > 2:
        return {}
    value = _range(words, found, language) if len(found) == 2 else _one(words, found[0], language)
    return value | _present(aggregation=aggregation) if "value" in value else value


def _one(words: str, number: re.Match[str], language: str | None) -> dict[str, Any]:
    before, after = words[: number.start()], words[number.end() :]
    plain = _plain(number.group(), language)
    words_before, sign = _currency_before(before)
    if plain is None or not _stands_alone(before, after, bool(sign)):
        return {}
    if words_before.endswith(("minus", "negative")):
        return {}
    tail, said_after = _operator_after(after)
    tail, each = _per(tail)
    measure = _measure(tail, language, with_currency=bool(sign))
    if measure is None:
        return {}
    value: dict[str, Any] = {"value": float(plain.scaleb(measure.scale))}
    return value | _present(
        operator=_operator(words_before, said_after),
        unit=measure.unit,
        currency=(sign if sign != "?" else None) or measure.currency,
        aggregation=each,
    )


def _range(words: str, found: Sequence[re.Match[str]], language: str | None) -> dict[str, Any]:
    """Two numbers are plain only as "between 5 and 10 %"."""
    low, high = found
    before, middle = words[: low.start()], words[low.end() : high.start()]
    after = words[high.end() :]
    lowest, highest = _plain(low.group(), language), _plain(high.group(), language)
    lead, sign = _currency_before(before)
    joined, second = _currency_before(middle)
    scaled, _, last = joined.rpartition(" ")
    pairs = {("between", "and"), ("zwischen", "und"), ("entre", "et"), ("entre", "y")}
    if (lead, last) not in pairs or not _stands_alone(before, after, bool(sign)):
        return {}
    upper = _measure(after, language, with_currency=bool(sign or second))
    lower = _measure(scaled, language, with_currency=bool(sign))
    if lowest is None or highest is None or upper is None or lower is None:
        return {"operator": "between"}
    # "between 5 and 10 million" leaves open whether the first is millions too.
    if bool(upper.scale) != bool(lower.scale) or lower.unit not in (None, upper.unit):
        return {"operator": "between"}
    ends = [float(lowest.scaleb(lower.scale)), float(highest.scaleb(upper.scale))]
    signs = {one for one in (sign, second, lower.currency, upper.currency) if one}
    if ends[0] > ends[1] or len(signs) > 1:
        return {"operator": "between"}
    currency = next((one for one in signs if one != "?"), None)
    numbers = {"operator": "between", "value": ends[0], "high": ends[1]}
    return numbers | _present(unit=upper.unit, currency=currency)


def _present(**fields: str | None) -> dict[str, Any]:
    return {name: found for name, found in fields.items() if found is not None}


# ---------------------------------------------------------------- the number


def _plain(text: str, language: str | None) -> Decimal | None:
    """The number, if it can be read in one way only."""
    if _THOUSANDS_OR_PARTS.fullmatch(text):
        return None
    if language in (None, "en"):
        english = languages.decimal_of(text, "en")
        if english is not None:
            return english
    elif text.isdecimal():
        return Decimal(text)
    return languages.decimal_of(text, "de") if _DECIMAL_COMMA.fullmatch(text) else None


def _in_digits(words: str, language: str | None) -> str:
    """ "twelve employees" as "12 employees", where quantulum3 is there to read it."""
    spelt = list(_SPELT.finditer(words))
    if language not in (None, "en") or len(spelt) != 1 or re.search(r"\d", words):
        return words
    said = spelt[0].group()
    found = languages.amounts_in(f"{said} people", wait=False)
    if not found or len(found) != 1 or said.lower() == "one" or not found[0].value.is_integer():
        return words
    # What stands before or after may make a fraction or an ordinal of it: "two thirds".
    if re.match(r"(?i)[-\s]+(?:of|thirds?|quarters?|halves|halfs?|fifths?|tenths?|or|to)\b",
                words[spelt[0].end() :]):  # fmt: skip
        return words
    return words[: spelt[0].start()] + str(int(found[0].value)) + words[spelt[0].end() :]


def _stands_alone(before: str, after: str, with_currency: bool) -> bool:
    """False where the digits are part of something else: FY23, 12th, 2022-06, (4), #3."""
    before_ok = not before or before[-1].isspace() or before[-1] in "€£₹$¥₩₪₫"
    attached = re.match(r"[^\s.,;:?!]*", after)
    allowed = _ATTACHED | {"", "€", "£"} | (set(_WITH_CURRENCY) if with_currency else set())
    return before_ok and (not attached or attached.group().lower() in allowed)


# ---------------------------------------------------------------- what stands before it


def _currency_before(before: str) -> tuple[str, str | None]:
    """The words before a number without the currency that ends them, in lower case, and its code;
    "?" for "$" and "¥", which are the sign of several currencies.
    """
    *rest, last = before.split() or [""]
    known = languages.currencies()
    code = known.get(last) or (known.get(last.lower()) if not last.isalpha() else None)
    if code or last in ("$", "¥"):
        return " ".join(rest).lower(), code or "?"
    return " ".join(before.split()).lower(), None


def _operator(before: str, said_after: str | None) -> str | None:
    operator = _BEFORE.get(before)
    if said_after:
        return said_after if operator == "=" else None
    return operator


def _without_aggregation(words: str) -> tuple[str, str | None]:
    """The words without the one aggregation that they say; two of them leave it open."""
    said = [
        (name, match)
        for name, forms in _AGGREGATES
        for match in [re.search(rf"(?i)(?<!\w)(?:{forms})(?!\w)", words)]
        if match
    ]
    if len(said) != 1:
        return words, None
    name, match = said[0]
    if not _NUMBER.search(words):
        return words, name
    left = f"{words[: match.start()].rstrip()} {words[match.end() :].lstrip(' ,')}".strip()
    return left, name


# ---------------------------------------------------------------- what follows it


def _operator_after(after: str) -> tuple[str, str | None]:
    after = after.strip().rstrip(".,;:?!").rstrip()
    said = _AFTER.search(after)
    if not said:
        return after, None
    return after[: said.start()].strip(), (
        ">=" if said[1].lower() in ("more", "above", "over") else "<="
    )


def _per(tail: str) -> tuple[str, str | None]:
    """ "employees per site" as "employees", for each unit; "kilometres per hour" is a unit."""
    match = re.fullmatch(r"(?i)(.*\S) per ([^\W\d_]+)", tail)
    if not match or match[1].lower().endswith(_PERCENT) or match[2].lower() in ("cent", *_TIMES):
        return tail, None
    return match[1], "per_unit"


def _measure(after: str, language: str | None, *, with_currency: bool) -> _Measure | None:
    """The power of ten, unit and currency after a number; None when the number may be more than
    its digits say, as in "5 m", or a day, as in "5 May".
    """
    after = after.strip().rstrip(".,;:?!").strip()
    first, _, rest = after.partition(" ")
    scale, unit = _scale(after, language)
    if not scale and first.lower() in _WITH_CURRENCY:
        if not with_currency:
            return None
        scale, unit = _WITH_CURRENCY[first.lower()], rest.strip()
    if not scale and first.lower().rstrip(".") in _month_names(language):
        return None
    following = unit.partition(" ")[0].lower().rstrip(".")
    if following in _every_scale() or following in _ERAS:
        return None
    return _unit(scale, unit)


def _unit(scale: int, unit: str) -> _Measure:
    first, _, rest = unit.partition(" ")
    if unit.lower() in _PERCENT or (first.lower() in _PERCENT and not rest.startswith("point")):
        return _Measure(scale, "%")
    known = languages.currencies()
    code = known.get(unit) or (known.get(unit.lower()) if unit.upper() != unit or len(unit) < 3
                               else None)  # fmt: skip
    if code:
        return _Measure(scale, None, code)
    if unit.isalpha():
        return _Measure(scale, unit if unit.lower() not in _NO_UNIT else None)
    return _Measure(scale, unit if _is_a_unit(unit) else None)


def _is_a_unit(words: str) -> bool:
    """Whether quantulum3 knows all of the words as one unit: "square metres", "kWh/m2"."""
    if not words or len(words) > 40 or re.search(r"[,;:.()]", words):
        return False
    said = f"12 {words}"
    found = languages.amounts_in(said, wait=False)
    if not found or len(found) != 1:
        return False
    one = found[0]
    return one.value == 12 and one.unit != "dimensionless" and one.end == len(said)


def _scale(after: str, language: str | None) -> tuple[int, str]:
    """The power of ten that the first words say, and the rest; "mil millones" is two words."""
    parts = after.split()
    known = _scales(language)
    for count in (2, 1):
        said = " ".join(parts[:count]).lower().rstrip(".")
        if len(parts) >= count and said in known:
            return known[said], " ".join(parts[count:])
    return 0, after


def _scales(language: str | None) -> Mapping[str, int]:
    if language in (None, "en"):
        # German words up to 10^9 are read too: no English word means something else by them.
        german = {word: n for word, n in languages.scales("de").items() if n in (6, 9)}
        return {**german, **languages.scales("en"), **_SHORT}
    return {**languages.scales(language), **_SHORT}


@cache
def _every_scale() -> frozenset[str]:
    """What is a million somewhere is no unit anywhere."""
    return frozenset(word for tongue in languages.LANGUAGES for word in languages.scales(tongue))


def _month_names(language: str | None) -> frozenset[str]:
    return languages.months("en") | languages.months(language or "de")
