"""HyDE: a passage that the model makes up is searched with."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from evaluation.pipelines._rewriting import Rewrites
from evaluation.pipelines._trail import Trail
from evaluation.pipelines.base import Entry, Kit, Outcome, Pipeline, register
from evaluation.rewriters.hyde import HydeParameters


@dataclass(frozen=True, slots=True)
class HydePipelineParameters(HydeParameters):
    """How the rewriter "hyde" asks; the defaults are one passage in the question's place, greedy.

    `n`: passages, each its own call with its own seed (`seed`, `seed` + 1, ...); above 1 with a
    temperature above 0, or they are alike.
    """

    temperature: float = 0.0
    n: int = 1
    include_query: bool = False


@register("hyde", version="1")
class HydePipeline(Pipeline):
    """The rewriter "hyde" makes up passages that answer the question; they are only searched with.

    The reader gets the question as it was shown, never what was made up.

    Source: the baseline HyDE of Zhang et al. 2025, "QE-RAG", arXiv 2504.04062: one passage that
    replaces the question in the search. HyDE itself (Gao et al. 2023, arXiv 2212.10496) is `n` 8,
    `include_query` true and `temperature` 0.7; it averages their vectors, where the search here
    joins the results of all queries. The prompt is the rewriter's.
    """

    Parameters = HydePipelineParameters
    parameters: HydePipelineParameters
    needs_generator = True

    def rewriter(self) -> tuple[str, Mapping[str, Any]]:
        return "hyde", asdict(self.parameters)

    def run(self, entry: Entry, kit: Kit) -> Outcome:
        trail = Trail(kit)
        made_up = Rewrites(trail, entry, *self.rewriter())
        passages = trail.search(*made_up.of(entry.searched).queries)
        return trail.outcome(trail.read(entry.shown, passages), passages, **made_up.notes())
