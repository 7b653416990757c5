"""A more general question beside the request, for the background that its answer rests on.

The prompt is here and nowhere else; its text and hash are part of the Conditions of a run.
"""

from collections.abc import Mapping

from evaluation.records import RequestText, Rewrite
from evaluation.rewriters._replies import (
    CONTEXT,
    ModelRewriter,
    Wording,
    context_of,
    one_line,
    unlike,
)
from evaluation.rewriters.base import register
from evaluation.rewriters.prompt import parse_query

INSTRUCTION = (
    "You are an expert at world knowledge. Your task is to step back and paraphrase a question to "
    "a more generic step-back question, which is easier to answer. Write that question on one line "
    "and nothing else."
)
ASKED = "{context}Original question: {text}\nStep-back question:"


@register("step_back", version="1")
class StepBackRewriter(ModelRewriter):
    """The request as it is and a more general question, their results joined.

    The general question is meant to lose what the request narrows down; the original beside it
    keeps that. A reply that only repeats the request is an error, as is one of several lines.

    Source: Zheng et al. 2023, "Take a Step Back: Evoking Reasoning via Abstraction in Large
    Language Models", arXiv 2310.06117: its instruction without its examples, and with the line
    that asks for one line.
    """

    Parameters = Wording
    parameters: Wording

    def prompts(self) -> Mapping[str, str]:
        return {"instruction": INSTRUCTION, "asked": ASKED, **CONTEXT}

    def write(self, request: RequestText) -> Rewrite:
        asking = self.asking(INSTRUCTION)
        asked = ASKED.format(context=context_of(request), text=one_line(request.text))
        queries = asking.parsed(asked, lambda reply: self._beside(request.text, reply))
        return Rewrite(kind="expansion", queries=queries, **asking.spent)

    def _beside(self, original: str, reply: str) -> tuple[str, ...]:
        queries = unlike([original, parse_query(reply, max_words=self.parameters.max_words)])
        if len(queries) == 1:
            raise ValueError("the model only repeated the request")
        return queries
