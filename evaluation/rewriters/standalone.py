"""The zero-shot prompt of conversational query rewriting: question and context in, one out.

The instruction and the layout (`Context: [Q: ... A: ...]`, `Question:`, `Rewrite:`) are those that
Ye, Fang, Li and Yilmaz (2023) ask a model with that has seen no examples. They are here and nowhere
else; text and hash are part of the Conditions of a run.
"""

from collections.abc import Mapping

from evaluation.records import RequestText, Rewrite
from evaluation.rewriters._replies import ModelRewriter, Wording, one_line
from evaluation.rewriters.base import register
from evaluation.rewriters.prompt import parse_query

INSTRUCTION = (
    "Given a question and its context, decontextualize the question by addressing coreference and "
    "omission issues. The resulting question should retain its original meaning and be as "
    "informative as possible, and should not duplicate any previously asked questions in the "
    "context."
)
ASKED = "Context: [{turns}]\nQuestion: {text}\nRewrite:"
TURN_OF = {"user": "Q: {text}", "assistant": "A: {text}"}


@register("standalone", version="1")
class StandaloneRewriter(ModelRewriter):
    """One question that can be understood without the conversation, by the literature's prompt.

    The model is asked once, also for a request without earlier turns. A reply of several lines, of
    none or of too many words is an error. The prompt knows no date: "last year" stays what it is.

    Source: Ye et al. 2023, "Enhancing Conversational Search: Large Language Model-Aided
    Informative Query Rewriting", arXiv 2310.09716 (its zero-shot rewriter).
    """

    Parameters = Wording
    parameters: Wording

    def prompts(self) -> Mapping[str, str]:
        return {"instruction": INSTRUCTION, "asked": ASKED, **TURN_OF}

    def write(self, request: RequestText) -> Rewrite:
        turns = " ".join(
            TURN_OF.get(turn.role, TURN_OF["user"]).format(text=one_line(turn.text))
            for turn in request.turns
        )
        asking = self.asking(INSTRUCTION)
        query = asking.parsed(
            ASKED.format(turns=turns, text=one_line(request.text)),
            lambda reply: parse_query(reply, max_words=self.parameters.max_words),
        )
        return Rewrite(kind="standalone", queries=(query,), **asking.spent)
