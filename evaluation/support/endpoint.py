"""A language model as the judge of support: every claim needs a quote that stands in a passage.

The prompt is here and nowhere else; its text and hash are part of the Conditions of a run. The
model's word is not taken for it: a quote that no passage has supports nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from evaluation.records import Document
from evaluation.rewriters._replies import REPAIR, read_json
from evaluation.scoring.answer_text import inacc_tokens
from evaluation.scoring.support import ClaimSupport, Support
from evaluation.support.base import SupportError, SupportJudge, register

if TYPE_CHECKING:  # the client brings its HTTP library, which most parts never need
    from evaluation.generation.client import Completion

INSTRUCTION = (
    "Divide the answer into its claims: each is one thing that the answer says, as a whole "
    "sentence. For each claim say whether one of the numbered passages supports it. It does only "
    "if whoever reads that passage alone must agree with the claim, with every name, number, date "
    "and negation in it. What you know yourself does not count. Give the number of the passage and "
    "copy from it, word for word, the shortest part that supports the claim. Where no passage "
    "supports it, say false, null and an empty quote. Write only JSON: "
    '{"claims": [{"claim": "...", "supported": true, "passage": 1, "quote": "..."}]}'
)
PASSAGE = "[{number}] {title}\n{text}"
QUESTION = "{passages}\n\nQuestion: {question}\nAnswer: {answer}"
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "claims": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {
                    "claim": {"type": "string"},
                    "supported": {"type": "boolean"},
                    "passage": {"type": ["integer", "null"]},
                    "quote": {"type": "string"},
                },
                "required": ["claim", "supported", "passage", "quote"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["claims"],
    "additionalProperties": False,
}
_KEYS = {"claim", "supported", "passage", "quote"}


@dataclass(frozen=True, slots=True)
class EndpointParameters:
    """How the model is asked.

    `max_tokens`: the longest reply, in tokens.
    `max_passage_words`: words of each passage that are shown; the rest of it is cut.
    `temperature`: 0 takes the likeliest token each time; at most 2.
    `seed`: where sampling starts.
    `instruction_in`: whose message holds the instruction.
    """

    max_tokens: int = 768
    max_passage_words: int = 300
    temperature: float = 0.0
    seed: int = 0
    instruction_in: Literal["user", "system"] = "user"

    def __post_init__(self) -> None:
        if self.max_tokens < 1 or self.max_passage_words < 1:
            raise ValueError("max_tokens and max_passage_words must be at least 1.")
        if not 0 <= self.temperature <= 2:
            raise ValueError(f"temperature must lie between 0 and 2, not {self.temperature}.")


@register("endpoint", version="1")
class EndpointJudge(SupportJudge):
    """Asks a language model for the claims of the answer and a quote for each.

    A claim is supported when the model says so and its quote stands in the passage that it names,
    but for white space. A reply that is not the JSON asked for gets one more try; a second one, or
    one cut at `max_tokens`, is an error of the judge and no score.
    """

    Parameters = EndpointParameters
    parameters: EndpointParameters
    needs_generator = True
    remote: ClassVar[bool] = True

    def prompts(self) -> Mapping[str, str]:
        return {
            "instruction": INSTRUCTION,
            "passage": PASSAGE,
            "question": QUESTION,
            "repair": REPAIR,
        }

    def judge(self, question: str, answer: str, passages: Sequence[Document]) -> Support:
        messages = self.messages(question, answer, passages)
        try:
            claims = self._asked(messages, passages)
        except _Unreadable as fault:
            messages += [
                {"role": "assistant", "content": fault.said},
                {"role": "user", "content": REPAIR.format(reason=fault)},
            ]
            try:
                claims = self._asked(messages, passages)
            except _Unreadable as again:
                why = f"Asked twice, the model gave no usable judgement: {again}."
                raise SupportError(why, raw=again.said) from again
        return self.together(claims)

    def messages(
        self, question: str, answer: str, passages: Sequence[Document]
    ) -> list[dict[str, str]]:
        """Return the chat messages: the passages numbered from 1 in order, question and answer."""
        numbered = "\n\n".join(
            PASSAGE.format(number=n, title=document.title, text=self._cut(document.text))
            for n, document in enumerate(passages, start=1)
        )
        asked = QUESTION.format(
            passages=numbered, question=_one_line(question), answer=_one_line(answer)
        )
        if self.parameters.instruction_in == "system":
            return [
                {"role": "system", "content": INSTRUCTION},
                {"role": "user", "content": asked},
            ]
        return [{"role": "user", "content": f"{INSTRUCTION}\n\n{asked}"}]

    def _asked(
        self, messages: list[dict[str, str]], passages: Sequence[Document]
    ) -> list[ClaimSupport]:
        completion = self._completion(messages)
        if completion.truncated:
            completion.refuse()
            why = f"The judgement was cut at {self.parameters.max_tokens} tokens."
            raise SupportError(why, raw=completion.text)
        shown = [(document.id, self._cut(document.text)) for document in passages]
        try:
            return read_claims(read_json(completion.text), shown)
        except ValueError as fault:
            completion.refuse()
            raise _Unreadable(str(fault), completion.text) from fault

    def _completion(self, messages: list[dict[str, str]]) -> "Completion":
        from evaluation.generation.errors import EmptyCompletion, InvalidCompletion

        if self.generator is None:
            raise SupportError("The support judge endpoint was built without a language model.")
        p = self.parameters
        try:
            return self.generator.complete(
                messages,
                max_tokens=p.max_tokens,
                temperature=p.temperature,
                seed=p.seed,
                schema=SCHEMA,
            )
        except (EmptyCompletion, InvalidCompletion) as fault:
            raise SupportError(f"The model gave no judgement: {fault}.") from fault

    def _cut(self, text: str) -> str:
        return " ".join(text.split()[: self.parameters.max_passage_words])


class _Unreadable(Exception):
    """A reply that is not what was asked for; `said` is all of it."""

    def __init__(self, reason: str, said: str) -> None:
        super().__init__(reason)
        self.said = said


def read_claims(value: Any, passages: Sequence[tuple[str, str]]) -> list[ClaimSupport]:
    """Return the claims of a reply, each checked against the passages (id, text as shown).

    Raises ValueError (a sentence) unless it is {"claims": [{"claim", "supported", "passage",
    "quote"}]} with at least one claim. A quote that its passage lacks makes the claim unsupported.
    """
    if not isinstance(value, dict) or set(value) != {"claims"}:
        raise ValueError('the reply must be an object with the one key "claims"')
    rows = value["claims"]
    if not isinstance(rows, list) or not rows:
        raise ValueError('"claims" must be a list with at least one claim')
    return [_claim(row, number, passages) for number, row in enumerate(rows, start=1)]


def _claim(row: Any, number: int, passages: Sequence[tuple[str, str]]) -> ClaimSupport:
    if not isinstance(row, dict) or set(row) != _KEYS:
        raise ValueError(f"claim {number} must have exactly the keys {', '.join(sorted(_KEYS))}")
    text, said, passage, quote = (row[key] for key in ("claim", "supported", "passage", "quote"))
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"the text of claim {number} is missing")
    if not isinstance(said, bool):
        raise ValueError(f'"supported" of claim {number} must be true or false')
    if isinstance(passage, bool) or not isinstance(passage, int | None):
        raise ValueError(f'"passage" of claim {number} must be a whole number or null')
    if not isinstance(quote, str):
        raise ValueError(f'"quote" of claim {number} must be a text')
    text, quote = _one_line(text), _one_line(quote)
    if not said:
        return ClaimSupport(text, False, why=f"The judge finds no support for {text!r}.")
    if passage is None or not 1 <= passage <= len(passages):
        why = f"The judge calls {text!r} supported, but names no passage that it was given."
        return ClaimSupport(text, False, why=why)
    key, shown = passages[passage - 1]
    if not inacc_tokens(quote) or quote not in _one_line(shown):
        why = (
            f"The judge calls {text!r} supported, but what it quotes does not stand in passage "
            f"{passage}, so it supports nothing."
        )
        return ClaimSupport(text, False, key, quote, why)
    return ClaimSupport(text, True, key, quote, "The judge quotes the passage that supports it.")


def _one_line(text: str) -> str:
    return " ".join(text.split())
