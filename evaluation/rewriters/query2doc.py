"""The request and a passage that would answer it, joined into one query.

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

INSTRUCTION = "Write a passage that answers the given query:"
ASKED = "{context}Query: {text}\nPassage:"
SEPARATOR = "[SEP]"


@dataclass(frozen=True, slots=True)
class Query2docParameters(Sampling):
    """How request and passage are joined.

    `index`: for which search the query is meant. `sparse` repeats the request `repeats` times and
    adds the passage; `dense` writes the request once, then [SEP], then the passage.
    `repeats`: how often, for a sparse index.
    `on_cut`: whether a passage that was cut at `max_tokens` is kept or is an error.
    """

    max_tokens: int = 128
    index: Literal["sparse", "dense"] = "sparse"
    repeats: int = 5
    on_cut: Literal["keep", "error"] = "keep"

    def __post_init__(self) -> None:
        Sampling.__post_init__(self)
        if not 1 <= self.repeats <= 100:
            raise ValueError(f"repeats must lie between 1 and 100, not {self.repeats}.")


@register("query2doc", version="1")
class Query2docRewriter(ModelRewriter):
    """One query of the request, repeated, and a passage that a model made up to answer it.

    The request is repeated so that the passage, which is far longer, does not drown it. A reply
    without a passage is an error; the request alone is never searched with.

    Source: Wang, Yang and Wei 2023, "Query2doc: Query Expansion with Large Language Models", arXiv
    2303.07678: the request five times for BM25, [SEP] for dense retrieval, passages of up to 128
    tokens. The paper shows the model four examples of its training set and samples at temperature
    1; here it sees none and takes the likeliest token.
    """

    Parameters = Query2docParameters
    parameters: Query2docParameters

    def prompts(self) -> Mapping[str, str]:
        return {"instruction": INSTRUCTION, "asked": ASKED, **CONTEXT}

    def write(self, request: RequestText) -> Rewrite:
        p = self.parameters
        asking = self.asking(INSTRUCTION)
        query = one_line(request.text)
        asked = ASKED.format(context=context_of(request), text=query)
        raw = asking.text(asked, cut=p.on_cut)
        try:
            passage = read_passage(raw)
        except ValueError as fault:
            raise asking.failed(str(fault), raw) from fault
        before = [query] * p.repeats if p.index == "sparse" else [query, SEPARATOR]
        return Rewrite(kind="expansion", queries=(" ".join([*before, passage]),), **asking.spent)
