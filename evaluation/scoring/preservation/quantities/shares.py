"""Shares in words, read as percentages: "two thirds", "more than half", "a quarter of farms"."""

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.quantities.spoken_numbers import Spoken
from evaluation.scoring.preservation.text import Text

_PARTS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8,
          "tenth": 10}  # fmt: skip
# What may follow a lone "third" that is a share, and no ordinal or span of time.
_AFTER = ("of", "the", "its", "their", "all", "these", "those", "or", "and", "majority", "share")
# How far a share in words may be from the number that a contract gives for it, in points.
SAME, NEARLY = 0.1, 0.7


def spoken_share(text: Text, at: int) -> Spoken | None:
    """Return the share that the words from `at` say, in percent, or None where they say none.

    A lone "half", "third" or "quarter" is one after a bound or before "of"; "half an hour", "the
    third time" and "a quarter of 2019" are none.
    """
    word = text.words[at].text
    if word == "half":
        share = Spoken(at + 1, 50.0)
        return share if _bounded(text, at) and _ends(text, at + 1) else None
    top = "1" if word in ("a", "one") else lexicon.table("numbers").get(word, "")
    part = (
        text.words[at + 1] if at + 1 < len(text) and text.words[at + 1].gap in ("", "-") else None
    )
    if part is None or not top.isdecimal() or not 0 < int(top) < 10:
        return None
    below = _PARTS.get(part.stem)
    if below is None or below <= int(top) or part.text == "half":
        return None
    share = Spoken(at + 2, 100 * int(top) / below)
    if not _ends(text, share.end):
        return None
    if top != "1":
        return share if part.text != part.stem else None
    of = _word(text, share.end) == "of"
    return share if _bounded(text, at) or of else None


def _word(text: Text, at: int) -> str:
    return text.words[at].text if at < len(text) else ""


def _bounded(text: Text, at: int) -> bool:
    return lexicon.phrases("operators_before").ending_at(text, at) is not None


def _ends(text: Text, end: int) -> bool:
    """Whether no noun follows that makes the words an ordinal, a span or another number."""
    if end >= len(text) or text.words[end].gap not in ("", "-"):
        return True
    if text.words[end].text == "of" and end + 1 < len(text):
        return not (text.words[end + 1].is_number or text.words[end + 1].text in ("a", "an"))
    word = text.words[end].text
    return word in _AFTER or word in lexicon.words("stopwords") and word not in ("a", "an")
