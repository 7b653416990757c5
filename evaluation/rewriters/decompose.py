"""One request as several searches: what it asks, split into parts that stand alone.

The prompt is here and nowhere else; its text and hash are part of the Conditions of a run.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.records import RequestText, Rewrite
from evaluation.rewriters._replies import (
    CONTEXT,
    REPAIR,
    ModelRewriter,
    Sampling,
    context_of,
    frozen,
    one_line,
    texts_in,
    unlike,
)
from evaluation.rewriters.base import register

INSTRUCTION = (
    "Split the question into the search queries that are needed to answer it. A question about "
    "one thing is one query; a comparison, or a question about several things, is one query for "
    "each. Every query must be understood without the conversation and without the other queries: "
    "repeat the names, dates, numbers and conditions that it needs. Do not answer. "
    "Write one JSON object and nothing else, like this: "
    '{"queries": ["first query", "second query"]}'
)
ASKED = "{context}Question: {text}\nJSON:"
SCHEMA = {
    "type": "object",
    "properties": {"queries": {"type": "array", "items": {"type": "string"}}},
    "required": ["queries"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class DecomposeParameters(Sampling):
    """How far a request may be split.

    `max_queries`: more sub-queries than this are an error; none is dropped in silence.
    """

    max_tokens: int = 256
    max_queries: int = 6

    def __post_init__(self) -> None:
        Sampling.__post_init__(self)
        if self.max_queries < 1:
            raise ValueError(f"max_queries must be at least 1, not {self.max_queries}.")


@register("decompose", version="2")
class DecomposeRewriter(ModelRewriter):
    """Sub-queries: one search for each thing that the request asks, their results joined.

    The reply is a JSON object with the list `queries`, or that list alone, fenced or not; an
    endpoint that can is held to a schema. One that cannot be read is refused once with the reason;
    the second one that cannot is an error. Sub-queries that differ only in case and
    blanks count once. Each one is judged and so is their union: a comparison lives in the union
    alone.

    Source: Press et al. 2023, "Measuring and Narrowing the Compositionality Gap in Language
    Models", arXiv 2210.03350, for splitting; all sub-queries are asked for at once here, as search
    front ends do it. The prompt is our own.
    """

    Parameters = DecomposeParameters
    parameters: DecomposeParameters

    def prompts(self) -> Mapping[str, str]:
        return {
            "instruction": INSTRUCTION,
            "asked": ASKED,
            "repair": REPAIR,
            **CONTEXT,
            **frozen(SCHEMA),
        }

    def write(self, request: RequestText) -> Rewrite:
        asking = self.asking(INSTRUCTION)
        asked = ASKED.format(context=context_of(request), text=one_line(request.text))
        queries = asking.json(asked, self._queries, schema=SCHEMA)
        return Rewrite(kind="subqueries", queries=queries, **asking.spent)

    def _queries(self, reply: Any) -> tuple[str, ...]:
        if isinstance(reply, dict) and set(reply) == {"queries"}:
            reply = reply["queries"]
        queries = unlike(texts_in(reply, "the reply"))
        most = self.parameters.max_queries
        if len(queries) > most:
            raise ValueError(f"it has {len(queries)} queries where at most {most} are allowed")
        return queries
