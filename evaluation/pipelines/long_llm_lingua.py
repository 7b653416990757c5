"""LongLLMLingua: what speaks least to the question is taken out of the passages.

The model only compresses; the answer is the reader's, with the reader's prompt.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from evaluation.pipelines._compression import (
    contrast,
    keeping_ratios,
    kept_places,
    mean,
    within_budget,
)
from evaluation.pipelines._prompts import cut
from evaluation.pipelines._trail import Trail
from evaluation.pipelines.base import Entry, Kit, Outcome, Pipeline, TokenModel, register
from evaluation.readers.base import Passage
from evaluation.records import Answer

BETWEEN = "\n\n"


@dataclass(frozen=True, slots=True)
class LinguaParameters:
    """How much of the passages is kept.

    `rate`: the share of all tokens of the passages that is aimed at.
    `delta`: how far the share of the best passage is raised, and that of the last lowered.
    `more`: tokens beyond the aim that whole passages may spend before any token is dropped.
    `max_passage_words`: words of each passage that are looked at; the rest of it is cut.
    """

    rate: float = 0.5
    delta: float = 0.3
    more: int = 100
    max_passage_words: int = 200

    def __post_init__(self) -> None:
        if not 0 < self.rate <= 1:
            raise ValueError(f"rate must lie above 0 and not above 1, not {self.rate}.")
        if not 0 <= self.delta <= 1:
            raise ValueError(f"delta must lie between 0 and 1, not {self.delta}.")
        if self.more < 0 or self.max_passage_words < 1:
            raise ValueError("more must be at least 0 and max_passage_words at least 1.")


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A passage, the tokens of its text, and the mean loss of the question after it."""

    passage: Passage
    tokens: list[int]
    loss: float


@register("long_llm_lingua", version="1")
class LongLlmLinguaPipeline(Pipeline):
    """Ranks the passages, drops the last ones and, in those that stay, the tokens that the question
    says least about; the reader answers from what is left, best passage first.

    A passage ranks by the mean loss of the question's tokens after it, the lowest first. Passages
    are kept until their tokens have spent the aim (`rate` of all tokens) and `more`. Each of them
    keeps the share that reaches the aim, shifted by its rank, of its tokens: those whose loss falls
    most when the question stands before the passage. Titles are kept, and the question and the
    reader's prompt are not compressed.

    It needs the probabilities of tokens: the model in INTACT_READER_MODEL compresses.

    Source: Jiang et al. 2024, "LongLLMLingua", arXiv 2310.06839, sections 4.1 to 4.3; a baseline of
    QE-RAG (Zhang et al. 2025, arXiv 2504.04062) with rate 0.5 and the language model itself as the
    compressor. `delta` 0.3, 100 tokens more and compressing the passages alone are those of
    FlashRAG. The paper adds a sentence to the question when it ranks, judges tokens in pieces after
    the pieces already compressed, and repairs names in the answer; here the question stands alone,
    every token is judged after the whole text before it in its passage, and nothing is repaired.
    """

    Parameters = LinguaParameters
    parameters: LinguaParameters
    needs_tokens = True

    def run(self, entry: Entry, kit: Kit) -> Outcome:
        trail = Trail(kit)
        passages = trail.search(entry.searched)
        if not passages:
            return trail.outcome(Answer(text=None), passages)
        if kit.tokens is None:
            raise trail.failed("the pipeline long_llm_lingua was given no token model")
        began = time.monotonic()
        kept, notes = self._compressed(kit.tokens, entry.shown, passages)
        trail.waited((time.monotonic() - began) * 1000)
        return trail.outcome(trail.read(entry.shown, kept), kept, **notes)

    def _compressed(
        self, model: TokenModel, question: str, passages: Sequence[Passage]
    ) -> tuple[list[Passage], dict[str, object]]:
        """Return the passages that are left, best first, with what is left of their texts."""
        p = self.parameters
        asked = model.tokens(" ".join(question.split()))
        ranked = sorted(
            (self._weighed(model, asked, passage) for passage in passages),
            key=lambda weighed: weighed.loss,
        )
        lengths = [len(weighed.tokens) for weighed in ranked]
        target = p.rate * sum(lengths)
        count = within_budget(lengths, target + p.more)
        ratios = keeping_ratios(lengths[:count], target, p.delta)
        between = model.tokens(BETWEEN)
        left: list[Passage] = []
        sizes: list[int] = []
        for weighed, ratio in zip(ranked, ratios, strict=False):  # the ratios are of those kept
            (hit, document), tokens = weighed.passage, weighed.tokens
            without = model.losses([], tokens)
            given = model.losses([*asked, *between], tokens)
            places = kept_places(contrast(without, given), ratio)
            text = model.text([tokens[place] for place in places])
            sizes.append(len(places))
            left.append((hit, replace(document, text=text)))
        return left, {
            "ranked": [weighed.passage[0].id for weighed in ranked],
            "losses": [weighed.loss for weighed in ranked],
            "ratios": ratios,
            "tokens": {"before": lengths, "after": sizes},
            "shown": [document.text for _hit, document in left],
        }

    def _weighed(self, model: TokenModel, asked: Sequence[int], passage: Passage) -> _Weighed:
        text = cut(passage[1].text, self.parameters.max_passage_words)
        tokens = model.tokens(text)
        loss = mean(model.losses([*tokens, *model.tokens(BETWEEN)], asked))
        return _Weighed(passage, tokens, loss)
