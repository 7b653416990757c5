"""A first guess at a constraint's value, from the marked words alone. Pure; the annotator corrects
it. What the words leave open stays empty: an empty field is seen, a wrong guess is not.
"""

import re
from decimal import Decimal
from typing import Any

_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d|21\d\d)\b")
_NEGATIVE = re.compile(r"(?i)^(excluding|except|without|other than|not|no|never)\s+")
_RELATIONS = {
    "before": "before",
    "until": "until",
    "by": "by",
    "after": "after",
    "since": "since",
    "during": "during",
    "as of": "as_of",
    "between": "between",
}

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*", re.ASCII)
# 12 · 4.1 · 1,500 · 7,000,000.5. One point before three digits may part thousands: not plain.
_PLAIN = re.compile(r"\d+|(?:0|\d{4,})\.\d+|\d+\.(?!\d{3}$)\d+|\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_DECIMAL_COMMA = re.compile(r"\d+,(?!\d{3}$)\d+")
_BEFORE = {
    "": "=", "exactly": "=", "precisely": "=",
    "at least": ">=", "no less than": ">=", "not less than": ">=", "no fewer than": ">=",
    "at most": "<=", "up to": "<=", "no more than": "<=", "not more than": "<=",
    "more than": ">", "over": ">", "above": ">", "greater than": ">", "exceeding": ">",
    "less than": "<", "fewer than": "<", "under": "<", "below": "<",
    "about": "about", "around": "about", "approximately": "about", "roughly": "about",
}  # fmt: skip
_AFTER = re.compile(r"(?i)\b(?:or|and) (more|above|over|less|fewer|below|under)$")
_SCALES = {"thousand": 3, "k": 3, "million": 6, "mn": 6, "billion": 9, "bn": 9, "trillion": 12}
# "$" and "¥" are the sign of several currencies.
_CURRENCIES = {"€": "EUR", "£": "GBP", "₹": "INR", "us$": "USD", "euro": "EUR", "euros": "EUR"}
_CODES = frozenset("AUD CAD CHF CNY CZK DKK EUR GBP INR JPY NOK PLN SEK USD".split())
_PERCENT = ("%", "percent", "per cent")
# What may stand on a number without a blank; a bare "m" is metres or million.
_ATTACHED = frozenset("kg km cm mm kw mw gw kwh mwh gwh k mn bn %".split())
_MORE = ("m", "mio", "b")  # metres or million, bytes or billion
_MONTHS = frozenset(
    "january february march april may june july august september october november december".split()
)
_NO_UNIT = frozenset(
    "a about after and as at before by for from in into is it more not of off on or per than that "
    "the then this to until was with".split()
)


def first_value(kind: str, words: str) -> dict[str, Any]:
    """Return the fields of `kind` that the words themselves suggest; the rest is left to the
    person.
    """
    words = words.strip()
    if kind == "referent":
        return {"name": words}
    if kind == "time":
        return _time(words)
    if kind == "quantity":
        return _quantity(words)
    if kind == "polarity":
        exclude = re.match(r"(?i)\s*(excluding|except|without|other than)\b", words)
        return {
            "mode": "exclude" if exclude else "negate",
            "target": _NEGATIVE.sub("", words),
        }
    if kind == "status":
        return {"value": words}
    if kind == "comparison":
        return {"measure": words}
    return {"source": words}


def _time(words: str) -> dict[str, Any]:
    lowered = words.lower()
    relation = next(
        (name for word, name in _RELATIONS.items() if re.search(rf"\b{word}\b", lowered)), "on"
    )
    years = _YEAR.findall(words)
    fiscal = bool(re.search(r"(?i)\b(fy|fiscal)", words))
    value: dict[str, Any] = {"relation": relation, "calendar": "fiscal" if fiscal else "calendar"}
    if years:
        if relation not in {"before", "until", "by"}:
            value["start"] = years[0]
        if relation not in {"after", "since"}:
            value["end"] = years[-1]
    return value


def _quantity(words: str) -> dict[str, Any]:
    """The operator, value, upper end, unit and currency that the words say plainly; fields that
    they do not say are missing.
    """
    found = list(_NUMBER.finditer(words))
    if len(found) == 2:
        return _range(words, found[0], found[1])
    if len(found) != 1:
        return {}
    before, after = words[: found[0].start()], words[found[0].end() :]
    number = _plain(found[0].group())
    if number is None or not _stands_alone(before, after):
        return {}
    words_before, sign = _currency_before(before)
    tail, said_after = _operator_after(after)
    measure = _measure(tail)
    if measure is None:
        return {}
    scale, unit, currency = measure
    value: dict[str, Any] = {"value": float(number.scaleb(scale))}
    operator = _operator(words_before, said_after)
    return value | _present(operator=operator, unit=unit, currency=sign or currency)


def _range(words: str, low: re.Match[str], high: re.Match[str]) -> dict[str, Any]:
    """Two numbers are plain only as "between 5 and 10 %"."""
    before, middle = words[: low.start()], words[low.end() : high.start()]
    after = words[high.end() :]
    lowest, highest = _plain(low.group()), _plain(high.group())
    lead, sign = _currency_before(before)
    joined, second_sign = _currency_before(middle)
    if lead != "between" or joined != "and" or not _stands_alone(before, after):
        return {}
    measure = _measure(after)
    # "between 5 and 10 million" leaves open whether the first is millions too.
    if lowest is None or highest is None or lowest > highest or not measure or measure[0]:
        return {"operator": "between"}
    numbers = {"operator": "between", "value": float(lowest), "high": float(highest)}
    return numbers | _present(unit=measure[1], currency=sign or second_sign or measure[2])


def _present(**fields: str | None) -> dict[str, Any]:
    return {name: found for name, found in fields.items() if found is not None}


def _plain(text: str) -> Decimal | None:
    if _PLAIN.fullmatch(text):
        return Decimal(text.replace(",", ""))
    return Decimal(text.replace(",", ".")) if _DECIMAL_COMMA.fullmatch(text) else None


def _stands_alone(before: str, after: str) -> bool:
    """False where the digits are part of something else: FY23, 12th, 2022-06, (4), #3."""
    before_ok = not before or before[-1].isspace() or before[-1] in "€£₹$¥"
    attached = re.match(r"[^\s.,;:?!]*", after)
    return before_ok and (not attached or attached.group().lower() in _ATTACHED | {""})


def _currency_before(before: str) -> tuple[str, str | None]:
    """The words before a number without the currency that ends them, in lower case."""
    *rest, last = before.split() or [""]
    currency = last if last in _CODES else _CURRENCIES.get(last.lower())
    if currency or last in ("$", "¥"):
        return " ".join(rest).lower(), currency
    return " ".join(before.split()).lower(), None


def _operator_after(after: str) -> tuple[str, str | None]:
    after = after.strip().rstrip(".,;:?!").rstrip()
    said = _AFTER.search(after)
    if not said:
        return after, None
    return after[: said.start()].strip(), (
        ">=" if said[1].lower() in ("more", "above", "over") else "<="
    )


def _operator(before: str, said_after: str | None) -> str | None:
    operator = _BEFORE.get(before)
    if said_after:
        return said_after if operator == "=" else None
    return operator


def _measure(after: str) -> tuple[int, str | None, str | None] | None:
    """The power of ten, unit and currency after a number; None when the number may be more than
    its digits say, as in "5 m", or a day, as in "5 May".
    """
    after = after.strip().rstrip(".,;:?!").strip()
    first, _, rest = after.partition(" ")
    if first.lower() in _MORE or first.lower() in _MONTHS:
        return None
    scale = _SCALES.get(first.lower(), 0)
    unit = rest.strip() if scale else after
    if unit.lower() in _PERCENT:
        return scale, "%", None
    if unit in _CODES or unit.lower() in _CURRENCIES:
        return scale, None, _CURRENCIES.get(unit.lower(), unit)
    plain = unit.isalpha() and unit.lower() not in _NO_UNIT
    return scale, unit if plain else None, None
