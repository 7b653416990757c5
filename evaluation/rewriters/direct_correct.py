"""Typing errors corrected by a language model that sees the text alone, no documents.

The prompt is here and nowhere else; its text and hash are part of the Conditions of a run.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.records import RequestText, Rewrite
from evaluation.rewriters._replies import ModelRewriter, Wording, one_line
from evaluation.rewriters.base import register
from evaluation.rewriters.prompt import parse_query

INSTRUCTION = (
    "The query may have spelling, keyboard and visual typing errors. Correct them and change "
    "nothing else. If there is no error, write the query as it is. Do not answer it. "
    "Write the corrected query on one line and nothing else."
)
ASKED = "Query: {text}\nCorrected query:"


@dataclass(frozen=True, slots=True)
class DirectCorrectParameters(Wording):
    """Room for a longer request than a rewriter has that writes search queries."""

    max_tokens: int = 128
    max_words: int = 96


@register("direct_correct", version="1")
class DirectCorrectRewriter(ModelRewriter):
    """The request with its typing errors corrected; neither documents nor earlier turns are shown.

    A text that comes back as it was is kept as "unchanged". Search and reader both get the
    corrected text. How much a correction may change is not limited: whatever the model makes of the
    request is judged.

    Source: the baseline Direct-Correct of Zhang et al. 2025, "QE-RAG", arXiv 2504.04062. It prints
    no prompt, so this one is our own.
    """

    Parameters = DirectCorrectParameters
    parameters: DirectCorrectParameters

    def prompts(self) -> Mapping[str, str]:
        return {"instruction": INSTRUCTION, "asked": ASKED}

    def write(self, request: RequestText) -> Rewrite:
        asking = self.asking(INSTRUCTION)
        query = asking.parsed(
            ASKED.format(text=one_line(request.text)),
            lambda reply: parse_query(reply, max_words=self.parameters.max_words),
        )
        if query == one_line(request.text):
            return Rewrite(kind="unchanged", queries=(request.text,), **asking.spent)
        return Rewrite(kind="standalone", queries=(query,), **asking.spent)
