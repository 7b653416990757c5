"""The language model as the judge of support, before a scripted endpoint: what it sends, and that
its word is checked.
"""

import json
from typing import Any

import pytest

from evaluation.generation.client import ChatClient
from evaluation.generation.errors import EndpointError
from evaluation.records import Document
from evaluation.registry import PartError
from evaluation.scoring.support import Support
from evaluation.support import SupportError, build_support_judge
from tests.evaluation.generation.fake_endpoint import Reply, fake_endpoint, says

PASSAGES = [
    Document("d1", "Norrby", "The ferry plan was approved by the Ministry of Ports."),
    Document("d2", "Rail", "Harbor Rail earned EUR 5 million\nin 2020."),
]


def claim(**changed: Any) -> dict[str, Any]:
    right = {
        "claim": "Harbor Rail earned EUR 5 million in 2020.",
        "supported": True,
        "passage": 2,
        "quote": "earned EUR 5 million in 2020",
    }
    return {**right, **changed}


def reply(*claims: dict[str, Any]) -> str:
    return json.dumps({"claims": list(claims)})


class Asked:
    """The judge and the bodies of the calls that it made."""

    def __init__(self, *script: Reply | str) -> None:
        self.script = [says(text) if isinstance(text, str) else text for text in script]
        self.calls: list[dict[str, Any]] = []

    def check(self, answer: str = "EUR 5 million.", **parameters: Any) -> Support:
        """Run it; it must use up the whole script."""
        with fake_endpoint(*self.script) as endpoint:
            client = ChatClient(endpoint.base_url, "", "fake", pause=lambda _: None)
            judge = build_support_judge("endpoint", parameters, generator=client)
            try:
                return judge.check("What did Harbor Rail earn?", answer, PASSAGES)
            finally:
                self.calls = [body for _path, _headers, body in endpoint.requests]
                assert endpoint.script == []


def test_a_claim_whose_quote_stands_in_its_passage_is_supported() -> None:
    found = Asked(reply(claim())).check()
    assert (found.value, found.rule, found.status) == (True, "endpoint/1", "ok")
    assert (found.claims[0].passage, found.claims[0].quote) == ("d2", claim()["quote"])


def test_the_call_has_the_numbered_passages_the_question_and_the_schema() -> None:
    asked = Asked(reply(claim()))
    asked.check()
    [call] = asked.calls
    text = call["messages"][-1]["content"]
    assert "[2] Rail\nHarbor Rail earned EUR 5 million in 2020." in text
    assert text.endswith("Question: What did Harbor Rail earn?\nAnswer: EUR 5 million.")
    assert call["response_format"]["json_schema"]["schema"]["required"] == ["claims"]
    assert call["temperature"] == 0


@pytest.mark.parametrize(
    "changed",
    [
        {"quote": "earned EUR 6 million in 2020"},
        {"quote": ""},
        {"quote": "."},
        {"passage": 1},
        {"passage": 3},
        {"passage": 0},
        {"passage": None},
    ],
)
def test_a_quote_that_its_passage_lacks_supports_nothing_and_says_so(
    changed: dict[str, Any],
) -> None:
    found = Asked(reply(claim(**changed))).check()
    assert found.value is False
    assert "does not stand in passage" in found.why or "names no passage" in found.why


def test_one_unsupported_claim_decides() -> None:
    other = claim(claim="It lost money in 2021.", supported=False, passage=None, quote="")
    found = Asked(reply(claim(), other)).check()
    assert (found.value, [c.supported for c in found.claims]) == (False, [True, False])
    assert "It lost money in 2021." in found.why


def test_json_in_a_fence_is_read() -> None:
    assert Asked(f"Here it is:\n```json\n{reply(claim())}\n```").check().value is True


def test_a_reply_that_is_no_json_gets_one_repair() -> None:
    asked = Asked("All of it is supported.", reply(claim()))
    assert asked.check().value is True
    said = [message["role"] for message in asked.calls[1]["messages"]]
    assert said == ["user", "assistant", "user"]
    assert "the JSON alone" in asked.calls[1]["messages"][-1]["content"]


@pytest.mark.parametrize(
    "bad",
    [
        "supported",
        "[]",
        reply(),
        reply(claim(supported="yes")),
        reply(claim(passage="2")),
        reply(claim(passage=True)),
        reply(claim(claim=" ")),
        reply({"claim": "It earned.", "supported": True}),
        json.dumps({"claims": [claim()], "score": 1}),
    ],
)
def test_a_second_unreadable_reply_is_an_error_of_the_judge(bad: str) -> None:
    with pytest.raises(SupportError, match="Asked twice") as fault:
        Asked(bad, bad).check()
    assert fault.value.raw == bad


def test_a_judgement_that_was_cut_is_an_error_of_the_judge() -> None:
    with pytest.raises(SupportError, match="cut at 9 tokens"):
        Asked(says(reply(claim())[:40], finish_reason="length")).check(max_tokens=9)


def test_an_empty_completion_is_an_error_of_the_judge() -> None:
    with pytest.raises(SupportError, match="no judgement"):
        Asked(says("")).check()


def test_a_failure_of_the_endpoint_goes_through_to_be_tried_again() -> None:
    with pytest.raises(EndpointError):
        Asked(Reply(status=401)).check()


def test_without_a_model_it_is_refused() -> None:
    with pytest.raises(PartError, match="needs a language model"):
        build_support_judge("endpoint", {}, generator=None)
