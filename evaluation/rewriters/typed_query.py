"""Typing errors corrected by edit distance, with the corpus's own words first. The only module that
imports pyspellchecker.

A word that stands in the corpus is what a search can find, so it is never touched: names of the
corpus survive, whatever a dictionary thinks of them.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import version
from typing import Any

from evaluation.records import RequestText, Rewrite
from evaluation.retrieval.tokens import tokenize
from evaluation.rewriters.base import Rewriter, register

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
# What stands in one run with these is an address, a path or a name of code, not a typed word.
_NO_WORDS = re.compile(r"[@/\\_#=<>{}]|\w\.\w")
# How much likelier a slip to a key beside the right one, or two letters swapped, is than another
# edit. On NoiseQA's typed questions 10 repaired more than 3, and 3 more than 1.
_SLIP = 10.0


@dataclass(frozen=True, slots=True)
class TypedQueryParameters:
    """What is corrected, and how far.

    `distance`: the most edits between a word and its correction (1 or 2); an edit adds, drops or
    changes a letter or swaps two neighbours.
    `shortest`: words of fewer letters are left alone.
    `two_edits_from`: the fewest letters of a word that may take two edits.
    `corpus_share`: how much a word's share of the corpus weighs beside its share of English, from
    0 to 1; a corpus has fewer words than English, so that one of its own mostly wins at a half.
    """

    distance: int = 2
    shortest: int = 3
    two_edits_from: int = 7
    corpus_share: float = 0.5

    def __post_init__(self) -> None:
        if self.distance not in (1, 2):
            raise ValueError(f"distance must be 1 or 2, not {self.distance}.")
        if self.shortest < 2 or self.two_edits_from < self.shortest:
            raise ValueError("shortest must be at least 2, and two_edits_from no less than that.")
        if not 0 <= self.corpus_share <= 1:
            raise ValueError(f"corpus_share must lie between 0 and 1, not {self.corpus_share}.")


class Vocabulary:
    """The words of a corpus with their counts, as `CorpusView.words` gives them."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        self._counts = counts
        self._total = sum(counts.values()) or 1

    def __contains__(self, word: str) -> bool:
        return word in self._counts

    def share(self, word: str) -> float:
        """Return which share of the corpus's words it is, 0 to 1."""
        return self._counts.get(word, 0) / self._total


@register("typed_query", version="1")
class TypedQueryRewriter(Rewriter):
    """Typing errors corrected without a model: unknown words become the nearest word of the corpus
    or of an English dictionary.

    Spacing, punctuation and capitals stay. A word of the corpus or of the dictionary is left alone,
    and so are words with digits or an apostrophe, in capitals or in mixed case, short ones and what
    looks like an address. Fewer edits win; then the word that is more frequent in the corpus and in
    English, a slip to a neighbouring key counting ten times. A name (a capitalised word inside a
    sentence) is corrected only to a word of the corpus, by one edit. An error that makes another
    word ("hear" for "heart") is not seen.

    Source: our own; candidates and the dictionary are pyspellchecker's, after Norvig 2007, "How to
    Write a Spelling Corrector".
    """

    Parameters = TypedQueryParameters
    parameters: TypedQueryParameters
    needs_corpus = True

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Return the words of the corpus; raise PartError when none was given."""
        return Vocabulary(self.view.words())

    def libraries(self) -> Mapping[str, str]:
        return {"pyspellchecker": version("pyspellchecker")}

    def write(self, request: RequestText) -> Rewrite:
        text, corrected = correct(request.text, self.vocabulary, self.parameters)
        if not corrected:
            return Rewrite(kind="unchanged", queries=(request.text,))
        notes = {"corrected": [list(pair) for pair in corrected]}
        return Rewrite(kind="standalone", queries=(text,), notes=notes)


def correct(
    text: str, words: Vocabulary, parameters: TypedQueryParameters
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return (the corrected text, each word that changed with what it became), in order."""
    parts: list[str] = []
    corrected: list[tuple[str, str]] = []
    end = 0
    for begin, word, named in _words_of(text):
        better = _better(word, words, parameters, named=named)
        if better == word:
            continue
        parts += [text[end:begin], better]
        corrected.append((word, better))
        end = begin + len(word)
    return "".join([*parts, text[end:]]), tuple(corrected)


def plain(text: str) -> str:
    """Return the text as pyspellchecker alone corrects it, each word between blanks by itself."""
    checker = _dictionary()
    return " ".join(checker.correction(word) or word for word in text.split())


def _words_of(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield (where it begins, the word, whether it stands as a name does) of what may be typed."""
    for run in re.finditer(r"\S+", text):
        if _NO_WORDS.search(run.group()):
            continue
        for found in _WORD.finditer(text, run.start(), run.end()):
            around = text[max(found.start() - 1, 0) : found.start()] + text[found.end() :][:1]
            if any(letter.isdigit() for letter in around):
                continue
            before = text[: found.start()].rstrip("\"'\u201c\u2018([ \t\n")
            begins = not before or before[-1] in ".?!:"
            yield found.start(), found.group(), found.group()[0].isupper() and not begins


def _better(word: str, words: Vocabulary, parameters: TypedQueryParameters, *, named: bool) -> str:
    plain_case = word.islower() or (word[0].isupper() and word[1:].islower())
    if len(word) < parameters.shortest or not plain_case or "'" in word or "\u2019" in word:
        return word
    low = word.lower()
    if all(token in words for token in tokenize(low)) or low in _dictionary():
        return word
    best = _nearest(low, words, parameters, edits=1, named=named)
    twice = parameters.distance > 1 and len(low) >= parameters.two_edits_from and not named
    if best is None and twice:
        best = _nearest(low, words, parameters, edits=2, named=named)
    if best is None:
        return word
    return best.capitalize() if word[0].isupper() else best


def _nearest(
    low: str, words: Vocabulary, parameters: TypedQueryParameters, *, edits: int, named: bool
) -> str | None:
    """Return the best word so many edits away, None when there is none. Ties go by the alphabet."""
    checker = _dictionary()
    near = checker.edit_distance_1(low) if edits == 1 else checker.edit_distance_2(low)
    known = {one for one in near if one in words or (not named and one in checker)}
    candidates = sorted(one for one in known if len(one) > 1 and one.isalpha())
    share = parameters.corpus_share

    def likely(one: str) -> float:
        frequency = share * words.share(one) + (1 - share) * checker.word_usage_frequency(one)
        return float(frequency * (_SLIP if _is_slip(low, one) else 1.0))

    return max(candidates, key=likely, default=None)


def _is_slip(low: str, candidate: str) -> bool:
    """Whether one letter became that of a key beside it, or two neighbours changed places."""
    if len(low) != len(candidate):
        return False
    differing = [(a, b) for a, b in zip(low, candidate, strict=True) if a != b]
    if len(differing) == 2:
        return differing[0] == differing[1][::-1]
    return len(differing) == 1 and differing[0][1] in _neighbours().get(differing[0][0], "")


@cache
def _neighbours() -> Mapping[str, frozenset[str]]:
    """The keys beside each key of an English keyboard; each row lies half a key to the right."""
    at = {
        key: (row, place + row / 2)
        for row, keys in enumerate(_ROWS)
        for place, key in enumerate(keys)
    }
    return {
        key: frozenset(
            other
            for other, (r, p) in at.items()
            if other != key and abs(r - row) <= 1 and abs(p - place) <= 1
        )
        for key, (row, place) in at.items()
    }


@cache
def _dictionary() -> Any:
    """The bundled English dictionary, read once in a process: it takes a fifth of a second."""
    from spellchecker import SpellChecker

    return SpellChecker(language="en", distance=2)
