"""What people said of answers: it counts for every case of the run with that very answer."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from annotation.canonical import content_hash


@dataclass(frozen=True, slots=True)
class Said:
    """A person's yes or no, and their note."""

    yes: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class AnswersSaid:
    """Whether an answer is correct, by (request id, `answer_key`), and whether it is supported, by
    the same and `evidence_key`. What a person could not tell is not here.
    """

    correct: Mapping[tuple[int, str], Said] = field(default_factory=dict)
    supported: Mapping[tuple[int, str, str], Said] = field(default_factory=dict)


NOTHING_SAID = AnswersSaid()


def answer_key(answer: str) -> str:
    """Return what names exactly this answer."""
    return content_hash(["answer", answer])


def evidence_key(retrieved: Iterable[str], cited: Sequence[str]) -> str:
    """Return what names these retrieved and these cited documents, in whatever order."""
    return content_hash(["evidence", sorted(set(retrieved)), sorted(set(cited))])
