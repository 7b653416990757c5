"""Hypothetical documents: passages that would answer the request are what is searched with.

The prompt is here and nowhere else; its text and hash are part of the Conditions of a run.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from evaluation.records import RequestText, Rewrite
from evaluation.rewriters._replies import (
    CONTEXT,
    ModelRewriter,
    Sampling,
    context_of,
    one_line,
    read_passage,
)
from evaluation.rewriters.base import register

INSTRUCTION = "Please write a passage to answer the question."
ASKED = "{context}Question: {text}\nPassage:"


@dataclass(frozen=True, slots=True)
class HydeParameters(Sampling):
    """How many passages, and how they are sampled.

    `n`: passages, each its own call with its own seed (`seed`, `seed` + 1, ...).
    `include_query`: whether the request is searched with too, before the passages.
    `on_cut`: whether a passage that was cut at `max_tokens` is kept or is an error.
    """

    max_tokens: int = 512
    temperature: float = 0.7
    n: int = 8
    include_query: bool = True
    on_cut: Literal["keep", "error"] = "keep"

    def __post_init__(self) -> None:
        Sampling.__post_init__(self)
        if not 1 <= self.n <= 32:
            raise ValueError(f"n must lie between 1 and 32, not {self.n}.")


@register("hyde", version="1")
class HydeRewriter(ModelRewriter):
    """Passages that a model makes up to answer the request, searched with in its place.

    Every passage is one query, whatever retriever takes them; none is merged with another. If one
    of the n calls gives no passage, the rewrite is an error.

    Source: Gao et al. 2023, "Precise Zero-Shot Dense Retrieval without Relevance Labels", arXiv
    2212.10496: its web-search prompt, 8 samples at temperature 0.7 of up to 512 tokens, the query
    among them. There the search vector is the mean over the query and all passages; a retriever
    that takes texts searches with each and joins the results. `n` 1 without the query is HyDE as
    QE-RAG (arXiv 2504.04062) describes it.
    """

    Parameters = HydeParameters
    parameters: HydeParameters

    def prompts(self) -> Mapping[str, str]:
        return {"instruction": INSTRUCTION, "asked": ASKED, **CONTEXT}

    def write(self, request: RequestText) -> Rewrite:
        p = self.parameters
        asking = self.asking(INSTRUCTION)
        asked = ASKED.format(context=context_of(request), text=one_line(request.text))
        passages: list[str] = []
        for number in range(p.n):
            raw = asking.text(asked, repeat=number, cut=p.on_cut)
            try:
                passages.append(read_passage(raw))
            except ValueError as fault:
                raise asking.failed(f"passage {number + 1} of {p.n}: {fault}", raw) from fault
        queries = (request.text, *passages) if p.include_query else tuple(passages)
        return Rewrite(kind="hypothetical", queries=queries, **asking.spent)
