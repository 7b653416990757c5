import hashlib

import pytest

from evaluation.generation.client import ChatClient
from evaluation.generation.errors import EndpointError
from evaluation.records import RequestText, Rewrite, Turn
from evaluation.rewriters import RewriteError, build_rewriter
from evaluation.rewriters.prompt import INSTRUCTION, parse_query
from tests.evaluation.generation.fake_endpoint import FakeEndpoint, Reply, fake_endpoint, says

REQUEST = RequestText(
    "r1", "And its {parent}?", (Turn("user", "Harbor\nRail?"), Turn("assistant", "Yes.")), "2024-06"
)


def run(*script: Reply, **parameters: object) -> tuple[Rewrite, FakeEndpoint]:
    with fake_endpoint(*script) as endpoint:
        client = ChatClient(endpoint.base_url, "", "fake", pause=lambda _: None)
        rewriter = build_rewriter("prompt", parameters, generator=client)
        return rewriter.rewrite(REQUEST), endpoint


def test_the_models_line_is_the_query() -> None:
    rewrite, _ = run(says('Query: "Parent of Harbor Rail"\n'))
    assert (rewrite.kind, rewrite.queries) == ("standalone", ("Parent of Harbor Rail",))
    assert rewrite.tokens == {"in": 7, "out": 3}
    assert rewrite.latency_ms is not None


def test_the_prompt_holds_instruction_date_turns_and_text() -> None:
    _, endpoint = run(says("x"))
    [message] = endpoint.requests[0][2]["messages"]
    assert message["role"] == "user"
    assert message["content"] == (
        f"{INSTRUCTION}\n\nToday is 2024-06.\n\nConversation:\nuser: Harbor Rail?\n"
        "assistant: Yes.\n\nLast message: And its {parent}?\n\nQuery:"
    )


def test_the_instruction_can_be_the_systems() -> None:
    _, endpoint = run(says("x"), instruction_in="system")
    roles = [m["role"] for m in endpoint.requests[0][2]["messages"]]
    assert roles == ["system", "user"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("parent of Harbor Rail", "parent of Harbor Rail"),
        ("Rewritten query: a b", "a b"),
        ("Here is the standalone question:\n\na b", "a b"),
        ("```text\na b\n```", "a b"),
        ("```\nQuery: 'a b'\n```", "a b"),
        ("\u201ca b\u201d", "a b"),
        ("**a b**", "a b"),
        ('"a" and "b"', '"a" and "b"'),
        ("the 'a b' plan", "the 'a b' plan"),
        ("ratio: a to b", "ratio: a to b"),
    ],
)
def test_labels_quotes_and_fences_are_taken_off(text: str, query: str) -> None:
    assert parse_query(text, max_words=10) == query


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Query:", "no query"),
        ('""', "no query"),
        ("a\n\nb", "2 lines"),
        ("- a\n- b\n- c", "3 lines"),
        ("a b c d e f", "6 words where at most 5"),
    ],
)
def test_output_that_is_no_query_is_an_error_with_the_raw_text(text: str, reason: str) -> None:
    with pytest.raises(RewriteError, match=reason) as caught:
        run(says(text), max_words=5)
    assert caught.value.raw == text
    assert caught.value.latency_ms is not None


def test_a_cut_rewrite_is_an_error() -> None:
    with pytest.raises(RewriteError, match="cut at 96 tokens"):
        run(says("parent of", finish_reason="length"))


def test_a_failing_endpoint_is_not_the_rewriters_error() -> None:
    with pytest.raises(EndpointError, match="status 500"):
        run(*[Reply(500)] * 4)


def test_the_description_holds_prompts_with_their_hash_and_the_model() -> None:
    client = ChatClient("http://127.0.0.1:9", "sk-secret", "m")
    described = build_rewriter("prompt", {"seed": 3}, generator=client).describe()
    instruction = described["prompts"]["instruction"]
    assert instruction["sha256"] == hashlib.sha256(INSTRUCTION.encode()).hexdigest()
    assert described["model"]["model"] == "m"
    assert described["parameters"]["seed"] == 3
    assert "secret" not in repr(described)
