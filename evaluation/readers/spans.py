"""The shortest part of a sentence that can answer a question: a date, a number, an amount, a name.

Only the question's wh-word is looked at, and the values are those that answers are scored by.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from evaluation.scoring.typed_values import Mention, mentions

DATE, YEAR, NUMBER, AMOUNT, NAME = "date", "year", "number", "amount", "name"

_ASKED = (
    (YEAR, re.compile(r"\b(?:what|which)\s+(?:\w+\s+)?year\b", re.IGNORECASE)),
    (DATE, re.compile(r"\bwhen\b|\b(?:what|which)\s+(?:date|day|month)\b", re.IGNORECASE)),
    (NUMBER, re.compile(r"\bhow\s+many\b", re.IGNORECASE)),
    (AMOUNT, re.compile(r"\bhow\s+much\b", re.IGNORECASE)),
    (NAME, re.compile(r"\bwho(?:m|se)?\b", re.IGNORECASE)),
)
_YEAR = re.compile(r"(?<![\w.,])[12]\d{3}(?![\w])(?![.,]\d)")
# Words with a capital letter, with initials, "of" and the like between them: Bank of the North.
_NAME = re.compile(
    r"\b[^\W\d_a-z][\w'’&.-]*"
    r"(?:\s+(?:(?:of|the|de|da|del|der|van|von|und|and|&)\s+){0,2}[^\W\d_a-z][\w'’&.-]*)*"
)
# These begin a sentence before a name that is none of theirs: In Harbor Rail's view.
_OPENING = frozenset(
    "a an the this that these those it its he she they we in on at by for from to of with after "
    "before during since until when while as but and or if no not there his her their our all "
    "some many most each both".split()
)
_WORD = re.compile(r"\w+")


def asked_for(question: str) -> str:
    """Return what the question's first wh-word asks for: "date", "year", "number", "amount",
    "name", or "" when it is none of these.
    """
    places = [
        (match.start(), kind) for kind, pattern in _ASKED if (match := pattern.search(question))
    ]
    return min(places)[1] if places else ""


def shortest_value(question: str, sentence: str) -> str:
    """Return the shortest value in the sentence of the kind that the question asks for.

    A value that the question itself has is none. Of equally short ones it is the first. Returns ""
    when there is none, or when the question asks for nothing that has a kind.
    """
    kind = asked_for(question)
    known = _folded(question)
    for values in _FINDERS[kind](sentence) if kind else ():
        new = [value for value in values if _folded(value) not in known]
        if new:
            return min(new, key=len)
    return ""


def _years(sentence: str) -> list[list[str]]:
    return [_YEAR.findall(sentence)]


def _dates(sentence: str) -> list[list[str]]:
    """Dates with a month, a day or a quarter; where there is none, years."""
    dates = [mention for mention in mentions(sentence) if mention.is_date]
    return [_texts(sentence, dates), *_years(sentence)]


def _numbers(sentence: str) -> list[list[str]]:
    return [_texts(sentence, [m for m in _counted(sentence) if m.currency is None])]


def _amounts(sentence: str) -> list[list[str]]:
    """Money; where there is none, numbers with a unit; and without these, numbers."""
    found = list(_counted(sentence))
    money = [mention for mention in found if mention.currency]
    measured = [mention for mention in found if mention.dimension]
    return [_texts(sentence, wanted) for wanted in (money, measured, found)]


def _names(sentence: str) -> list[list[str]]:
    """Capitalised words; one that stands alone at the sentence's beginning is no sign of a name."""
    found = []
    for match in _NAME.finditer(sentence):
        words = match.group().rstrip(".,'’&-").split()
        begins = not sentence[: match.start()].strip()
        while words and words[0].lower() in _OPENING:
            del words[0]
            begins = False
        if words and not (begins and len(words) == 1):
            found.append(" ".join(words))
    return [found]


def _counted(sentence: str) -> Iterator[Mention]:
    """The numbers that are no year."""
    for mention in mentions(sentence):
        if not mention.is_date and not _YEAR.fullmatch(sentence[mention.start : mention.end]):
            yield mention


def _texts(sentence: str, found: Iterable[Mention]) -> list[str]:
    return [sentence[mention.start : mention.end].strip() for mention in found]


def _folded(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.casefold()))} "


# Each gives lists of values: a later list counts only where the earlier ones have nothing new.
_FINDERS: dict[str, Callable[[str], list[list[str]]]] = {
    YEAR: _years,
    DATE: _dates,
    NUMBER: _numbers,
    AMOUNT: _amounts,
    NAME: _names,
}
