"""Is a number missing? Values are compared: 1,500 is 1500 and twelve is 12."""

import re
from dataclasses import dataclass
from decimal import Decimal

from annotation.checks.demanded import said_otherwise
from annotation.checks.quotes import without_quotes
from annotation.checks.written import RewriteWarning, Written

CODE = "drops-number"

_SCALES = {
    "hundred": 2, "thousand": 3, "k": 3, "million": 6, "m": 6, "mn": 6, "mio": 6, "billion": 9,
    "bn": 9, "b": 9, "trillion": 12, "tn": 12,
}  # fmt: skip
_LETTER_SCALES = ("k", "m", "b")  # also units: 5m may be five metres
_SMALL = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * value
    for value, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
}
_WORD_SCALES = {word: 10 ** _SCALES[word] for word in ("thousand", "million", "billion")}
_MONTHS = (
    "january february march april may june july august september october november december".split()
)
_SPACES = "\u0020\u00a0\u2009\u202f"  # plain, no-break, thin, narrow no-break
_ARABIC_MARKS = str.maketrans({"\u066b": ".", "\u066c": ","})
_FIGURE = re.compile(
    rf"(?P<year>(?<!\w)(?:FY|CY)[ '’]?(?:\d{{4}}|\d\d)(?!\d)|(?<!\w)['’]\d\d(?!\w))"
    rf"|(?P<figure>\d{{1,3}}(?:[{_SPACES}]\d{{3}})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,'’]\d+)*)"
    rf"(?P<scale>(?:[^\W\d_]+|[{_SPACES}-](?:hundred|thousand|million|billion|trillion|bn|mn|mio)"
    rf"(?!\w))?)",
    re.IGNORECASE,
)
_NUMBER_WORD = "|".join([*_SMALL, *_TENS, "hundred", *_WORD_SCALES])
_WORDED = re.compile(
    rf"(?<!\w)(?:{_NUMBER_WORD})(?:(?:[ -]+and)?[ -]+(?:{_NUMBER_WORD}))*(?!\w)", re.IGNORECASE
)


@dataclass(frozen=True)
class Number:
    """A number as it stands in a text, and every value that it may have: 1.500 has two."""

    words: str
    values: frozenset[Decimal | str]
    inside: bool = False  # in a word such as B12: it says 12, but asks for no number


def numbers(text: str) -> list[Number]:
    """Every number of a text in figures, then every one in English words."""
    text = text.translate(_ARABIC_MARKS)
    figures = [_from_figures(match, text) for match in _FIGURE.finditer(text)]
    worded = _WORDED.finditer(_FIGURE.sub(" , ", text))
    return figures + [
        Number(words, frozenset({value}))
        for match in worded
        for words, value in _from_words(match[0])
    ]


def drops_number(written: Written) -> RewriteWarning | None:
    """Name the numbers of the request whose value the text does not have."""
    if written.clarification:
        return None
    asked = _asked(written.original)
    for turn in written.turns:
        asked += [number for number in _asked(turn) if _named(number, written)]
    said = _said(written.text)
    missing = [
        number.words
        for number in asked
        if not number.values & said
        and not said_otherwise(number.words, written.text, written.demands)
    ]
    return RewriteWarning(CODE, tuple(dict.fromkeys(missing))) if missing else None


def _asked(text: str) -> list[Number]:
    """The numbers that a text asks for. "One" alone is seldom a number: "which one"."""
    found = numbers(without_quotes(text))
    return [number for number in found if not number.inside and number.words.casefold() != "one"]


def _said(text: str) -> frozenset[Decimal | str]:
    """Every value that a text has; a month by its name is its number too."""
    lower = text.casefold()
    months = {
        Decimal(n)
        for n, month in enumerate(_MONTHS, start=1)
        if re.search(rf"\b{month[:3]}(?:{month[3:]}|\b)", lower)
    }
    return frozenset(months).union(*(number.values for number in numbers(text)))


def _named(number: Number, written: Written) -> bool:
    return any(
        number.values & _said(mention) for demand in written.demands for mention in demand.mentions
    )


def _from_figures(match: re.Match[str], text: str) -> Number:
    if match["year"]:
        year = re.sub(r"\D", "", match["year"])
        return Number(match[0], frozenset({Decimal(year), Decimal(year[-2:]) + 2000}))
    found, scale = match["figure"], (match["scale"] or "").strip("".join((_SPACES, "-"))).casefold()
    before = text[match.start() - 1 : match.start()]
    inside = bool(before) and (before.isalpha() or before == "_")
    values = _values(found)
    power = _SCALES.get(scale)
    if power is None:
        return Number(found, values, inside)
    scaled = {value * 10**power for value in values if isinstance(value, Decimal)}
    both = values if scale in _LETTER_SCALES else frozenset[Decimal | str]()
    return Number(match[0].strip(), both | scaled, inside)


def _values(figure: str) -> frozenset[Decimal | str]:
    """The values of figures: a dot before three digits may group them or not."""
    plain = re.sub(rf"['’{_SPACES}]", "", figure)
    parts = re.split(r"[.,]", plain)
    marks = [c for c in plain if c in ".,"]
    if not marks:
        return frozenset({Decimal(plain)})
    grouped = all(len(part) == 3 for part in parts[1:]) and len(parts[0]) <= 3
    if len(set(marks)) == 1 and grouped:
        whole = Decimal("".join(parts))
        if marks == ["."]:
            return frozenset({whole, Decimal(".".join(parts))})
        return frozenset({whole})
    if len(marks) == 1:
        return frozenset({Decimal(".".join(parts))})
    if (
        len(set(marks[:-1])) == 1
        and marks[-1] != marks[0]
        and all(len(part) == 3 for part in parts[1:-1])
    ):
        return frozenset({Decimal("".join(parts[:-1]) + "." + parts[-1])})
    return frozenset({plain})  # a version, an address: only the same is the same


def _from_words(phrase: str) -> list[tuple[str, Decimal]]:
    """The numbers of a run of number words: "twenty twenty-one" is two of them."""
    found: list[tuple[str, Decimal]] = []
    total = current = start = end = 0
    before = ""
    for match in re.finditer(r"[^\s-]+", phrase):
        word = match[0].casefold()
        if word == "and":
            continue
        value = _SMALL.get(word, _TENS.get(word))
        if value is not None and before and not _fits(before, word):
            found.append((phrase[start:end], Decimal(total + current)))
            total, current, start = 0, 0, match.start()
        if value is not None:
            current += value
        elif word == "hundred":
            current = max(current, 1) * 100
        else:
            total, current = total + max(current, 1) * _WORD_SCALES[word], 0
        before, end = word, match.end()
    return [*found, (phrase[start:end], Decimal(total + current))]


def _fits(before: str, word: str) -> bool:
    """Tell whether a number word may follow another within one number."""
    if before in _TENS:
        return 0 < _SMALL.get(word, 0) < 10
    return before not in _SMALL
