"""A language model as the reader: numbered passages in, a short answer with its passage back.

The prompt is here and nowhere else; its text and hash are part of the Conditions of a run.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from evaluation.readers.base import Passage, Reader, ReaderError, register
from evaluation.records import Answer

ABSTENTION = "NOT FOUND"
INSTRUCTION = (
    "Answer the question from the numbered passages only. Give the shortest answer that is "
    "complete, then the number of the passage in square brackets, for example: 12 March [2]. "
    f"If the passages do not hold the answer, write {ABSTENTION}."
)
PASSAGE = "[{number}] {title}\n{text}"
QUESTION = "{passages}\n\nQuestion: {question}\nAnswer:"

_CITATION = re.compile(
    r"\[\s*(?:passages?\s*)?(\d+(?:\s*(?:,|;|and)\s*\d+)*)\s*\]"
    r"|\(\s*passages?\s*(\d+(?:\s*(?:,|;|and)\s*\d+)*)\s*\)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^(?:the\s+)?(?:short\s+)?answer(?:\s+to\s+the\s+question)?(?:\s+is)?\s*:\s*", re.IGNORECASE
)
_ABSTAINS = re.compile(rf"\W*{ABSTENTION.replace(' ', '[ _]')}\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class EndpointParameters:
    """How the model is asked, and what it gets to read.

    `max_tokens`: the longest reply, in tokens.
    `max_passage_words`: words of each passage that are shown; the rest of it is cut.
    `temperature`: 0 takes the likeliest token each time; at most 2.
    `seed`: where sampling starts.
    `instruction_in`: whose message holds the instruction.
    `on_cut`: whether an answer that was cut at `max_tokens` is an error or is kept as it is.
    """

    max_tokens: int = 96
    max_passage_words: int = 200
    temperature: float = 0.0
    seed: int = 0
    instruction_in: Literal["user", "system"] = "user"
    on_cut: Literal["error", "keep"] = "error"

    def __post_init__(self) -> None:
        if self.max_tokens < 1 or self.max_passage_words < 1:
            raise ValueError("max_tokens and max_passage_words must be at least 1.")
        if not 0 <= self.temperature <= 2:
            raise ValueError(f"temperature must lie between 0 and 2, not {self.temperature}.")


@register("endpoint", version="1")
class EndpointReader(Reader):
    """Asks the model; abstains without asking when there is no passage."""

    Parameters = EndpointParameters
    parameters: EndpointParameters
    needs_generator = True

    def prompts(self) -> Mapping[str, str]:
        return {"instruction": INSTRUCTION, "passage": PASSAGE, "question": QUESTION}

    def messages(self, question: str, passages: Sequence[Passage]) -> list[dict[str, str]]:
        """Return the chat messages: the passages numbered from 1 in order, then the question."""
        numbered = "\n\n".join(
            PASSAGE.format(number=i, title=document.title, text=self._cut(document.text))
            for i, (_, document) in enumerate(passages, start=1)
        )
        asked = QUESTION.format(passages=numbered, question=" ".join(question.split()))
        if self.parameters.instruction_in == "system":
            return [
                {"role": "system", "content": INSTRUCTION},
                {"role": "user", "content": asked},
            ]
        return [{"role": "user", "content": f"{INSTRUCTION}\n\n{asked}"}]

    def read(self, question: str, passages: Sequence[Passage]) -> Answer:
        if not passages:
            return Answer(text=None)
        if self.generator is None:
            raise ReaderError("the endpoint reader was built without a language model")
        p = self.parameters
        completion = self.generator.complete(
            self.messages(question, passages),
            max_tokens=p.max_tokens,
            temperature=p.temperature,
            seed=p.seed,
        )
        if completion.truncated and p.on_cut == "error":
            raise ReaderError(
                f"the answer was cut at {p.max_tokens} tokens",
                raw=completion.text,
                tokens=completion.tokens,
            )
        text, numbers = parse_answer(completion.text)
        if text == "":
            raise ReaderError(
                "the model cited a passage but wrote no answer",
                raw=completion.text,
                tokens=completion.tokens,
            )
        ids = [passages[n - 1][0].id for n in numbers if 1 <= n <= len(passages)]
        citations = tuple(dict.fromkeys(ids)) if text is not None else ()
        return Answer(text=text, citations=citations, tokens=completion.tokens)

    def _cut(self, text: str) -> str:
        return " ".join(text.split()[: self.parameters.max_passage_words])


def parse_answer(raw: str) -> tuple[str | None, list[int]]:
    """Return (answer without label and citations, cited passage numbers in order).

    The answer is None when the model wrote the abstention phrase, "" when it wrote no words.
    Numbers are as written; the caller leaves out those of no passage.
    """
    text = _LABEL.sub("", raw.strip())
    if _ABSTAINS.match(text):
        return None, []
    numbers = [
        int(number)
        for match in _CITATION.finditer(text)
        for number in re.findall(r"\d+", match[1] or match[2])
    ]
    answer = re.sub(r"\s+([.,;:!?])", r"\1", _CITATION.sub("", text))
    return " ".join(answer.split()).strip(), numbers
