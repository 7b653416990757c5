"""What rewriters with a language model share: how they ask, and how they read what came back.

A reply that cannot be read is a RewriteError with what the model wrote. A reply that should be JSON
gets one more try: the model sees its own text and why it was refused.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from evaluation.records import RequestText
from evaluation.rewriters.base import RewriteError, Rewriter
from evaluation.rewriters.prompt import parse_query

if TYPE_CHECKING:  # the client brings its HTTP library, which most parts never need
    from evaluation.generation.client import ChatClient, Completion

T = TypeVar("T")

CONTEXT = {
    "reference_date": "Today is {date}.\n\n",
    "conversation": "The conversation so far:\n{turns}\n\n",
}
REPAIR = (
    "That cannot be used: {reason}. Write it again as asked: the JSON alone, "
    "no words before or after it."
)

_FENCED = re.compile(r"```[^\n`]*\n(.*?)\n?[ \t]*```", re.DOTALL)
_LISTED = re.compile(
    r"\s*(?:[-*\u2022\u2013]|\(?\d{1,2}[.):]|(?:query|question|version)\s+\d{1,2}\s*[.:)])\s+",
    re.IGNORECASE,
)
_PASSAGE_LABEL = re.compile(r"\s*(?:\*\*)?passage(?:\*\*)?\s*:(?:\*\*)?\s*", re.IGNORECASE)
_TOO_LARGE = 2**63  # beyond it a database or a float gives up
_PARTING = "\n\n--- asked again ---\n\n"


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the model is asked.

    `max_tokens`: the longest reply, in tokens.
    `temperature`: 0 takes the likeliest token each time; at most 2.
    `seed`: where sampling starts; the same seed gives the same text where the endpoint honours it.
    `instruction_in`: whose message holds the instruction; small models follow the user's better.
    """

    max_tokens: int = 96
    temperature: float = 0.0
    seed: int = 0
    instruction_in: Literal["user", "system"] = "user"

    def __post_init__(self) -> None:
        if self.max_tokens < 1:
            raise ValueError(f"max_tokens must be at least 1, not {self.max_tokens}.")
        if not 0 <= self.temperature <= 2:
            raise ValueError(f"temperature must lie between 0 and 2, not {self.temperature}.")


@dataclass(frozen=True, slots=True)
class Wording(Sampling):
    """What still counts as a query or a question.

    `max_words`: a longer one is an error; none is cut.
    """

    max_words: int = 64

    def __post_init__(self) -> None:
        Sampling.__post_init__(self)
        if self.max_words < 1:
            raise ValueError(f"max_words must be at least 1, not {self.max_words}.")


class ModelRewriter(Rewriter):
    """A rewriter that asks a language model, as its parameters (a kind of Sampling) say."""

    parameters: Sampling
    needs_generator = True

    def asking(self, instruction: str) -> "Asking":
        """Return a new count of the calls for one request, all with this instruction."""
        if self.generator is None:
            raise RewriteError(f"the rewriter {self.name} was built without a language model")
        return Asking(self.generator, self.parameters, instruction)


class Asking:
    """The calls that one request takes, and what they cost together."""

    def __init__(self, generator: "ChatClient", sampling: Sampling, instruction: str) -> None:
        self.generator = generator
        self.sampling = sampling
        self.instruction = instruction
        self._made: list[Completion] = []

    @property
    def tokens(self) -> dict[str, int] | None:
        """Return {"in", "out"} over all calls, or None when a call did not report its own."""
        known = [made.tokens for made in self._made if made.tokens is not None]
        if not known or len(known) < len(self._made):
            return None
        return {side: sum(count[side] for count in known) for side in ("in", "out")}

    @property
    def cost_usd(self) -> float | None:
        """Return the cost of all calls, or None when that of a call is not known."""
        known = [made.cost_usd for made in self._made if made.cost_usd is not None]
        return sum(known) if known and len(known) == len(self._made) else None

    @property
    def spent(self) -> dict[str, Any]:
        """Return what all calls took as a Rewrite takes it: its latency, tokens and cost."""
        latency_ms = sum(made.latency_ms for made in self._made) if self._made else None
        return {"latency_ms": latency_ms, "tokens": self.tokens, "cost_usd": self.cost_usd}

    def text(self, asked: str, *, repeat: int = 0, cut: Literal["error", "keep"] = "error") -> str:
        """Return the reply to one question. `repeat` counts the samples of a request from 0: each
        has a seed of its own, so that no two are the same call.
        """
        return self._complete(self._messages(asked), repeat, cut)

    def parsed(self, asked: str, read: Callable[[str], T]) -> T:
        """Return `read` of the reply; a ValueError of it is a RewriteError with the reply."""
        raw = self.text(asked)
        try:
            return read(raw)
        except ValueError as fault:
            raise self.failed(str(fault), raw) from fault

    def json(self, asked: str, read: Callable[[Any], T], *, schema: Mapping[str, Any]) -> T:
        """Return `read` of the JSON in the reply, after one repair if need be. An endpoint that can
        is held to the `schema`.
        """
        messages = self._messages(asked)
        first = self._complete(messages, 0, "error", schema)
        try:
            return read(read_json(first))
        except ValueError as fault:
            self._made[-1].refuse()
            repair = REPAIR.format(reason=fault)
        messages += [
            {"role": "assistant", "content": first},
            {"role": "user", "content": repair},
        ]
        try:
            second = self._complete(messages, 0, "error", schema)
            return read(read_json(second))
        except RewriteError as fault:
            raise self.failed(fault.reason, f"{first}{_PARTING}{fault.raw}") from fault
        except ValueError as fault:
            why = f"asked twice, the model gave nothing usable: {fault}"
            raise self.failed(why, f"{first}{_PARTING}{second}") from fault

    def failed(self, reason: str, raw: str | None) -> RewriteError:
        """Return the error to raise, with what all calls so far have cost; the last reply is not
        kept for equal calls.
        """
        if self._made:
            self._made[-1].refuse()
        return RewriteError(reason, raw=raw, **self.spent)

    def _messages(self, asked: str) -> list[dict[str, str]]:
        if self.sampling.instruction_in == "system":
            return [
                {"role": "system", "content": self.instruction},
                {"role": "user", "content": asked},
            ]
        return [{"role": "user", "content": f"{self.instruction}\n\n{asked}"}]

    def _complete(
        self,
        messages: list[dict[str, str]],
        repeat: int,
        cut: str,
        schema: Mapping[str, Any] | None = None,
    ) -> str:
        completion = self.generator.complete(
            messages,
            max_tokens=self.sampling.max_tokens,
            temperature=self.sampling.temperature,
            seed=self.sampling.seed + repeat,
            repeat=repeat,
            schema=schema,
        )
        self._made.append(completion)
        if completion.truncated and cut == "error":
            limit = self.sampling.max_tokens
            raise self.failed(f"the reply was cut at {limit} tokens", completion.text)
        return completion.text


def frozen(schema: Mapping[str, Any]) -> dict[str, str]:
    """Return the schema of a reply as one more text that is sent, to be frozen with the prompts."""
    return {"schema": json.dumps(schema, sort_keys=True)}


def context_of(request: RequestText) -> str:
    """Return the date and the permitted turns as they stand before a question; "" with neither."""
    date = request.reference_date
    before = CONTEXT["reference_date"].format(date=date) if date else ""
    turns = "\n".join(f"{turn.role}: {one_line(turn.text)}" for turn in request.turns)
    return before + (CONTEXT["conversation"].format(turns=turns) if turns else "")


def one_line(text: str) -> str:
    """Return `text` with every run of white space as one blank."""
    return " ".join(text.split())


def read_json(text: str) -> Any:
    """Return the JSON value that a reply is, or that stands in its only fenced block.

    Raises ValueError (a sentence) on anything else, and on JSON that cannot be kept: a key twice,
    NaN, a number that is infinite or too large, NUL or half a surrogate pair.
    """
    try:
        return _loads(text.strip())
    except ValueError:
        fenced = _FENCED.findall(text)
        if len(fenced) != 1:
            raise
    return _loads(fenced[0].strip())


def check_storable(value: Any) -> None:
    """Raise ValueError when a JSON value holds a text or number that a database cannot keep."""
    try:
        for found in _leaves(value):
            if isinstance(found, float) and not math.isfinite(found):
                raise ValueError("it holds a number that is infinite or none")
            if isinstance(found, int) and abs(found) >= _TOO_LARGE:
                raise ValueError("it holds a number that is too large")
            if isinstance(found, str) and (
                "\x00" in found or any("\ud800" <= letter <= "\udfff" for letter in found)
            ):
                raise ValueError("it holds a text that cannot be stored")
    except RecursionError as fault:
        raise ValueError("it is nested too deeply") from fault


def read_lines(text: str, *, max_words: int) -> tuple[str, ...]:
    """Return the queries of a reply, one a line, without list marks, labels and quotes; no two
    alike.

    If any line has a list mark, the lines without one are the model's talk and are left out; else
    a first line that ends with a colon is. Raises ValueError when no query is left, or one of them
    has more than `max_words` words.
    """
    fenced = _FENCED.findall(text)
    body = fenced[0] if len(fenced) == 1 else text
    lines = [line for line in body.splitlines() if line.strip()]
    listed = [_LISTED.sub("", line, count=1) for line in lines if _LISTED.match(line)]
    if not listed and len(lines) > 1 and lines[0].rstrip().endswith(":"):
        lines = lines[1:]
    return unlike(parse_query(line, max_words=max_words) for line in listed or lines)


def read_passage(text: str) -> str:
    """Return a passage on one line, without its label; ValueError when nothing is left of it."""
    fenced = _FENCED.fullmatch(text.strip())
    passage = one_line(_PASSAGE_LABEL.sub("", fenced[1] if fenced else text, count=1))
    if not passage:
        raise ValueError("the model wrote no passage")
    return passage


def unlike(queries: Iterable[str]) -> tuple[str, ...]:
    """Return the queries in order, the first of those that differ only in case and blanks.

    Raises ValueError when there is none.
    """
    found: dict[str, str] = {}
    for query in queries:
        found.setdefault(one_line(query).casefold(), query)
    if not found:
        raise ValueError("the model wrote no query")
    return tuple(found.values())


def text_in(value: Any, what: str) -> str:
    """Return a JSON text that has words; ValueError, which names `what`, when it is none."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{what} is {_shown(value)} where a text with words was asked for")
    return one_line(value)


def texts_in(value: Any, what: str) -> tuple[str, ...]:
    """Return a JSON list of texts that have words; ValueError when it is none or is empty."""
    if not isinstance(value, list) or not value:
        raise ValueError(f"{what} is {_shown(value)} where a list of texts was asked for")
    return tuple(text_in(entry, f"entry {n} of {what}") for n, entry in enumerate(value, start=1))


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _loads(text: str) -> Any:
    try:
        value = json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_refuse)
    except json.JSONDecodeError as fault:
        raise ValueError(f"the reply is no JSON ({fault.msg} at character {fault.pos})") from fault
    except RecursionError as fault:
        raise ValueError("the reply is nested too deeply") from fault
    check_storable(value)
    return value


def _unique_keys(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("the reply has a key twice")
    return found


def _refuse(word: str) -> Any:
    raise ValueError(f"the reply has {word}, which is not JSON")


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for key, entry in value.items():
            yield key
            yield from _leaves(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from _leaves(entry)
    else:
        yield value
