"""How a model is asked for a correction with documents: alike in training and in use.

The prompt is here and nowhere else. A trained corrector belongs to the prompt that it was trained
with, so its artefact has the prompt's hash.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from annotation.canonical import content_hash
from evaluation.records import Document

INSTRUCTION = (
    "The query may have spelling, keyboard and visual typing errors. The passages were found with "
    "it and may show how its words are written. Correct the errors and change nothing else. If "
    "there is no error, write the query as it is. Do not answer it. Write the corrected query on "
    "one line and nothing else."
)
PASSAGE = "[{n}] {title}: {text}\n"
ASKED = "{passages}\nQuery: {text}\nCorrected query:"


@dataclass(frozen=True, slots=True)
class Pair:
    """One example: the text as it was entered, what it should be, and what was found with it."""

    entered: str
    clean: str
    documents: tuple[Document, ...] = ()

    @property
    def is_identity(self) -> bool:
        """Whether there is nothing to correct, which teaches to leave a text alone."""
        return self.entered == self.clean


def prompts() -> Mapping[str, str]:
    """Return the texts that are sent, by name."""
    return {"instruction": INSTRUCTION, "passage": PASSAGE, "asked": ASKED}


def prompts_sha256() -> str:
    """Return the hash that tells whether a corrector was trained with this prompt."""
    return content_hash(dict(prompts()))


def messages(text: str, documents: Sequence[Document], *, words: int) -> list[dict[str, str]]:
    """Return the message for one query; of each document the first `words` words are shown."""
    shown = "".join(
        PASSAGE.format(n=n, title=one_line(one.title), text=" ".join(one.text.split()[:words]))
        for n, one in enumerate(documents, start=1)
    )
    asked = ASKED.format(passages=shown, text=one_line(text))
    return [{"role": "user", "content": f"{INSTRUCTION}\n\n{asked}"}]


def prompt_of(
    encode: Callable[[Sequence[Mapping[str, str]]], list[int]],
    text: str,
    documents: Sequence[Document],
    *,
    words: int,
    room: int,
) -> list[int]:
    """Return the tokens of the prompt with as many documents, best first, as fit in `room`.

    Raises ValueError (a sentence) when the query does not fit even without documents.
    """
    prompt: list[int] = []
    for count in range(len(documents), -1, -1):
        prompt = encode(messages(text, documents[:count], words=words))
        if len(prompt) <= room:
            return prompt
    raise ValueError(
        f"the query takes {len(prompt)} tokens without any passage, and there is room for "
        f"{max(room, 0)}"
    )


def one_line(text: str) -> str:
    """Return `text` with every run of white space as one blank."""
    return " ".join(text.split())
