"""Iter-Retgen: the answer of one pass helps the search of the next."""

from dataclasses import dataclass
from typing import Any

from evaluation.pipelines._trail import Trail
from evaluation.pipelines.base import Entry, Kit, Outcome, Pipeline, register
from evaluation.readers.base import Passage
from evaluation.records import Answer


@dataclass(frozen=True, slots=True)
class IterParameters:
    """How often it searches and answers.

    `passes`: the first pass and its refinements together; 2 is one refinement.
    """

    passes: int = 2

    def __post_init__(self) -> None:
        if not 1 <= self.passes <= 8:
            raise ValueError(f"passes must lie between 1 and 8, not {self.passes}.")


@register("iter_retgen", version="1")
class IterRetgenPipeline(Pipeline):
    """Searches and answers; then searches with the question and that answer, and answers anew.

    Every later search is for the question, a blank and the last answer without its citation. The
    reader always gets the question as it was shown and the passages of the last search alone. An
    abstention adds nothing to the question, so that the next pass would be the same: it ends there.

    Source: Shao et al. 2023, "Enhancing Retrieval-Augmented Large Language Models with Iterative
    Retrieval-Generation Synergy", arXiv 2305.15294. The "one round" of QE-RAG (Zhang et al. 2025,
    arXiv 2504.04062) is read as one refinement after the first pass: 2 searches and 2 answers, as
    none would be its Standard RAG. FlashRAG's default is 3 passes.
    """

    Parameters = IterParameters
    parameters: IterParameters

    def run(self, entry: Entry, kit: Kit) -> Outcome:
        trail = Trail(kit)
        answer, query = Answer(text=None), entry.searched
        passages: list[Passage] = []
        passed: list[dict[str, Any]] = []
        for _ in range(self.parameters.passes):
            passages = trail.search(query)
            answer = trail.read(entry.shown, passages)
            hits = [hit.id for hit, _document in passages]
            passed.append({"query": query, "answer": answer.text, "hits": hits})
            if not answer.text:
                break
            query = f"{entry.searched} {answer.text}"
        return trail.outcome(answer, passages, passes=passed)
