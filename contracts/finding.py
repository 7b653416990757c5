"""Where words of a text may be constraints: names, dates, amounts, negations, comparisons, states
and sources. Pure; places are code points. `contracts.suggestions` chooses among what is found.
"""

import re
from collections.abc import Iterator
from datetime import date
from functools import cache

from contracts import language as languages
from contracts.language import Named, Parsed, Token
from contracts.prefill.comparisons import first_comparison
from contracts.prefill.first import first_value
from contracts.prefill.quantities import first_quantity
from contracts.prefill.times import first_time

Found = tuple[str, int, int]  # kind, start, end

# ---------------------------------------------------------------- in any language

_LEADS = (
    r"(?:no later than|not later than|no earlier than|not before|not after|prior to|earlier than|"
    r"later than|before|after|since|until|till|up to|by|during|throughout|as of|as at|between|from|"
    r"vor dem|vor|nach dem|nach|seit dem|seit|bis zum|bis|zwischen|ab dem|ab|"
    r"avant le|avant|après le|après|depuis le|depuis|entre le|entre|"
    r"antes del|antes de|después del|después de|desde el|desde|hasta el|hasta)"
)
_LEAD = re.compile(rf"(?i)(?<!\w){_LEADS}\s+(?:the\s+)?$")
_JOIN = re.compile(r"(?i)\s*(?:[-–—]|(?<=\s)(?:and|to|until|through|und|bis|et|à|y|a)(?=\s))\s*")
_OPERATORS = re.compile(
    r"(?i)(?<!\w)(?:at least|at most|no (?:more|less|fewer) than|not (?:more|less) than|"
    r"(?:more|less|fewer|greater|higher|lower) than|up to|over|above|under|below|exceeding|exactly|"
    r"about|around|approximately|roughly|between|mindestens|höchstens|mehr als|weniger als|über|"
    r"unter|rund|etwa|au moins|au plus|plus de|moins de|environ|al menos|más de|menos de)\s+$"
)
_NUMBER = r"\d+(?:[.,]\d+)*"


@cache
def _dates() -> re.Pattern[str]:
    named = {name for tongue in languages.LANGUAGES for name in languages.months(tongue)}
    month = "|".join(sorted((re.escape(name) for name in named), key=len, reverse=True))
    month = rf"(?:{month})\.?"
    year = r"(?:1[5-9]\d\d|20\d\d)"
    return re.compile(
        rf"(?i)(?<![\w.,/-])(?:"
        rf"\d{{4}}-\d\d(?:-\d\d)?|\d{{4}}-Q[1-4]|\d{{1,2}}([./-])\d{{1,2}}\1\d{{4}}|"
        rf"\d{{1,2}}(?:st|nd|rd|th|\.)?\s(?:of\s|de\s)?{month},?\s(?:de\s)?{year}|"
        rf"{month}\s(?:\d{{1,2}}(?:st|nd|rd|th)?,?\s|de\s)?{year}|"
        rf"(?:Q[1-4]|H[12])[\s/]?(?:FY\s?\d\d(?:\d\d)?|(?:of\s)?{year})|FY\s?\d\d(?:\d\d)?|"
        rf"(?:fiscal|financial)(?:\syear)?\s{year}|{year}s?"
        rf")(?![\w]|[.,/-]\d)"
    )


_SIGNS = r"[€£$¥₹₩₪]"
_AMOUNT = re.compile(
    rf"(?i)(?<![\w.,/#-])(?:(?:{_SIGNS}|(?:US|A|CA|HK|NZ)\$|(?-i:[A-Z]{{3}})\s)\s?{_NUMBER}"
    rf"(?:\s?(?:thousand|million|billion|trillion|mn|bn|[mbk])(?!\w))?|"
    rf"{_NUMBER}\s?(?:%|percent(?!\w)|per\scent(?!\w)|Prozent(?!\w))|"
    rf"{_NUMBER}\s(?:(?:thousand|million|billion|trillion|Millionen|Milliarden)(?!\w)|Mio\.|Mrd\.)"
    rf"(?:\s(?:{_SIGNS}|(?-i:[A-Z]{{3}})(?!\w)|euros?(?!\w)))?|"
    rf"{_NUMBER}\s?(?:{_SIGNS}|EUR(?!\w)|USD(?!\w)|GBP(?!\w)|kg(?!\w)|km(?!\w)|kWh(?!\w)|MW(?!\w)))"
)


def found_in_any_language(text: str) -> Iterator[Found]:
    """Dates with their year, and amounts with a sign, a scale or a unit."""
    for start, end in _joined(text, [match.span() for match in _dates().finditer(text)]):
        yield "time", _from_before(_LEAD, text, start, of=text[start:end]), end
    for start, end in _joined(text, [match.span() for match in _AMOUNT.finditer(text)]):
        yield "quantity", _from_before(_OPERATORS, text, start), end


def _joined(text: str, places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Two places joined to one range: "between 2019 and 2021"."""
    found: list[tuple[int, int]] = []
    for start, end in places:
        if found and _JOIN.fullmatch(text[found[-1][1] : start]):
            before = text[max(0, found[-1][0] - 20) : found[-1][0]]
            if re.search(r"(?i)(?<!\w)(?:between|from|zwischen|vom?|entre|de|du)\s+$", before) or (
                re.fullmatch(r"(?i)\s?[-–—]\s?|\s(?:to|through|bis)\s", text[found[-1][1] : start])
            ):
                found[-1] = (found[-1][0], end)
                continue
        found.append((start, end))
    return found


def _from_before(words: re.Pattern[str], text: str, start: int, *, of: str = "") -> int:
    """Where the words that stand right before a place start, else the place itself. A year after
    "the" belongs to what follows: "during the 2012 Olympics".
    """
    since = max(0, start - 40)
    match = words.search(text[since:start])
    if not match or (of[:4].isdecimal() and re.search(r"(?i)the\s+$", match.group())):
        return start
    return since + match.start()


# ---------------------------------------------------------------- in English

_NAMES = frozenset("ORG PERSON GPE LOC FAC NORP PRODUCT EVENT WORK_OF_ART LAW".split())
_REFERRING = frozenset("it its they them their theirs he him his she her hers".split())
_DESCRIBED = re.compile(
    r"(?i)\b(?:the|this|that) (?:company|firm|bank|agency|organi[sz]ation|country|city|film|movie|"
    r"book|song|team|group|law|act|product|report|project)\b(?! of\b)"
)
# "It" that stands for nothing: "is it possible that", "it is true that".
_NOTHING_MEANT = re.compile(
    r"(?i)it(?:['’]s| is| was| would be)? (?:possible|likely|unlikely|reasonable|true|fair|"
    r"necessary|clear|safe|important|normal|rain\w*|snow\w*)\b"
)
_EXCLUDING = re.compile(
    r"(?i)\b(?:excluding|except(?: for)?|without|other than|apart from|aside from|not including|"
    r"leaving out)\b"
)
_THAN = re.compile(r"(?i)\b(?:more|less|fewer|worse|\w+er)\s(?:\w+\s){0,3}?than\b")
_AGAINST = re.compile(
    r"(?i)\b(?:(?:as )?compared (?:with|to)|in comparison (?:with|to)|relative to|versus|vs\.?)"
    r"(?=\s)"
)
_MOVED = re.compile(
    r"(?i)\b(?:increase|decrease|rise|fall|decline|drop|change|growth)d?s? (?:in [^,.;?!]{1,40} )?"
    r"from [^,.;?!]{1,40} to [^\s,.;?!]+|\bdifferences? (?:in [^,.;?!]{1,40} )?between "
    r"[^,.;?!]{1,40} and (?:the )?[^\s,.;?!]+"
)
_SAME = re.compile(r"(?i)\bthe same (?:\w+ ){0,2}as\b")
_STATUS = re.compile(
    r"(?i)\b(?:approved|proposed|draft|preliminary|provisional|pending|rejected|withdrawn|repealed|"
    r"superseded|amended|revised|audited|unaudited|ratified|expired|in force|"
    r"final(?= (?:version|report|rule|decision|figures?|results?|text|order)))\b"
)
_SOURCE = re.compile(
    r"(?i)\b(?:according to|based on|as (?:reported|stated|shown) (?:in|by)|cited (?:in|by))\b"
)
_ANY_DAY = date(2000, 6, 15)  # only to tell relative wording from none


def found_in_english(text: str, parsed: Parsed, *, current: bool) -> Iterator[Found]:
    """Everything that needs the words to be understood; pronouns only in the current text, whose
    other turns settle them.
    """
    yield from _names(text, parsed)
    if current:
        yield from _references(text, parsed)
    yield from _dates_and_amounts(text, parsed)
    yield from _negations(text, parsed)
    yield from _comparisons(text, parsed)
    yield from (("status", *match.span()) for match in _STATUS.finditer(text))
    for match in _SOURCE.finditer(text):
        if end := _noun_after(parsed, match.end()):
            yield "evidence", match.start(), end


def _names(text: str, parsed: Parsed) -> Iterator[Found]:
    for name in parsed.names:
        if name.label in _NAMES:
            words = text[name.start : name.end]
            the = re.match(r"(?i)the\s+", words)
            owner = re.search(r"['’]s?$", words)
            yield (
                "referent",
                name.start + (the.end() if the else 0),
                name.end - (len(owner.group()) if owner else 0),
            )
    run: list[Token] = []
    for token in (*parsed.tokens, None):
        proper = token and token.tag in ("NNP", "NNPS") and token.text.isalpha()
        if run and (not proper or not token or token.start - run[-1].end > 1):
            # A single capital at the start of a text is seldom a name.
            if len(run) > 1 or run[0].start > 0:
                yield "referent", run[0].start, run[-1].end
            run = []
        if token and proper:
            run.append(token)


def _references(text: str, parsed: Parsed) -> Iterator[Found]:
    for token in parsed.tokens:
        refers = token.tag in ("PRP", "PRP$") and token.text.lower() in _REFERRING
        if refers and not _NOTHING_MEANT.match(text, token.start):
            yield "referent", token.start, token.end
    yield from (("referent", *match.span()) for match in _DESCRIBED.finditer(text))


def _dates_and_amounts(text: str, parsed: Parsed) -> Iterator[Found]:
    for name in parsed.names:
        words = text[name.start : name.end]
        if name.label == "DATE":
            start = _from_before(_LEAD, text, name.start, of=words)
            said = first_time(text[start : name.end], "en", _ANY_DAY)
            if said.keys() & {"start", "end", "reference_date"}:
                yield "time", start, name.end
        elif name.label in ("MONEY", "PERCENT", "QUANTITY"):
            yield "quantity", _from_before(_OPERATORS, text, name.start), name.end
        elif name.label == "CARDINAL" and re.search(r"\d", words) and _stands_alone(text, name):
            start = _from_before(_OPERATORS, text, name.start)
            end = _counted(parsed, name.start, name.end)
            # A bare number is seldom an amount: "episode 24".
            bare = start == name.start and end == name.end
            if not bare and "value" in first_quantity(text[start:end], "en"):
                yield "quantity", start, end


def _stands_alone(text: str, name: Named) -> bool:
    """False for digits that are part of something else: "the 2-10-0 engine"."""
    around = text[max(0, name.start - 1) : name.start] + text[name.end : name.end + 1]
    return not re.search(r"[\w/#-]", around)


def _counted(parsed: Parsed, start: int, end: int) -> int:
    """Where what is counted ends: "12 employees"."""
    following = next((token for token in parsed.tokens if token.start >= end), None)
    counts = following and following.tag == "NNS" and following.start - end <= 1
    return following.end if following and counts else end


def _negations(text: str, parsed: Parsed) -> Iterator[Found]:
    for match in _EXCLUDING.finditer(text):
        if end := _noun_after(parsed, match.end()):
            yield "polarity", match.start(), end
    for place, token in enumerate(parsed.tokens):
        if token.dep == "neg":
            head = parsed.tokens[token.head]
            joined = place and parsed.tokens[place - 1].end == token.start  # did|n't
            start = parsed.tokens[place - 1].start if joined else token.start
            end = head.end if head.start > token.start else _next_end(parsed, place)
        elif token.text.lower() == "no" and token.dep == "det":
            start, end = token.start, _noun_after(parsed, token.start) or token.end
        else:
            continue
        if end - start < 60 and first_value("polarity", text[start:end]).get("mode"):
            yield "polarity", start, end


def _next_end(parsed: Parsed, place: int) -> int:
    following = parsed.tokens[place + 1 : place + 2]
    return following[0].end if following else parsed.tokens[place].end


def _comparisons(text: str, parsed: Parsed) -> Iterator[Found]:
    for pattern in (_THAN, _AGAINST, _SAME):
        for match in pattern.finditer(text):
            end = _noun_after(parsed, match.end())
            amount = re.match(r"\s+[€£$]?\d", text[match.end() :])
            year = re.match(r"\s+[12]\d{3}\b", text[match.end() :])
            if end and (year or not amount):
                yield "comparison", match.start(), end
    for match in _MOVED.finditer(text):
        start, end = match.span()
        end = next((last for first, last in parsed.nouns if first < end < last), end)
        if first_comparison(text[start:end]):
            yield "comparison", start, end


def _noun_after(parsed: Parsed, place: int) -> int | None:
    """Where the noun phrase ends that follows a place at once."""
    places = [*parsed.nouns, *((name.start, name.end) for name in parsed.names)]
    return max((end for start, end in places if 0 <= start - place <= 8), default=None)
