import json
from typing import Any

import pytest

from evaluation.rewriters import RewriteError
from evaluation.rewriters.clarify import INSTRUCTION
from tests.evaluation.rewriters.asking import SPOKEN, Asked

ONE = {"readings": ["Who owns Harbor Rail?"], "query": "owner of Harbor Rail", "question": None}
TWO = {"readings": ["Harbor Rail?", "Harbor Sea?"], "query": None, "question": "Rail or Sea?"}


def test_one_reading_is_rewritten() -> None:
    rewrite = Asked("clarify", json.dumps(ONE)).rewrite()
    assert (rewrite.kind, rewrite.queries) == ("standalone", ("owner of Harbor Rail",))
    assert not rewrite.asks


def test_two_readings_are_asked_about_and_nothing_is_searched() -> None:
    rewrite = Asked("clarify", json.dumps(TWO)).rewrite()
    assert (rewrite.kind, rewrite.clarification) == ("clarification", "Rail or Sea?")
    assert rewrite.asks
    assert rewrite.queries == ()


def test_one_call_asks_for_the_object() -> None:
    asked = Asked("clarify", f"```json\n{json.dumps(ONE)}\n```")
    asked.rewrite()
    assert asked.said == [f"{INSTRUCTION}\n\n{SPOKEN}Question: And its {{parent}}?\nJSON:"]


def test_a_reply_out_of_form_is_asked_for_once_more() -> None:
    asked = Asked("clarify", json.dumps({**TWO, "readings": ["one"]}), json.dumps(TWO))
    assert asked.rewrite().asks
    assert "with 1 different readings question must be null" in asked.said[1]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("It is ambiguous.", "no JSON"),
        ([], "one object with the keys readings, query, question"),
        ({"readings": ["a"], "query": "a"}, "one object with the keys"),
        ({**ONE, "note": 1}, "one object with the keys"),
        ({**ONE, "readings": []}, "readings is"),
        ({**ONE, "readings": "a"}, "readings is"),
        ({**ONE, "readings": ["a", "b"]}, "with 2 different readings query must be null"),
        ({**ONE, "query": None}, "query is null"),
        ({**TWO, "question": ""}, 'question is ""'),
        ({**ONE, "query": "one two three four five six"}, "6 words where at most 5"),
    ],
)
def test_the_second_reply_out_of_form_is_an_error_with_both_texts(reply: Any, why: str) -> None:
    text = reply if isinstance(reply, str) else json.dumps(reply)
    with pytest.raises(RewriteError, match=why) as caught:
        Asked("clarify", "hm", text, max_words=5).rewrite()
    assert caught.value.raw == f"hm\n\n--- asked again ---\n\n{text}"


def test_readings_that_differ_only_in_case_are_one() -> None:
    one = {**ONE, "readings": ["Who owns it?", "who  owns it?"]}
    assert Asked("clarify", json.dumps(one)).rewrite().kind == "standalone"
