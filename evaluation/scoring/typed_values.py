"""Numbers, amounts, percentages and dates in running text, as values that can be compared."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

_SCALES = {
    "hundred": 2, "thousand": 3, "k": 3, "million": 6, "millions": 6, "mn": 6, "mio": 6, "m": 6,
    "billion": 9, "billions": 9, "bn": 9, "b": 9, "trillion": 12, "trillions": 12, "tn": 12,
}  # fmt: skip
# Letters that mean a scale only beside a currency ("$5m"), else a unit or nothing.
_SHORT_SCALES = frozenset(("k", "m", "b"))
_CURRENCIES = {
    "$": "USD", "us$": "USD", "usd": "USD", "dollar": "USD", "dollars": "USD",
    "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR",
    "£": "GBP", "gbp": "GBP", "pound": "GBP", "pounds": "GBP",
    "¥": "JPY", "jpy": "JPY", "yen": "JPY", "chf": "CHF", "francs": "CHF",
    "cny": "CNY", "yuan": "CNY", "inr": "INR", "rupees": "INR", "₹": "INR",
}  # fmt: skip
_UNITS: dict[str, tuple[str, str]] = {
    name: (dimension, factor)
    for dimension, factor, names in (
        ("percent", "1", "% percent pct"),
        ("length", "1", "m metre metres meter meters"),
        ("length", "1000", "km kilometre kilometres kilometer kilometers"),
        ("length", "0.01", "cm centimetre centimetres centimeter centimeters"),
        ("length", "0.001", "mm millimetre millimetres millimeter millimeters"),
        ("length", "1609.344", "mi mile miles"),
        ("length", "0.3048", "ft foot feet"),
        ("mass", "1", "kg kilogram kilograms kilo kilos"),
        ("mass", "0.001", "g gram grams"),
        ("mass", "1000", "t tonne tonnes"),
        ("mass", "0.45359237", "lb lbs"),
        ("span", "1", "second seconds"),
        ("span", "60", "minute minutes min"),
        ("span", "3600", "hour hours"),
        ("span", "86400", "day days"),
        ("span", "604800", "week weeks"),
        ("months", "1", "month months"),
        ("months", "12", "year years"),
    )
    for name in names.split()
}
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS = {word: value for value, word in enumerate(_ONES)} | {
    word: 10 * value for value, word in enumerate(_TENS, start=2)
}
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun",
            "july jul", "august aug", "september sept sep", "october oct", "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip

_MONTH = "(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>[12]\d{3})"
_DATES = tuple(
    re.compile(rf"(?<![\w.]){pattern}(?![\w])(?![.,]\d)", re.IGNORECASE)
    for pattern in (
        r"(?P<year>[12]\d{3})-(?P<month>\d{2})-(?P<day>\d{2})(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?",
        r"(?P<year>[12]\d{3})-(?P<month>0[1-9]|1[0-2])",
        rf"(?:the\s+)?{_DAY}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}",
        rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}",
        rf"{_MONTH},?\s+(?:of\s+)?{_YEAR}",
        rf"{_YEAR}[-\s]Q(?P<quarter>[1-4])",
        rf"Q(?P<quarter>[1-4])(?:\s+of)?\s+{_YEAR}",
        rf"(?:the\s+)?{_DAY}\s+(?:of\s+)?(?P<month>{'|'.join(m for m in _MONTHS if len(m) > 3)})",
        rf"(?P<month>{'|'.join(m for m in _MONTHS if len(m) > 3)})\s+{_DAY}",
    )
)
_CURRENCY = r"(?:US\$|[$€£¥₹]|(?:USD|EUR|GBP|JPY|CHF|CNY|INR)\b)"
_DIGITS = (
    r"(?:\d{1,3}(?:[,\u00a0\u202f'’ ]\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3}){2,}|\d+(?:[.,]\d+)?)"
)
_WORD_NUMBER = (
    rf"(?:(?:{'|'.join(_TENS)})[-\s](?:{'|'.join(_ONES[1:10])})"
    rf"|{'|'.join(sorted((*_ONES, *_TENS), key=len, reverse=True))})(?![\w])"
)
_NUMBER = re.compile(
    rf"(?P<currency>{_CURRENCY})?\s?(?P<sign>(?<![\w)%.])[-−]\s?|\bminus\s)?(?P<after>{_CURRENCY})?"
    rf"(?:(?<![\w.])(?<!\d,)(?<!\d[-–/])(?<![A-Za-z][-–])|(?<=[$€£¥₹])|(?<=\d[-–]))(?P<number>{_DIGITS}|{_WORD_NUMBER})",
    re.IGNORECASE,
)
_FOLLOWING = re.compile(r"[\s\u00a0-]?(?P<word>[€£¥$%]|per\s?cent\b|[A-Za-z]+)", re.IGNORECASE)
# "one of them", "no one": a pronoun, not the number 1.
_PRONOUN_BEFORE = re.compile(r"\b(?:the|this|that|no|any|every|each|which)\s+$", re.IGNORECASE)
_PRONOUN_AFTER = re.compile(r"\s+(?:of|another)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mention:
    """A typed value in a text, at code points `start` to `end`.

    A number has `number` (with its scale words) and, if said, a `currency`, or the `dimension` of
    its unit with that unit's `factor`. A date has `year`, `month`, `day` and `quarter`, None where
    the text is silent.
    """

    start: int
    end: int
    number: Decimal | None = None
    dimension: str | None = None
    currency: str | None = None
    factor: Decimal = Decimal(1)
    year: int | None = None
    month: int | None = None
    day: int | None = None
    quarter: int | None = None

    @property
    def is_date(self) -> bool:
        return self.number is None

    @property
    def in_base_unit(self) -> Decimal | None:
        """The number in the base unit of its dimension, so that 1.5 km equals 1,500 m."""
        return None if self.number is None else self.number * self.factor


def mentions(text: str) -> tuple[Mention, ...]:
    """Return every date and number in `text`, in order; digits inside a date are not numbers too.

    Numbers glued to letters ("1990s", "B12", "3rd") are names or ordinals and are not returned.
    """
    found: list[Mention] = []
    for pattern in _DATES:
        for match in pattern.finditer(text):
            date = _date(match)
            if date and not _overlaps(date, found):
                found.append(date)
    position = 0
    while match_ := _NUMBER.search(text, position):
        number = _number(text, match_)
        position = max(match_.end(), number.end if number else 0)
        if number and not _overlaps(number, found):
            found.append(number)
    return tuple(sorted(found, key=lambda mention: mention.start))


def _overlaps(mention: Mention, found: list[Mention]) -> bool:
    return any(mention.start < other.end and other.start < mention.end for other in found)


def _date(match: re.Match[str]) -> Mention | None:
    parts = match.groupdict()
    number: Callable[[str], int | None] = lambda key: int(parts[key]) if parts.get(key) else None  # noqa: E731
    named = parts.get("month")
    month = None if not named else int(named) if named.isdigit() else _MONTHS[named.lower()]
    day = number("day")
    if (month is not None and not 1 <= month <= 12) or (day is not None and not 1 <= day <= 31):
        return None
    return Mention(
        match.start(),
        match.end(),
        year=number("year"),
        month=month,
        day=day,
        quarter=number("quarter"),
    )


def _number(text: str, match: re.Match[str]) -> Mention | None:
    raw = match["number"]
    end = match.end()
    if raw.lower() == "one" and (
        _PRONOUN_BEFORE.search(text[: match.start("number")]) or _PRONOUN_AFTER.match(text[end:])
    ):
        return None
    currency = _CURRENCIES.get((match["currency"] or match["after"] or "").lower())
    value = _decimal(raw)
    value, end, scaled = _scaled(text, value, end, bool(currency))
    following = _FOLLOWING.match(text, end)
    word = re.sub(r"\s", "", following["word"].lower()) if following else None
    glued = bool(following) and following is not None and following.start("word") == end
    dimension, factor = None, "1"
    if word in _CURRENCIES and not currency:
        currency, end = _CURRENCIES[word], following.end() if following else end
    elif word in _UNITS and not (currency and word in _SHORT_SCALES):
        dimension, factor = _UNITS[word]
        end = following.end() if following else end
    elif glued and not scaled and word and word.isalpha():
        return None
    sign = -1 if match["sign"] else 1
    start = match.start() + len(match.group()) - len(match.group().lstrip())
    return Mention(start, end, sign * value, dimension, currency, Decimal(factor))


def _scaled(text: str, value: Decimal, end: int, money: bool) -> tuple[Decimal, int, bool]:
    """Return the value times the scale words that follow, the new end, and whether there was
    one."""
    scaled = False
    while following := _FOLLOWING.match(text, end):
        word = following["word"].lower()
        if word not in _SCALES or (word in _SHORT_SCALES and not money):
            break
        value, end, scaled = value * 10 ** _SCALES[word], following.end(), True
    return value, end, scaled


def _decimal(raw: str) -> Decimal:
    word = raw.lower()
    if word[0].isalpha():
        return Decimal(sum(_WORDS[part] for part in re.split(r"[-\s]+", word)))
    plain = re.sub(r"[\u00a0\u202f'’ ]", "", word)
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", plain):
        return Decimal(plain.replace(",", ""))
    if re.fullmatch(r"\d{1,3}(\.\d{3}){2,}", plain):
        return Decimal(plain.replace(".", ""))
    return Decimal(plain.replace(",", "."))
