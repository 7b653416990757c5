"""One text against another, word by word: a rewrite or a twin against the request. Pure.

It shows what changed and certifies nothing: whether a constraint was kept is the judgements' word.
"""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

SAME, INSERTED, DELETED = "same", "ins", "del"
# Below this share of common words in order, deletions would say only that the text is another one.
READABLE = 0.4
_PUNCTUATION = re.compile(r"^[^\w%€$£<>=≤≥]+|[^\w%€$£<>=≤≥]+$")


@dataclass(frozen=True, slots=True)
class Piece:
    """Words that stand in both texts (`same`), only in the rewrite (`ins`) or only in the request
    (`del`).
    """

    state: str
    text: str


def word_diff(asked: str, rewritten: str) -> tuple[Piece, ...]:
    """Return the rewrite in pieces, with the request's lost words between them where that is
    readable.

    Words are compared without case and outer punctuation. When the two texts share too little
    order, only words that the request has nowhere are marked, as inserted.
    """
    before, after = asked.split(), rewritten.split()
    old, new = [_bare(word) for word in before], [_bare(word) for word in after]
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    if _is_far(matcher):
        known = set(old)
        states = [SAME if word in known else INSERTED for word in new]
        return _joined(list(zip(states, after, strict=True)))
    marked: list[tuple[str, str]] = []
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            marked += [(SAME, word) for word in after[k:m]]
            continue
        marked += [(DELETED, word) for word in before[i:j]]
        marked += [(INSERTED, word) for word in after[k:m]]
    return _joined(marked)


def diffs(asked: str, queries: Sequence[str]) -> tuple[tuple[Piece, ...], ...]:
    """Return the pieces of every sub-query; with several, only inserted words are marked."""
    found = tuple(word_diff(asked, query) for query in queries)
    if len(found) < 2:
        return found
    return tuple(tuple(p for p in pieces if p.state != DELETED) for pieces in found)


def is_written_anew(asked: str, rewritten: str) -> bool:
    """Tell whether the two share so little order that `word_diff` shows no deletions."""
    old, new = ([_bare(word) for word in text.split()] for text in (asked, rewritten))
    return _is_far(difflib.SequenceMatcher(None, old, new, autojunk=False))


def _is_far(matcher: "difflib.SequenceMatcher[str]") -> bool:
    return matcher.ratio() < READABLE


def _bare(word: str) -> str:
    return _PUNCTUATION.sub("", word).casefold() or word


def _joined(words: list[tuple[str, str]]) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    for state, word in words:
        if pieces and pieces[-1].state == state:
            pieces[-1] = Piece(state, f"{pieces[-1].text} {word}")
        else:
            pieces.append(Piece(state, word))
    return tuple(pieces)
