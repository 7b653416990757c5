from collections.abc import Iterator

import pytest

from evaluation.generation.errors import EndpointError
from evaluation.generation.local import LocalServer
from evaluation.records import RequestText
from evaluation.rewriters import RewriteError, build_rewriter
from evaluation.rewriters.decompose import INSTRUCTION
from tests.evaluation.generation.fake_endpoint import Reply, says
from tests.evaluation.rewriters.asking import SPOKEN, Asked


def test_every_text_of_the_list_is_a_sub_query() -> None:
    rewrite = Asked("decompose", '{"queries": ["Harbor Rail 2021", "Harbor Rail 2022"]}').rewrite()
    assert (rewrite.kind, rewrite.queries) == (
        "subqueries",
        ("Harbor Rail 2021", "Harbor Rail 2022"),
    )


def test_one_call_asks_for_all_of_them() -> None:
    asked = Asked("decompose", '["a"]', seed=3)
    asked.rewrite()
    assert asked.said == [f"{INSTRUCTION}\n\n{SPOKEN}Question: And its {{parent}}?\nJSON:"]
    assert (asked.calls[0]["temperature"], asked.calls[0]["seed"]) == (0.0, 3)


def test_a_fenced_list_is_taken_and_repeats_count_once() -> None:
    rewrite = Asked("decompose", '```json\n["a b", "A  B", "c"]\n```').rewrite()
    assert rewrite.queries == ("a b", "c")


def test_an_unusable_reply_is_refused_once_with_the_reason() -> None:
    asked = Asked("decompose", "1. a\n2. b", '["a", "b"]')
    rewrite = asked.rewrite()
    assert rewrite.queries == ("a", "b")
    assert rewrite.tokens == {"in": 14, "out": 6}
    assert [message["role"] for message in asked.calls[1]["messages"]] == [
        "user",
        "assistant",
        "user",
    ]
    assert asked.calls[1]["messages"][1]["content"] == "1. a\n2. b"
    assert "the reply is no JSON" in asked.said[1]


@pytest.mark.parametrize(
    ("second", "why"),
    [
        ("no", "no JSON"),
        ('{"query": ["a"]}', "a list of texts was asked for"),
        ('{"queries": "a"}', "a list of texts was asked for"),
        ("[]", "a list of texts was asked for"),
        ('["a", 1]', "entry 2 of the reply is 1"),
        ('["a", " "]', "entry 2 of the reply"),
        ('["a", "b", "c"]', "3 queries where at most 2"),
    ],
)
def test_the_second_unusable_reply_is_an_error_with_both_texts(second: str, why: str) -> None:
    with pytest.raises(RewriteError, match=why) as caught:
        Asked("decompose", "first", second, max_queries=2).rewrite()
    assert caught.value.raw == f"first\n\n--- asked again ---\n\n{second}"
    assert caught.value.tokens == {"in": 14, "out": 6}


def test_a_cut_reply_is_not_asked_for_again() -> None:
    with pytest.raises(RewriteError, match="cut at 256 tokens") as caught:
        Asked("decompose", says('["a"', finish_reason="length")).rewrite()
    assert caught.value.raw == '["a"'


def test_a_cut_repair_is_an_error_with_both_texts() -> None:
    with pytest.raises(RewriteError, match="cut at 256 tokens") as caught:
        Asked("decompose", "first", says('["a"', finish_reason="length")).rewrite()
    assert caught.value.raw == 'first\n\n--- asked again ---\n\n["a"'


def test_tokens_are_unknown_when_one_call_did_not_report_them() -> None:
    assert Asked("decompose", "no", says('["a"]', usage=None)).rewrite().tokens is None


def test_an_endpoint_that_fails_at_the_repair_is_not_the_rewriters_error() -> None:
    with pytest.raises(EndpointError, match="status 400"):
        Asked("decompose", "no", Reply(400)).rewrite()


@pytest.fixture(scope="module")
def server() -> Iterator[LocalServer]:
    with LocalServer() as started:
        yield started


@pytest.mark.model
def test_the_bundled_model_gives_sub_queries_or_an_error_with_its_words(
    server: LocalServer,
) -> None:
    patient = server.client(timeout_s=240.0, deadline_s=480.0)
    rewriter = build_rewriter("decompose", {"max_tokens": 64}, generator=patient)
    request = RequestText("r", "Which is older, the Eiffel Tower or the Statue of Liberty?")
    try:
        rewrite = rewriter.rewrite(request)
    except RewriteError as fault:
        assert fault.raw
        assert fault.as_rewrite().queries == ()
    else:
        assert rewrite.kind == "subqueries"
        assert rewrite.queries
