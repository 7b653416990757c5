"""Standard RAG: one search, one reading."""

from evaluation.pipelines._trail import Trail
from evaluation.pipelines.base import Entry, Kit, Outcome, Pipeline, register


@register("standard", version="1")
class StandardPipeline(Pipeline):
    """Searches with the question as it is and reads the answer from what was found.

    Prompt and length of the answer are the reader's own, so that this is also what a run does with
    the rewriter "unchanged".

    Source: the baseline Standard RAG of Zhang et al. 2025, "QE-RAG", arXiv 2504.04062: one prompt
    with numbered passages and their titles that asks for the answer alone. It prints no prompt.
    """

    def run(self, entry: Entry, kit: Kit) -> Outcome:
        trail = Trail(kit)
        passages = trail.search(entry.searched)
        return trail.outcome(trail.read(entry.shown, passages), passages)
