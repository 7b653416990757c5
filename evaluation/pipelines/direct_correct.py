"""Direct-Correct: the question is corrected first, from its own text alone."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from evaluation.pipelines._rewriting import Rewrites
from evaluation.pipelines._trail import Trail
from evaluation.pipelines.base import Entry, Kit, Outcome, Pipeline, register
from evaluation.rewriters.direct_correct import DirectCorrectParameters


@dataclass(frozen=True, slots=True)
class CorrectingParameters(DirectCorrectParameters):
    """How the rewriter "direct_correct" asks, and what the reader gets.

    `shown`: whether the reader gets the corrected question or the one that was entered.
    """

    shown: Literal["corrected", "entered"] = "corrected"


@register("direct_correct", version="1")
class DirectCorrectPipeline(Pipeline):
    """The rewriter "direct_correct" corrects the question; the corrected one is searched and read.

    Where the question that is searched is not the one that is shown, each is corrected by itself.
    Whether the reader gets the correction is kept with every outcome.

    Source: the baseline Direct-Correct of Zhang et al. 2025, "QE-RAG", arXiv 2504.04062. It
    retrieves with the corrected question and does not say whether the reader sees it too; here it
    does unless `shown` says otherwise. The prompt is the rewriter's.
    """

    Parameters = CorrectingParameters
    parameters: CorrectingParameters
    needs_generator = True

    def rewriter(self) -> tuple[str, Mapping[str, Any]]:
        given = asdict(self.parameters)
        del given["shown"]
        return "direct_correct", given

    def run(self, entry: Entry, kit: Kit) -> Outcome:
        trail = Trail(kit)
        corrected = Rewrites(trail, entry, *self.rewriter())
        passages = trail.search(*corrected.of(entry.searched).queries)
        question = entry.shown
        if self.parameters.shown == "corrected":
            question = corrected.of(entry.shown).queries[0]
        answer = trail.read(question, passages)
        notes = corrected.notes()
        return trail.outcome(answer, passages, shown=self.parameters.shown, **notes)
