"""A pipeline that tests can make stumble, in the registry while a test runs."""

from collections.abc import Callable
from typing import Any, ClassVar

from evaluation.pipelines.base import Entry, Kit, Outcome, Pipeline
from evaluation.records import Answer
from evaluation.registry import NoParameters

Said = Callable[[Entry], str | None]


def answering(said: Said) -> type[Pipeline]:
    """A pipeline that answers with what `said` returns or raises, after one search."""

    class Stumbling(Pipeline):
        """Answers as its test says."""

        name: ClassVar[str] = "stumbling"
        version: ClassVar[str] = "1"
        Parameters: ClassVar[type] = NoParameters

        def run(self, entry: Entry, kit: Kit) -> Outcome:
            passages = kit.search([entry.searched], kit.k)
            hits = tuple(hit for hit, _document in passages)
            told: dict[str, Any] = {"request": entry.request.text}
            return Outcome(Answer(said(entry)), hits, (entry.searched,), 1, 0, told)

    return Stumbling
