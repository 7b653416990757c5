"""What the pipelines' own prompts share: numbered passages, and the answer after a marker."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from evaluation.readers.base import Passage
from evaluation.readers.prompted import PASSAGE

MARKER = "Final answer:"

_MARKED = re.compile(r"final\s+answer(?:\s+is)?[\s*_]*:[\s*_]*", re.IGNORECASE)


def numbered(passages: Sequence[Passage], max_words: int) -> str:
    """Return the passages as the readers show them: numbered from 1, each cut at its words."""
    return "\n\n".join(
        PASSAGE.format(number=number, title=document.title, text=cut(document.text, max_words))
        for number, (_hit, document) in enumerate(passages, start=1)
    )


def cut(text: str, max_words: int) -> str:
    """Return the first words of a text, on one line."""
    return " ".join(text.split()[:max_words])


def messages(
    instruction: str, asked: str, instruction_in: Literal["user", "system"]
) -> list[Mapping[str, str]]:
    """Return the chat messages of one prompt."""
    if instruction_in == "system":
        return [{"role": "system", "content": instruction}, {"role": "user", "content": asked}]
    return [{"role": "user", "content": f"{instruction}\n\n{asked}"}]


def after_marker(text: str) -> str | None:
    """Return the line after the last "Final answer:", without emphasis; None where there is none.

    The answer may begin on the marker's own line or on the next that has words.
    """
    found = list(_MARKED.finditer(text))
    if not found:
        return None
    lines = [line.strip(" \t*_") for line in text[found[-1].end() :].splitlines()]
    return next((line for line in lines if line), "")
