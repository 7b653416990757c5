"""What words say about a time: the relation, and the days that bound it. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from contracts import language as languages
from contracts.values import time_bounds

# Words that stand before a date, the longest first, with the relation that they say.
_LEADS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "by": "no later than|not later than|not after|by",
        "since": "no earlier than|not earlier than|not before|starting in|starting from"
        "|beginning in|beginning with|as from|since",
        "before": "prior to|earlier than|before",
        "after": "later than|after",
        "until": "up until|until|till|up to|through",
        "during": "in the course of|during|throughout|within",
        "as_of": "as of|as at",
        "between": "in between|between",
        "on": "in the year|dated|in|on|for",
    },
    "de": {
        "by": "spätestens bis zum|spätestens bis|spätestens am|spätestens",
        "before": "vor dem|vor",
        "after": "nach dem|nach",
        "since": "seit dem|seit|ab dem|ab",
        "until": "bis zum|bis einschließlich|bis",
        "during": "während des|während",
        "as_of": "stand vom|stand",
        "between": "zwischen dem|zwischen",
        "on": "im jahre|im jahr|im|in|am",
    },
    "fr": {
        "before": "avant le|avant",
        "after": "après le|après",
        "since": "depuis le|depuis|à partir du|à partir de",
        "until": "jusqu['’]au|jusqu['’]en|jusqu['’]à",
        "during": "pendant|durant",
        "between": "entre le|entre",
        "on": "en|le|au",
    },
    "es": {
        "before": "antes del|antes de",
        "after": "después del|después de",
        "since": "a partir del|a partir de|desde el|desde",
        "until": "hasta el|hasta",
        "during": "durante",
        "between": "entre el|entre",
        "on": "en el|en|el",
    },
}
_JOINED = {
    "en": "and|to|until|through|till", "de": "und dem|und|bis zum|bis", "fr": "et le|et|à|au",
    "es": "y el|y|a|al",
}  # fmt: skip
_FROM = {"en": "from", "de": "vom|von", "fr": "du|de", "es": "del|de"}
_LATER = re.compile(r"(?i)\s+(?:or later|and later|onwards?|and after|or after)$")
_EARLIER = re.compile(r"(?i)\s+(?:or earlier|and earlier|or before|and before)$")
# Words before the relation that make more of it than it says.
_NO_LEAD = re.compile(
    r"(?i)\d|\b(?:not|no|never|nor|except|excluding|without|other than|early|late|mid|shortly|long|"
    r"just|end|start|beginning|middle|half|summer|winter|spring|autumn|season|"
    r"before|after|since|until|till|by|between|during|from|if|kein\w*|nicht|kurz)\b|n['’]t\b"
)
_FISCAL = re.compile(r"(?i)\b(?:fy\s?\d|fy\b|fiscal|financial year)")
_NOW = re.compile(
    r"(?i)\b(?:currently|current|now|nowadays|today|yesterday|tomorrow|recent|recently|latest|ago|"
    r"to date|so far|(?:last|this|next|previous|past|coming)\s+(?:[\w-]+\s+)?"
    r"(?:day|week|month|quarter|year|decade)s?)\b"
)
_AT_PRESENT = re.compile(r"(?i)(?:current|currently|now|at present|at the moment|right now)")


@dataclass(frozen=True, slots=True)
class _When:
    """A date as it was said: its bounds in ISO form."""

    start: str
    end: str
    fiscal: bool = False


def first_time(words: str, language: str | None, reference_date: date | None) -> dict[str, Any]:
    """Return the relation, start, end, calendar and reference date that the words say plainly."""
    words = " ".join(words.split()).strip(" ,.;:?!()\"“”'")
    if reference_date and reference_date.year < 1000:
        reference_date = None
    found: dict[str, Any] = {"calendar": "fiscal"} if _FISCAL.search(words) else {}
    if reference_date and _NOW.search(words):
        found["reference_date"] = reference_date.isoformat()
    for tongue in [language] if language else languages.LANGUAGES:
        if tongue != (language or "en") and _NUMERIC.search(words):
            break  # 03.04.2022 has the day first only where the language is known to
        said = _said(words, tongue, reference_date)
        if said.get("start") or said.get("end"):
            return found | said
    return found | _said(words, language or "en", reference_date)


def _said(words: str, language: str, today: date | None) -> dict[str, Any]:
    if today and _AT_PRESENT.fullmatch(words):
        return {"relation": "as_of", "start": today.isoformat()}
    whole = _when(words, language, today)
    if whole:
        return _placed("on", whole)
    if span := _range(words, language, today):
        return span
    for pattern, relation in ((_LATER, "since"), (_EARLIER, "until")):
        if pattern.search(words) and (when := _when(pattern.sub("", words), language, today)):
            return _placed(relation, when)
    return _led(words, language, today)


def _led(words: str, language: str, today: date | None) -> dict[str, Any]:
    """A relation and what follows it: "revenue before 30 June 2022"."""
    relation_said: dict[str, Any] = {}
    for start, end, relation in _relations(words, language):
        lead, rest = words[:start], words[end:]
        if _NO_LEAD.search(lead):
            break
        if not lead and relation != "on":
            relation_said = {"relation": relation}
        if relation == "between":
            continue
        if when := _when(rest, language, today) or _edge(relation, rest, language, today):
            return _placed(relation, when)
    return relation_said


def _relations(words: str, language: str) -> list[tuple[int, int, str]]:
    found = [
        (match.start(), match.end(), relation)
        for relation, leads in _LEADS.get(language, {}).items()
        for match in re.finditer(rf"(?i)\b(?:{leads})\s+", words)
    ]
    # At one place the longest wins: "not before" is no "before".
    return sorted(found, key=lambda one: (one[0], -one[1]))


def _placed(relation: str, when: _When) -> dict[str, Any]:
    value: dict[str, Any] = {"relation": relation}
    if when.fiscal:
        value["calendar"] = "fiscal"
    if relation in ("on", "during", "as_of"):
        if when.start == when.end:
            return value | {"start": when.start}
        return value | {"start": when.start, "end": when.end}
    if when.start != when.end:  # a half-year has no name in ISO form
        return value
    return value | {"end" if relation in ("before", "until", "by") else "start": when.start}


def _edge(relation: str, rest: str, language: str, today: date | None) -> _When | None:
    """ "by the end of 2021" is by its last day; "at the end of 2021" leaves open when."""
    match = re.fullmatch(r"(?i)the (end|start|beginning) of (.+)", rest)
    if not match or relation not in ("by", "until", "since", "after", "as_of"):
        return None
    when = _when(match[2], language, today)
    if when is None or when.fiscal:
        return None
    side, bound = (1, when.end) if match[1].lower() == "end" else (0, when.start)
    bounds = time_bounds(bound)
    return _When(*(bounds[side].isoformat(),) * 2) if bounds else None


def _range(words: str, language: str, today: date | None) -> dict[str, Any]:
    """ "between 2019 and 2021", "from March to June 2022", "2019–2021"."""
    if language not in _JOINED:
        return {}
    between = _LEADS[language]["between"]
    joined = re.fullmatch(
        rf"(?i)(?:(?P<between>{between})|{_FROM[language]})\s+(?P<low>.+?)\s+"
        rf"(?:{_JOINED[language]})\s+(?P<high>.+)",
        words,
    )
    joined = joined or re.fullmatch(
        r"(?i)(?P<between>)(?P<low>.*\d{4})(?:\s?[-–—]\s?|\s(?:to|through|bis)\s)(?P<high>.*\d{4})",
        words,
    )
    if not joined:
        return {}
    high = _when(joined["high"], language, today)
    low = _when(joined["low"], language, today)
    if high and not low:
        low = _completed(joined["low"], joined["high"], language, today)
    first, last = (time_bounds(when.start) if when else None for when in (low, high))
    if not (low and high and first and last) or first[0] > last[0]:
        return {"relation": "between"} if joined["between"] else {}
    fiscal = {"calendar": "fiscal"} if low.fiscal and high.fiscal else {}
    return fiscal | {"relation": "between", "start": low.start, "end": high.end}


def _completed(low: str, high: str, language: str, today: date | None) -> _When | None:
    """The lower end with what the upper end says for both: "March … June 2022", "5 … 10 May 2022"
    and "Q1 … Q3 2022".
    """
    parts = high.split()
    for shared in range(1, min(3, len(parts) - 1) + 1):
        if when := _when(" ".join([low, *parts[-shared:]]), language, today):
            upper = _when(high, language, today)
            same = upper and len(upper.start) == len(when.start)
            return when if same else None
    return None


# ---------------------------------------------------------------- one date

_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4,
             "4th": 4}  # fmt: skip
_YEAR = r"(?:(?:the )?(?:(?:calendar )?year )?)(?P<year>1\d{3}|20\d\d|21\d\d)"
_FISCAL_YEAR = (
    r"(?:FY\s?['’]?(?P<fy>\d{4}|\d\d)|(?:the )?(?:fiscal|financial)(?: year)? "
    r"(?P<fyear>(?:19|20)\d\d))"
)
_ANY_YEAR = rf"(?:{_YEAR}|{_FISCAL_YEAR})"
_PARTS = (
    re.compile(rf"(?i){_ANY_YEAR}"),
    re.compile(rf"(?i)(?P<part>[QH])(?P<n>[1-4])[\s/,-]*(?:of )?{_ANY_YEAR}"),
    re.compile(rf"(?i){_ANY_YEAR}[\s/,-]*(?P<part>[QH])(?P<n>[1-4])"),
    re.compile(
        r"(?i)(?:the )?(?P<n>first|second|third|fourth|[1-4](?:st|nd|rd|th)) "
        rf"(?P<part>quarter|half),?(?: of| in)? {_ANY_YEAR}"
    ),
)
_DECADE = re.compile(r"(?i)(?:the )?((?:1[5-9]|20)[1-9])0['’]?s")
_NUMERIC = re.compile(r"\d{1,2}([./-])\d{1,2}\1(\d{4})", re.ASCII)
_AGO = re.compile(
    r"(?i)(?:last|this|next) (?:year|month)|yesterday|today|tomorrow|"
    r"(?:an?|\d{1,2}|two|three|four|five|six|seven|eight|nine|ten) (?:day|month|year)s? ago"
)
# "The last year" may be twelve months, or a last one; "the previous year" is that before another.
_CURRENT = re.compile(r"(?i)((?:the )?current|last|this|next) (year|month|quarter)")
_BESIDE_MONTHS = frozenset("st nd rd th of the de del den der dem d le el er".split())


def _when(words: str, language: str, today: date | None) -> _When | None:
    """The one date that the words are, wholly; None for anything else."""
    words = words.strip(" ,")
    if len(words) > 60:
        return None
    return (
        _part_of_year(words)
        or _decade(words)
        or _day_or_month(words, language)
        or (_relative(words, today) if today and language == "en" else None)
    )


def _part_of_year(words: str) -> _When | None:
    match = next((found for form in _PARTS if (found := form.fullmatch(words))), None)
    if not match:
        return None
    said = match.groupdict()
    year = said["year"] or said["fyear"] or said["fy"]
    fiscal = not said["year"]
    if len(year) == 2:
        if int(year) > 60:  # FY98 is 1998, FY70 may be either
            return None
        year = f"20{year}"
    part, n = (said.get("part") or "").lower()[:1], said.get("n") or ""
    if not part:
        return _When(year, year, fiscal)
    number = int(n) if n.isdecimal() else _ORDINALS[n.lower()]
    if part == "q":
        return _When(*(f"{year}-Q{number}",) * 2, fiscal)
    if number > 2 or fiscal:
        return None
    return _When(f"{year}-{6 * number - 5:02}", f"{year}-{6 * number:02}")


def _decade(words: str) -> _When | None:
    match = _DECADE.fullmatch(words)
    return _When(f"{match[1]}0", f"{match[1]}9") if match else None


def _day_or_month(words: str, language: str) -> _When | None:
    """A day or month with its year, in ISO form or as the language writes it."""
    if re.fullmatch(r"[12]\d{3}-\d\d(?:-\d\d)?", words, re.ASCII):
        return _When(words, words) if time_bounds(words) else None
    named = re.findall(r"[^\W\d_]+", words.lower())
    if named:
        months = languages.months(language)
        if not any(name in months for name in named) or len(re.findall(r"\d+", words)) > 2:
            return None
        if any(name not in months and name not in _BESIDE_MONTHS for name in named):
            return None
        if not re.search(r"(?<!\d)[12]\d{3}(?!\d)", words):
            return None
    elif not _NUMERIC.fullmatch(words):
        return None
    moment = languages.date_in(words, language)
    if moment is None or moment.precision == "year":
        return None
    return _When(moment.iso, moment.iso)


def _relative(words: str, today: date) -> _When | None:
    match = _CURRENT.fullmatch(words)
    if match and (match[2].lower() == "quarter" or match[1].lower().endswith("current")):
        iso = _shifted(match[1].lower(), match[2].lower(), today)
        return _When(iso, iso)
    if not _AGO.fullmatch(words):
        return None
    moment = languages.date_from(words, "en", today)
    return _When(moment.iso, moment.iso) if moment else None


def _shifted(which: str, unit: str, today: date) -> str:
    """The year, quarter or month before, around or after today."""
    step = {"last": -1, "next": 1}.get(which, 0)
    length = {"year": 12, "quarter": 3, "month": 1}[unit]
    months = (today.year * 12 + today.month - 1) // length * length + step * length
    first = date(months // 12, months % 12 + 1, 1)
    return languages.Moment(first, unit).iso
