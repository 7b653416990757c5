"""The small word lists in `lexicon/*.txt`, read once.

One entry a line, `#` begins a comment; a table's line is `phrase : meaning`. Phrases are folded and
split like every other text.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from evaluation.scoring.preservation.text import Text, read_text

FOLDER = Path(__file__).with_name("lexicon")


class Found(NamedTuple):
    """A phrase in a text: its words `first` up to `end`, and what the list says it means."""

    first: int
    end: int
    meaning: str


class Phrases:
    """A word list that finds its phrases in texts, the longest first. It compares folded words."""

    def __init__(self, entries: Iterable[tuple[tuple[str, ...], str]]) -> None:
        self.entries = tuple(sorted(entries, key=lambda entry: -len(entry[0])))
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        self._by_last: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for words, meaning in self.entries:
            self._by_first.setdefault(words[0], []).append((words, meaning))
            self._by_last.setdefault(words[-1], []).append((words, meaning))
        self._firsts = frozenset(self._by_first)

    def starting_at(self, text: Text, first: int) -> Found | None:
        """Return the longest phrase whose first word is word `first`, or None."""
        if first >= len(text.words):
            return None
        for words, meaning in self._by_first.get(text.words[first].text, ()):
            end = first + len(words)
            if tuple(word.text for word in text.words[first:end]) == words:
                return Found(first, end, meaning)
        return None

    def ending_at(self, text: Text, end: int) -> Found | None:
        """Return the longest phrase whose last word is the one before `end`, or None."""
        if not 0 < end <= len(text.words):
            return None
        for words, meaning in self._by_last.get(text.words[end - 1].text, ()):
            first = end - len(words)
            if first >= 0 and tuple(word.text for word in text.words[first:end]) == words:
                return Found(first, end, meaning)
        return None

    def all_in(self, text: Text) -> Iterator[Found]:
        """Yield the phrases of a text from left to right; they never overlap."""
        if text.vocabulary.isdisjoint(self._firsts):
            return  # most lists have nothing in most texts
        at = 0
        while at < len(text.words):
            found = self.starting_at(text, at)
            if found:
                yield found
            at = found.end if found else at + 1

    def __contains__(self, word: str) -> bool:
        return any(words == (word,) for words, _ in self._by_first.get(word, ()))


@cache
def phrases(name: str) -> Phrases:
    """Return the list `lexicon/<name>.txt`. A missing file is a FileNotFoundError."""
    return Phrases(_entries(name))


@cache
def words(name: str) -> frozenset[str]:
    """Return the one-word entries of a list, folded."""
    return frozenset(entry[0] for entry, _ in phrases(name).entries if len(entry) == 1)


@cache
def table(name: str) -> dict[str, str]:
    """Return the one-word entries of a table with their meanings."""
    return {entry[0]: mean for entry, mean in phrases(name).entries if len(entry) == 1}


def _entries(name: str) -> Iterator[tuple[tuple[str, ...], str]]:
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        entry = line.partition("#")[0].strip()
        phrase, _, meaning = entry.rpartition(" : ") if " : " in entry else (entry, "", "")
        found = tuple(word.text for word in read_text(phrase.strip()).words)
        if found:
            yield found, meaning.strip()
