"""Any rewriter by name, then one search and one reading."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.pipelines._rewriting import Rewrites
from evaluation.pipelines._trail import Trail
from evaluation.pipelines.base import Entry, Kit, Outcome, Pipeline, register
from evaluation.records import Answer, question_of
from evaluation.rewriters.base import REWRITERS


@dataclass(frozen=True, slots=True)
class RewrittenParameters:
    """Which rewriter, and how it is set.

    `rewriter`: its name.
    `parameters`: its parameters as JSON, for example {"max_words": 8}.
    """

    rewriter: str
    parameters: str = "{}"

    def __post_init__(self) -> None:
        REWRITERS.parameters(self.rewriter, self.given())

    def given(self) -> dict[str, Any]:
        """Return the parameters of the rewriter; raise ValueError when they are no JSON object."""
        try:
            given = json.loads(self.parameters)
        except ValueError as fault:
            raise ValueError(f"the rewriter's parameters are no JSON: {fault}.") from fault
        if not isinstance(given, dict):
            raise ValueError('the rewriter\'s parameters must be a JSON object: {"name": value}.')
        return given


@register("rewritten", version="1")
class RewrittenPipeline(Pipeline):
    """Searches with all queries of a rewriter and reads as a run does.

    The reader gets the rewrite as its question, or the question as it was shown where the rewrite
    is only made to search. Where the question that is searched is not the one that is shown, each
    is rewritten by itself. A rewrite that asks back is an abstention without a search. The search
    takes no filters, so that a rewrite with some is an error. What the rewriter itself looks up in
    the corpus is not among the retrievals.

    Source: our own, so that every rewriter can stand beside the pipelines; with the rewriter
    "ra_qcg" it is the correction of QE-RAG (Zhang et al. 2025, arXiv 2504.04062).
    """

    Parameters = RewrittenParameters
    parameters: RewrittenParameters

    def rewriter(self) -> tuple[str, Mapping[str, Any]]:
        return self.parameters.rewriter, self.parameters.given()

    def run(self, entry: Entry, kit: Kit) -> Outcome:
        trail = Trail(kit)
        rewrites = Rewrites(trail, entry, *self.rewriter())
        searched = rewrites.of(entry.searched)
        if searched.asks or not searched.queries:
            notes = {"clarification": searched.clarification, **rewrites.notes()}
            return trail.outcome(Answer(text=None), (), **notes)
        if searched.filters:
            raise trail.failed("the rewrite has filters, and the search of a pipeline takes none")
        passages = trail.search(*searched.queries)
        shown = rewrites.of(entry.shown)
        question = entry.shown if shown.asks else question_of(shown, entry.shown) or entry.shown
        return trail.outcome(trail.read(question, passages), passages, **rewrites.notes())
