"""A language model as the rewriter: one prompt, one line back.

The prompt is here and nowhere else; its text and hash are part of the Conditions of a run.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from evaluation.records import RequestText, Rewrite
from evaluation.rewriters.base import RewriteError, Rewriter, register

INSTRUCTION = (
    "Rewrite the last message of the conversation as one search query that can be understood "
    "without the conversation. Replace words such as 'it' or 'its parent' by the names that they "
    "stand for. Keep every name, date, number, comparison, negation and condition exactly. "
    "Do not answer. Do not add anything. Write the query on one line and nothing else."
)
CONVERSATION = "Conversation:\n{turns}\n\nLast message: {text}\n\nQuery:"
REFERENCE_DATE = "Today is {date}.\n\n"
FIRST_TURN = "(there are no earlier messages)"

_LABEL = re.compile(
    r"(?:(?:the|here is the|here's the)\s+)?"
    r"(?:(?:rewritten|standalone|search|final|new|corrected|step-back)\s+)*"
    r"(?:query|question|request|rewrite|message)(?:\s+is)?\s*:\s*",
    re.IGNORECASE,
)
_FENCE = re.compile(r"```[^\n`]*\n(.*?)\n?```", re.DOTALL)
_QUOTES = {'"': '"', "'": "'", "`": "`", "\u201c": "\u201d", "\u2018": "\u2019", "\u00ab": "\u00bb"}


@dataclass(frozen=True, slots=True)
class PromptParameters:
    """How the model is asked, and what still counts as a query.

    `max_tokens`: the longest reply, in tokens.
    `max_words`: a longer line is an error, not a query.
    `temperature`: 0 takes the likeliest token each time; at most 2.
    `seed`: where sampling starts.
    `instruction_in`: whose message holds the instruction; small models follow one in the user's
    better than in the system's, large ones follow both.
    """

    max_tokens: int = 96
    max_words: int = 64
    temperature: float = 0.0
    seed: int = 0
    instruction_in: Literal["user", "system"] = "user"

    def __post_init__(self) -> None:
        if self.max_tokens < 1 or self.max_words < 1:
            raise ValueError("max_tokens and max_words must be at least 1.")
        if not 0 <= self.temperature <= 2:
            raise ValueError(f"temperature must lie between 0 and 2, not {self.temperature}.")


@register("prompt", version="1")
class PromptRewriter(Rewriter):
    """Asks the model for one search query that stands alone; output that is none is an error.

    A label, quotes and a fence around the query are taken off. Nothing, several lines, too many
    words and a cut reply are errors.

    Source: our own prompt, which asks for every name, number, negation and condition to be kept.
    """

    Parameters = PromptParameters
    parameters: PromptParameters
    needs_generator = True

    def prompts(self) -> Mapping[str, str]:
        return {
            "instruction": INSTRUCTION,
            "conversation": CONVERSATION,
            "reference_date": REFERENCE_DATE,
            "first_turn": FIRST_TURN,
        }

    def messages(self, request: RequestText) -> list[dict[str, str]]:
        """Return the chat messages sent for `request`: its permitted turns, then its text."""
        turns = "\n".join(f"{turn.role}: {' '.join(turn.text.split())}" for turn in request.turns)
        asked = CONVERSATION.format(turns=turns or FIRST_TURN, text=" ".join(request.text.split()))
        if request.reference_date:
            asked = REFERENCE_DATE.format(date=request.reference_date) + asked
        if self.parameters.instruction_in == "system":
            return [
                {"role": "system", "content": INSTRUCTION},
                {"role": "user", "content": asked},
            ]
        return [{"role": "user", "content": f"{INSTRUCTION}\n\n{asked}"}]

    def write(self, request: RequestText) -> Rewrite:
        if self.generator is None:
            raise RewriteError("the prompt rewriter was built without a language model")
        p = self.parameters
        completion = self.generator.complete(
            self.messages(request),
            max_tokens=p.max_tokens,
            temperature=p.temperature,
            seed=p.seed,
        )
        cost: dict[str, Any] = {
            "latency_ms": completion.latency_ms,
            "tokens": completion.tokens,
            "cost_usd": completion.cost_usd,
        }
        try:
            if completion.truncated:
                raise ValueError(f"the rewrite was cut at {p.max_tokens} tokens")
            query = parse_query(completion.text, max_words=p.max_words)
        except ValueError as error:
            completion.refuse()
            raise RewriteError(str(error), raw=completion.text, **cost) from error
        return Rewrite(kind="standalone", queries=(query,), **cost)


def parse_query(text: str, *, max_words: int) -> str:
    """Return the one line that a model meant as its query, without fence, label and quotes.

    Raises ValueError (a sentence) when there is no line, more than one, or more than `max_words`.
    """
    query = text.strip()
    if fenced := _FENCE.fullmatch(query):
        query = fenced[1].strip()
    before = None
    while before != query:
        before = query
        query = _unquoted(_LABEL.sub("", query, count=1) if _LABEL.match(query) else query)
    if not query:
        raise ValueError("the model wrote no query")
    lines = [line for line in query.splitlines() if line.strip()]
    if len(lines) > 1:
        raise ValueError(f"the model wrote {len(lines)} lines where one query was asked for")
    words = len(query.split())
    if words > max_words:
        raise ValueError(f"the model wrote {words} words where at most {max_words} are a query")
    return query


def _unquoted(text: str) -> str:
    """Take off one pair of quotes or emphasis around the whole, if they enclose nothing alike."""
    text = text.strip()
    if len(text) > 4 and text.startswith("**") and text.endswith("**"):
        return text[2:-2].strip()
    closing = _QUOTES.get(text[:1])
    inner = text[1:-1]
    if len(text) > 1 and closing == text[-1] and text[0] not in inner and closing not in inner:
        return inner.strip()
    return text
