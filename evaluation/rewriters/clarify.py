"""Clarify when unsure: ask back if the request can be meant in two ways, else rewrite it.

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
    Wording,
    context_of,
    frozen,
    one_line,
    text_in,
    texts_in,
    unlike,
)
from evaluation.rewriters.base import register

INSTRUCTION = (
    "Decide whether the question can be answered as it was meant, or whether it has two or more "
    "readings that need different answers and that the conversation does not settle. "
    'Write one JSON object with exactly these keys and nothing else: "readings", a list of the '
    'readings that stay possible, each a whole question; "query", the question as one search '
    "query that can be understood without the conversation, with every name, date, number, "
    'comparison, negation and condition, or null if there are two or more readings; "question", '
    "what you ask the user to find out which reading is meant, or null if there is only one. "
    "Do not answer the question. With one reading it looks like this: "
    '{"readings": ["..."], "query": "...", "question": null}'
)
ASKED = "{context}Question: {text}\nJSON:"
KEYS = ("readings", "query", "question")
SCHEMA = {
    "type": "object",
    "properties": {
        "readings": {"type": "array", "items": {"type": "string"}},
        "query": {"type": ["string", "null"]},
        "question": {"type": ["string", "null"]},
    },
    "required": list(KEYS),
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class ClarifyParameters(Wording):
    """Room for a longer request than a rewriter has that writes search queries."""

    max_tokens: int = 384
    max_words: int = 96


@register("clarify", version="2")
class ClarifyRewriter(ModelRewriter):
    """Asks back when the model finds two readings of the request; else rewrites it to stand alone.

    The reply is one JSON object with `readings`, `query` and `question`, fenced or not; an endpoint
    that can is held to a schema. Two or more
    readings need the question and no query, one needs the query and no question; anything else is
    refused once with the reason, and the second time it is an error. Readings that differ only in
    case and blanks count once.

    Source: our own; the behaviour that the protocol asks for where a contract is marked ambiguous.
    """

    Parameters = ClarifyParameters
    parameters: ClarifyParameters

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
        query, question = asking.json(asked, self._decision, schema=SCHEMA)
        if question is not None:
            return Rewrite(kind="clarification", clarification=question, **asking.spent)
        return Rewrite(kind="standalone", queries=(query,), **asking.spent)

    def _decision(self, reply: Any) -> tuple[str, str | None]:
        """Return (query, None) or ("", question); raise ValueError on any other reply."""
        if not isinstance(reply, dict) or set(reply) != set(KEYS):
            raise ValueError(f"the reply must be one object with the keys {', '.join(KEYS)}")
        readings = unlike(texts_in(reply["readings"], "readings"))
        asks = len(readings) > 1
        wanted, other = ("question", "query") if asks else ("query", "question")
        if reply[other] is not None:
            raise ValueError(f"with {len(readings)} different readings {other} must be null")
        text = text_in(reply[wanted], wanted)
        words = len(text.split())
        if words > self.parameters.max_words:
            raise ValueError(
                f"{wanted} has {words} words where at most {self.parameters.max_words} are allowed"
            )
        return ("", text) if asks else (text, None)
