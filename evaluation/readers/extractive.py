"""A reader without a model: the sentence of the passages that shares most with the question."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from evaluation.readers.base import Passage, Reader, register
from evaluation.readers.sentences import split_sentences
from evaluation.readers.spans import shortest_value
from evaluation.records import Answer
from evaluation.retrieval.tokens import StopWords, tokenize


@dataclass(frozen=True, slots=True)
class ExtractiveParameters:
    """What counts.

    `use_titles`: whether titles do.
    `min_share`: the least share (0 to 1) of the question's weight that the sentence must match;
    below it the reader abstains.
    `stop_words`: the words that never do.
    `unit`: what of the best sentence is the answer, all of it or the value that is asked for.
    """

    use_titles: bool = True
    min_share: float = 0.0
    stop_words: StopWords = "english"
    unit: Literal["sentence", "span"] = "sentence"

    def __post_init__(self) -> None:
        if not 0 <= self.min_share <= 1:
            raise ValueError(f"min_share must lie between 0 and 1, not {self.min_share}.")


class _Candidate(NamedTuple):
    text: str
    document: str
    own: frozenset[str]
    words: frozenset[str]


@register("extractive", version="1")
class ExtractiveReader(Reader):
    """Answers with a sentence, or a value in it, and cites its document; abstains when no word is
    shared.

    Words count by their inverse document frequency over the passages' sentences (Lucene's form,
    ln(1 + (N - n + 0.5) / (n + 0.5)), which is positive), so that rare words of the question
    decide. A passage's title counts for each of its sentences: the sentence that answers often
    leaves out the name that the title has.

    With the unit "span" the answer is the shortest value of the best sentence that fits the
    question: a date for "when", a year for "what year", a number for "how many", an amount for "how
    much" (money, else a number with a unit, else a number), a capitalised name for "who". A value
    that the question has itself is none. Where nothing fits, and for every other question, the
    answer is the sentence. Which sentence it was is kept beside the answer.
    """

    Parameters = ExtractiveParameters
    parameters: ExtractiveParameters

    def read(self, question: str, passages: Sequence[Passage]) -> Answer:
        asked = self._words(question)
        candidates = [c for passage in passages for c in self._candidates(passage)]
        weights = _weights(asked, [c.words for c in candidates])
        whole = math.fsum(weights.values())
        found: _Candidate | None = None
        best = 0.0
        # In order of rank, then of the sentence: only a better one replaces an earlier one.
        for candidate in candidates:
            if asked.isdisjoint(candidate.own):
                continue
            score = math.fsum(weights[word] for word in asked & candidate.words)
            if score > best:
                found, best = candidate, score
        if found is None or best < self.parameters.min_share * whole:
            return Answer(text=None)
        value = shortest_value(question, found.text) if self.parameters.unit == "span" else ""
        taken_from = found.text if value else ""
        return Answer(value or found.text, citations=(found.document,), taken_from=taken_from)

    def _candidates(self, passage: Passage) -> Iterable[_Candidate]:
        hit, document = passage
        title = self._words(document.title) if self.parameters.use_titles else frozenset()
        for sentence in split_sentences(document.text):
            own = self._words(sentence)
            yield _Candidate(sentence, hit.id, own, own | title)

    def _words(self, text: str) -> frozenset[str]:
        return frozenset(tokenize(text, self.parameters.stop_words))


def _weights(asked: Iterable[str], units: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return the weight of each asked word over `units`, the word sets of all sentences."""
    counts = Counter(word for unit in units for word in unit)
    return {
        word: math.log(1 + (len(units) - counts[word] + 0.5) / (counts[word] + 0.5))
        for word in asked
    }
