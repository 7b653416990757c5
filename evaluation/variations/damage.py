"""What a variation damaged of its source, as flags that are counted and reject nothing by
themselves. Labels are copied from the source; where a flag of these is up, they may no longer fit.
"""

import dataclasses
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from rapidfuzz.distance import Levenshtein

from evaluation.scoring.answer_text import find_sublist, inacc_tokens
from evaluation.variations.protection import COMPARISON, NEGATIONS, NOT, OPENERS, TIME

_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(r"(?<!\w)\d+(?:[.,:/-]\d+)*(?!\w)")
_WORD = re.compile(r"\w+")
_SENTENCE_END = re.compile(r"[.!?]\s+|\n+")


@dataclasses.dataclass(frozen=True, slots=True)
class Damage:
    """What differs between a source and its variation.

    `unchanged`: equal but for white space at the ends.
    `digits_changed`: the runs of digits are others, which a letter that became a digit also does.
    `number_changed`: a number that stands as a word of its own is gone, or a new one is there.
    `entity_token_changed`: a capitalised word of the source is gone as it was written. A word that
    only begins a sentence ("What") counts for none.
    `negation_changed`, `temporal_or_comparative_changed`: a word of that kind is gone or is new, in
    any case of its letters.
    `answer_leak`: an answer stands in it as whole words, in any case, and not in the source.
    `spacing_only`: nothing but white space differs.
    `edit_distance`: Levenshtein's, in characters.
    """

    unchanged: bool
    digits_changed: bool
    number_changed: bool
    entity_token_changed: bool
    negation_changed: bool
    temporal_or_comparative_changed: bool
    answer_leak: bool
    spacing_only: bool
    edit_distance: int

    def to_json(self) -> dict[str, bool | int]:
        return dataclasses.asdict(self)


def damage(source: str, text: str, answers: Sequence[str] = ()) -> Damage:
    """Return what `text` damaged of `source`."""
    unchanged = source.strip() == text.strip()
    return Damage(
        unchanged=unchanged,
        digits_changed=_DIGITS.findall(source) != _DIGITS.findall(text),
        number_changed=sorted(_NUMBER.findall(source)) != sorted(_NUMBER.findall(text)),
        entity_token_changed=bool(Counter(entity_tokens(source)) - Counter(_WORD.findall(text))),
        negation_changed=_negations(source) != _negations(text),
        temporal_or_comparative_changed=_ordering(source) != _ordering(text),
        answer_leak=leaks(source, text, answers) > 0,
        spacing_only=not unchanged and "".join(source.split()) == "".join(text.split()),
        edit_distance=Levenshtein.distance(source, text),
    )


def leaks(source: str, text: str, answers: Sequence[str]) -> int:
    """Return how many answers stand in the text and not in the source; tokens are those of InAcc.

    An answer that has no tokens is left out: it would stand in every text.
    """
    before, after = inacc_tokens(source), inacc_tokens(text)
    needles = [tokens for tokens in map(inacc_tokens, answers) if tokens]
    return sum(
        find_sublist(needle, after) is not None and find_sublist(needle, before) is None
        for needle in needles
    )


def entity_tokens(text: str) -> tuple[str, ...]:
    """Return the words with a capital letter, but for a common word that begins a sentence."""
    found: list[str] = []
    for sentence in _SENTENCE_END.split(text):
        words = _WORD.findall(sentence)
        found += words[:1] if words and words[0].lower() not in OPENERS else []
        found += words[1:]
    return tuple(word for word in found if any(letter.isupper() for letter in word))


def _negations(text: str) -> Counter[str]:
    """Each negation with its count; "n't" is one however an apostrophe was spaced."""
    found = _counted(NOT.sub("", text), NEGATIONS)
    found["n't"] = len(NOT.findall(text))
    return found


def _ordering(text: str) -> Counter[str]:
    return _counted(text, TIME | COMPARISON)


def _counted(text: str, words: Iterable[str]) -> Counter[str]:
    known = frozenset(words)
    return Counter(word for word in map(str.casefold, _WORD.findall(text)) if word in known)
