"""REPLUG: one prompt for each passage, and one answer from all their distributions.

The prompt is here and nowhere else; its text and hash are frozen with the pipeline.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from evaluation.pipelines._mixing import (
    likeliest,
    mixed_logits,
    mixed_probabilities,
    shares,
    softmax,
)
from evaluation.pipelines._prompts import cut, messages
from evaluation.pipelines._trail import Trail
from evaluation.pipelines.base import Entry, Kit, Outcome, Pipeline, TokenModel, register
from evaluation.readers.base import Passage
from evaluation.readers.prompted import Prompting, parse_answer
from evaluation.records import Answer

INSTRUCTION = (
    "Answer the question from the passage. Write the shortest answer that is complete and nothing "
    "else."
)
ASKED = "{title}\n{text}\n\nQuestion: {question}\nAnswer:"


@dataclass(frozen=True, slots=True)
class ReplugParameters(Prompting):
    """How the passages are weighed, and what the model gets to read.

    `rule`: "probabilities" weighs them by the softmax of their scores and averages probabilities;
    "flashrag" weighs them by their share of all scores and averages logits.
    """

    max_tokens: int = 32
    on_cut: Literal["error", "keep"] = "keep"
    rule: Literal["probabilities", "flashrag"] = "probabilities"


@register("replug", version="1")
class ReplugPipeline(Pipeline):
    """One prompt per passage; the next token is the likeliest of their weighted mean distribution.

    p(y) = Σ λ_d p(y | d, q), λ the softmax of the scores of the search as they are: BM25 scores lie
    far apart and nearly choose one passage, those of a fusion lie close and weigh all alike. It
    takes the likeliest token each time (the first on a tie) until a token ends the answer or at
    `max_tokens`. The model is not told that it may abstain: a single passage says little of what is
    in the others. The rule "flashrag" refuses negative scores, which are no weights.

    It needs the probabilities of tokens: the model in INTACT_READER_MODEL.

    Source: Shi et al. 2024, "REPLUG", arXiv 2301.12652, section 3.2; a baseline of QE-RAG (Zhang et
    al. 2025, arXiv 2504.04062), which decodes greedily and prints no prompt. FlashRAG's code
    divides scores by their sum, averages logits and samples; its rule is offered, without the
    sampling.
    """

    Parameters = ReplugParameters
    parameters: ReplugParameters
    needs_tokens = True

    def prompts(self) -> Mapping[str, str]:
        return {"instruction": INSTRUCTION, "asked": ASKED}

    def run(self, entry: Entry, kit: Kit) -> Outcome:
        trail = Trail(kit)
        passages = trail.search(entry.searched)
        if not passages:
            return trail.outcome(Answer(text=None), passages)
        if kit.tokens is None:
            raise trail.failed("the pipeline replug was given no token model")
        weights = self._weights(trail, passages)
        prompts = self._prompts(trail, kit.tokens, entry.shown, passages)
        trail.generations += len(prompts)
        began = time.monotonic()
        written, truncated = self._written(kit.tokens, prompts, weights)
        latency_ms = (time.monotonic() - began) * 1000
        trail.took(latency_ms, sum(map(len, prompts)), len(written))
        raw = kit.tokens.text(written)
        if truncated and self.parameters.on_cut == "error":
            raise trail.failed(f"the answer was cut at {self.parameters.max_tokens} tokens", raw)
        text, _numbers = parse_answer(raw)
        if text == "":
            raise trail.failed("the model wrote no answer", raw)
        return trail.outcome(Answer(text), passages, weights=weights, truncated=truncated)

    def _weights(self, trail: Trail, passages: Sequence[Passage]) -> list[float]:
        scores = [hit.score for hit, _document in passages]
        if self.parameters.rule == "probabilities":
            return softmax(scores)
        try:
            return shares(scores)
        except ValueError as fault:
            raise trail.failed(str(fault)) from fault

    def _prompts(
        self, trail: Trail, model: TokenModel, question: str, passages: Sequence[Passage]
    ) -> list[list[int]]:
        p = self.parameters
        prompts = []
        for _hit, document in passages:
            asked = ASKED.format(
                title=document.title,
                text=cut(document.text, p.max_passage_words),
                question=" ".join(question.split()),
            )
            prompts.append(model.encode(messages(INSTRUCTION, asked, p.instruction_in)))
        longest, room = max(map(len, prompts)), model.context - p.max_tokens
        if longest > room:
            raise trail.failed(
                f"the question and one passage take {longest} tokens; beside an answer of "
                f"{p.max_tokens} the model reads {max(room, 0)}"
            )
        return prompts

    def _written(
        self, model: TokenModel, prompts: Sequence[list[int]], weights: Sequence[float]
    ) -> tuple[list[int], bool]:
        """Return the tokens of the answer, and whether they were cut."""
        mix = mixed_logits if self.parameters.rule == "flashrag" else mixed_probabilities
        ends = set(model.ends())
        written: list[int] = []
        while len(written) < self.parameters.max_tokens:
            rows = [model.next_log_probs([*prompt, *written]) for prompt in prompts]
            best = likeliest(mix(rows, weights))
            if best in ends:
                return written, False
            written.append(best)
        return written, True
