"""What a correction may not be."""

import pytest

from evaluation.records import Document
from evaluation.rewriters._guards import Limits, Refused, asks, checked

LIMITS = Limits(max_change=0.4, span=4, max_words=20)
PASSAGE = Document("d", "Harbor Rail", "Its revenue rose by four percent in the last year.")


def check(entered: str, reply: str) -> str:
    return checked(entered, reply, [PASSAGE], LIMITS)


@pytest.mark.parametrize(
    ("entered", "reply", "query"),
    [
        ("How mch did it rise?", "How much did it rise?", "How much did it rise?"),
        ("How mch did it rise?", 'Corrected query: "How much did it rise"', "How much did it rise"),
        ("hrabor rail", "Harbor Rail", "Harbor Rail"),
        ("its revenue rose by four precent", "its revenue rose by four percent", ""),
    ],
)
def test_a_correction_passes(entered: str, reply: str, query: str) -> None:
    assert check(entered, reply) == query or check(entered, reply) == reply


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (" \n", "nothing"),
        ("How much did it rise?\nIt rose.", "2 lines"),
        ("It did rise much", "looks like an answer"),
        ("How much: revenue rose by four percent?", "stands in a passage"),
        ("What is the name of the company in question?", "characters differ"),
        ("How much did it rise?<|im_end|>", "its own format"),
        ("how " * 21, "21 words"),
    ],
)
def test_what_is_none_is_refused_with_the_reason(reply: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        check("How mch did it rise?", reply)


def test_a_question_is_known_by_its_mark_or_its_first_word() -> None:
    assert asks("Hpw many?") and asks("which year (2022)") and asks("“Who?”")
    assert not asks("Harbor Rail revenue") and not asks("")
