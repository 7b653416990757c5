"""What readers with a language model share: the prompt, and how its reply is read.

The prompt is here and nowhere else; its text and hash are part of the Conditions of a run.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from evaluation.readers.base import Passage, Reader, ReaderError
from evaluation.records import Answer

ABSTENTION = "NOT FOUND"
INSTRUCTION = (
    "Answer the question from the numbered passages only. Give the shortest answer that is "
    "complete, then the number of the passage in square brackets, for example: 12 March [2]. "
    f"If the passages do not hold the answer, write {ABSTENTION}."
)
PASSAGE = "[{number}] {title}\n{text}"
QUESTION = "{passages}\n\nQuestion: {question}\nAnswer:"

NO_WORDS = "the model wrote no answer"

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
class Prompting:
    """What the model gets to read, and how long it may answer.

    `max_tokens`: the longest reply, in tokens.
    `max_passage_words`: words of each passage that are shown; the rest of it is cut.
    `instruction_in`: whose message holds the instruction.
    `on_cut`: whether an answer that was cut at `max_tokens` is an error or is kept as it is.
    """

    max_tokens: int = 96
    max_passage_words: int = 200
    instruction_in: Literal["user", "system"] = "user"
    on_cut: Literal["error", "keep"] = "error"

    def __post_init__(self) -> None:
        if self.max_tokens < 1 or self.max_passage_words < 1:
            raise ValueError("max_tokens and max_passage_words must be at least 1.")


class PromptedReader(Reader):
    """A reader that puts numbered passages and the question to a language model."""

    parameters: Prompting

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

    def understood(
        self,
        raw: str,
        passages: Sequence[Passage],
        *,
        tokens: Mapping[str, int] | None,
        truncated: bool,
    ) -> Answer:
        """Return the answer in what the model wrote after these passages; the numbers that it cites
        become the ids of their documents.

        Raises ReaderError when it was cut and may not be, or has a citation and no words.
        """
        limit = self.parameters.max_tokens
        if truncated and self.parameters.on_cut == "error":
            why = f"the answer was cut at {limit} tokens"
            raise ReaderError(why, raw=raw, tokens=tokens, cut=True)
        text, numbers = parse_answer(raw)
        if text == "":
            why = "the model cited a passage but wrote no answer" if numbers else NO_WORDS
            raise ReaderError(why, raw=raw, tokens=tokens)
        ids = [passages[n - 1][0].id for n in numbers if 1 <= n <= len(passages)]
        citations = tuple(dict.fromkeys(ids)) if text is not None else ()
        return Answer(text=text, citations=citations, tokens=tokens)

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
