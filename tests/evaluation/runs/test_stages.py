"""What a stage hands on, without a database."""

from collections.abc import Sequence

import pytest

from evaluation.readers.base import Reader
from evaluation.records import Answer, Document, Hit, Rewrite
from evaluation.runs import stages


class Listener(Reader):
    """Notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def read(self, question: str, passages: Sequence[tuple[Hit, Document]]) -> Answer:
        self.asked.append(question)
        return Answer("12")


@pytest.mark.parametrize(
    ("rewrite", "question"),
    [
        (Rewrite("standalone", ("Harbor profit in 2021",)), "Harbor profit in 2021"),
        (Rewrite("subqueries", ("profit of Harbor", "profit of Lodmar")),
         "profit of Harbor profit of Lodmar"),
        (Rewrite("hypothetical", ("Harbor earned 12 million in 2021.",)), "What did it earn?"),
        (Rewrite("expansion", ("What did it earn?", "its profit")), "What did it earn?"),
    ],
)  # fmt: skip
def test_the_reader_is_asked_what_was_sent_but_never_what_only_searches(
    rewrite: Rewrite, question: str
) -> None:
    reader = Listener()
    stages.answer(reader, rewrite, [], {}, token_budget=100, original="What did it earn?")
    assert reader.asked == [question]
