"""What makes a written year doubtful: another calendar, a numbered thing, a year in words."""

import re

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.text import Text
from evaluation.scoring.preservation.times.time_mentions import TimeMention

_CENTURIES = ("16", "17", "18", "19", "20")


def other_calendar(text: Text, mention: TimeMention, reading: Reading) -> bool:
    """Whether "fiscal", "academic year" and the like stand beside a time; the request lacks it."""
    for at in range(max(0, mention.first - 3), min(mention.end + 3, len(text))):
        word = text.words[at]
        if word.text not in lexicon.words("calendars") or text.roots[at] in reading.known_roots:
            continue
        following = text.words[at + 1].stem if at + 1 < len(text) else ""
        if word.text in ("fiscal", "fy") or following in ("year", "quarter", "term"):
            return True
    return False


def labels_a_thing(text: Text, mention: TimeMention, reading: Reading) -> bool:
    """Whether a bare year numbers a thing ("room 2019") or begins a name ("2019 Elm Street")."""
    period = mention.period
    bare = mention.end == mention.first + 1 and not mention.relation
    if not bare or period is None or period.grain != "year":
        return False
    at = mention.first
    if _glued(text, at):
        return True
    if at and text.words[at].gap in ("", "#", "-") and text.words[at - 1].text != "calendar":
        before = text.words[at - 1]
        if before.stem in lexicon.words("numbered_things"):
            return True
        if text.words[at].gap == "-" and text.words[at].adjacent is False and before.raw.isupper():
            return text.roots[at - 1] not in reading.known_roots
    if text.words[at].gap.endswith("#"):
        return True
    follows = (word.stem for word in text.words[mention.end : mention.end + 3])
    return any(word in lexicon.words("street_words") for word in follows)


def _glued(text: Text, at: int) -> bool:
    """Whether Latin letters touch the digits ("A2019", "2019er")."""
    before = text.words[at - 1].raw if at and text.words[at].adjacent else ""
    after = text.words[at + 1].raw if text.words[at + 1 : at + 2] and (
        text.words[at + 1].adjacent
    ) else ""  # fmt: skip
    return any(word.isascii() and word.isalpha() for word in (before, after))


def spoken_year(text: Text) -> str:
    """The words of "twenty nineteen", "two thousand and five" or "MMXIX", or ""."""
    values = lexicon.table("numbers")
    for at, word in enumerate(text.words):
        if len(word.raw) > 3 and re.fullmatch("MC?[MDCLXVI]+", word.raw):
            return text.quote(at, at + 1)
        if at + 1 == len(text):
            break
        following = text.words[at + 1].text
        number, second = values.get(word.text), values.get(following)
        century = number in _CENTURIES and second is not None and float(second) >= 10
        hundreds = number in _CENTURIES and following in ("hundred", "oh", "o")
        if century or hundreds or number == "2" and following == "thousand":
            return text.quote(at, at + 2)
    return ""
