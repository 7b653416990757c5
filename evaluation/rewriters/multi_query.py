"""The same request in several wordings, each searched, the results joined.

The prompt is here and nowhere else; its text and hash are part of the Conditions of a run.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.records import RequestText, Rewrite
from evaluation.rewriters._replies import (
    CONTEXT,
    ModelRewriter,
    Wording,
    context_of,
    one_line,
    read_lines,
    unlike,
)
from evaluation.rewriters.base import register

INSTRUCTION = (
    "Write {n} other wordings of the question as search queries, so that a search finds documents "
    "that use other words for the same thing. Each must ask for exactly the same and must be "
    "understood without the conversation. Keep every name, date, number, comparison, negation and "
    "condition. Do not answer. Write one query a line and nothing else."
)
ASKED = "{context}Question: {text}\nQueries:"


@dataclass(frozen=True, slots=True)
class MultiQueryParameters(Wording):
    """How many wordings.

    `n`: wordings asked for beside the original; of a longer reply the first `n` are taken.
    """

    max_tokens: int = 256
    n: int = 3

    def __post_init__(self) -> None:
        Wording.__post_init__(self)
        if not 1 <= self.n <= 20:
            raise ValueError(f"n must lie between 1 and 20, not {self.n}.")


@register("multi_query", version="1")
class MultiQueryRewriter(ModelRewriter):
    """The request as it is and n other wordings of it, their results joined.

    Asked once for all wordings, one a line; numbers and bullets are taken off, and so are wordings
    that differ from an earlier one only in case and blanks. Fewer than n are taken as they are; a
    reply that only repeats the request is an error.

    Source: the multi-query retrievers of search frameworks (LangChain's MultiQueryRetriever, 2023).
    The prompt is our own and asks for the same meaning; theirs asks for other perspectives.
    """

    Parameters = MultiQueryParameters
    parameters: MultiQueryParameters

    def prompts(self) -> Mapping[str, str]:
        return {"instruction": INSTRUCTION, "asked": ASKED, **CONTEXT}

    def write(self, request: RequestText) -> Rewrite:
        asking = self.asking(INSTRUCTION.format(n=self.parameters.n))
        asked = ASKED.format(context=context_of(request), text=one_line(request.text))
        wordings = asking.parsed(asked, lambda reply: self._wordings(reply, request.text))
        return Rewrite(kind="expansion", queries=wordings, **asking.spent)

    def _wordings(self, reply: str, original: str) -> tuple[str, ...]:
        found = read_lines(reply, max_words=self.parameters.max_words)
        queries = unlike([original, *found])[: self.parameters.n + 1]
        if len(queries) == 1:
            raise ValueError("the model only repeated the request")
        return queries
