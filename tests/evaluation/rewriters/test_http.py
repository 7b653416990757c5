import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.generation.errors import EndpointError, EndpointRateLimited
from evaluation.records import REWRITE_KINDS, RequestText, Rewrite
from evaluation.registry import PartError
from evaluation.rewriters import RewriteError, build_rewriter
from evaluation.rewriters.http import URL, read_reply, sent
from evaluation.runs.stages import CaseInput, rewrite_by
from tests.evaluation.generation.fake_endpoint import Reply, fake_endpoint
from tests.evaluation.rewriters.asking import REQUEST

ROW: dict[str, Any] = {"request": "r1", "kind": "standalone", "queries": ["parent of Harbor Rail"]}


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTACT_OUTBOUND_HOSTS", "127.0.0.1")
    monkeypatch.delenv(URL, raising=False)


def posted(reply: Reply) -> tuple[Rewrite, list[Any]]:
    with fake_endpoint(reply) as service:
        rewriter = build_rewriter("http", {"url": f"{service.origin}/rewrite"}, generator=None)
        return rewriter.rewrite(REQUEST), [(path, body) for path, _, body in service.requests]


def answers(reply: Any) -> Reply:
    return Reply(body=json.dumps(reply).encode(), headers={"Content-Type": "application/json"})


def test_the_row_that_comes_back_is_the_rewrite() -> None:
    row = {**ROW, "kind": "subqueries", "queries": ["a", "b"], "filters": {"date": {"lt": "2021"}}}
    rewrite, _ = posted(answers({**row, "tokens": {"in": 2, "out": 1}, "cost_usd": 0.5, "x": 1}))
    assert (rewrite.kind, rewrite.queries) == ("subqueries", ("a", "b"))
    assert rewrite.filters == {"date": {"lt": "2021"}}
    assert (rewrite.tokens, rewrite.cost_usd) == ({"in": 2, "out": 1}, 0.5)
    assert rewrite.latency_ms is not None


def test_all_that_is_posted_is_the_request_as_a_rewriter_may_see_it() -> None:
    _, calls = posted(answers(ROW))
    assert calls == [
        (
            "/rewrite",
            {
                "id": "r1",
                "text": "And its {parent}?",
                "turns": [
                    {"role": "user", "text": "Harbor\nRail?"},
                    {"role": "assistant", "text": "Yes."},
                ],
                "reference_date": "2024-06",
            },
        )
    ]


def test_what_is_posted_reads_back_as_the_same_request() -> None:
    assert RequestText.from_json(sent(REQUEST)) == REQUEST


def test_a_service_may_ask_back() -> None:
    rewrite, _ = posted(answers({"kind": "clarification", "clarification": "Which one?"}))
    assert (rewrite.asks, rewrite.queries) == (True, ())


@pytest.mark.parametrize("queries", [[], ["And its {parent}?"]])
def test_a_fallback_is_kept_as_unchanged_and_marked(queries: list[str]) -> None:
    rewrite, _ = posted(answers({"kind": "standalone", "queries": queries, "fell_back": True}))
    assert (rewrite.kind, rewrite.queries) == ("unchanged", ("And its {parent}?",))
    assert rewrite.to_json()["fell_back"] is True
    assert Rewrite.from_json(rewrite.to_json()) == rewrite


def test_a_stored_fallback_says_so_and_is_no_error() -> None:
    with fake_endpoint(answers({**ROW, "fell_back": True})) as service:
        rewriter = build_rewriter("http", {"url": service.origin}, generator=None)
        stored = rewrite_by(rewriter, CaseInput(REQUEST, contract=None))
    assert (stored["kind"], stored["fell_back"], stored["error"]) == ("unchanged", True, "")


def test_a_row_without_a_fallback_does_not_mention_one() -> None:
    assert "fell_back" not in read_reply(ROW, REQUEST).to_json()


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ([ROW], "no JSON object"),
        ({**ROW, "request": "r9"}, "another request"),
        ({"queries": ["a"]}, "a kind that is none of standalone"),
        ({**ROW, "kind": "rewritten"}, "a kind that is none of standalone"),
        ({**ROW, "kind": ["standalone"]}, "a kind that is none of standalone"),
        ({"kind": "error", "error": "no quota"}, "the service says: no quota"),
        ({"kind": "error"}, "it has no rewrite"),
        ({"kind": "standalone", "queries": []}, "neither a query nor a clarification"),
        ({**ROW, "queries": "a"}, "a list of texts was asked for"),
        ({**ROW, "queries": [" "]}, "entry 1 of queries"),
        ({**ROW, "queries": ["\x00"]}, "cannot be stored"),
        ({**ROW, "filters": ["a"]}, "filters of the service's reply is no object"),
        ({**ROW, "clarification": 1}, "clarification of the service's reply is no text"),
        ({**ROW, "fell_back": "yes"}, "fell_back of the service's reply is neither true nor"),
        ({**ROW, "tokens": {"in": -1}}, "count of tokens"),
        ({**ROW, "filters": {"year": 10**400}}, "too large"),
        ({**ROW, "cost_usd": "free"}, "cost_usd of the service's reply is no number"),
    ],
)
def test_a_reply_that_is_no_rewrite_is_an_error_with_the_raw_text(reply: Any, why: str) -> None:
    with pytest.raises(RewriteError, match=why) as caught:
        posted(answers(reply))
    assert caught.value.raw == json.dumps(reply)
    assert caught.value.as_rewrite().queries == ()


@pytest.mark.parametrize("status", [400, 422, 500])
def test_a_status_that_says_the_rewriter_failed_is_its_own_error(status: int) -> None:
    with pytest.raises(RewriteError, match=f"status {status}"):
        posted(Reply(status))


@pytest.mark.parametrize("status", [302, 401, 404, 429, 503])
def test_a_service_that_was_not_reached_leaves_the_case_to_be_tried_again(status: int) -> None:
    with pytest.raises(EndpointError, match=f"status {status}") as caught:
        posted(Reply(status))
    assert isinstance(caught.value, EndpointRateLimited) == (status == 429)


def test_a_service_that_hangs_up_leaves_the_case_to_be_tried_again() -> None:
    with pytest.raises(EndpointError, match="closed the connection"):
        posted(Reply(drop=True))


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
ROWS = st.fixed_dictionaries(
    {"kind": st.sampled_from(REWRITE_KINDS) | ANYTHING},
    optional={
        "request": st.just("r1") | ANYTHING,
        "queries": st.lists(st.text()) | ANYTHING,
        "filters": ANYTHING,
        "clarification": st.text() | ANYTHING,
        "tokens": ANYTHING,
        "cost_usd": ANYTHING,
        "fell_back": st.booleans() | ANYTHING,
    },
)


@given(ROWS | ANYTHING)
def test_any_reply_is_a_rewrite_that_can_be_kept_or_a_value_error(reply: Any) -> None:
    try:
        rewrite = read_reply(reply, REQUEST)
    except ValueError:
        return
    json.dumps(rewrite.to_json(), ensure_ascii=False, allow_nan=False).encode()
    assert rewrite.queries or rewrite.clarification
    assert rewrite.kind != "error"
    assert not rewrite.fell_back or rewrite.kind == "unchanged"


def test_something_that_is_no_json_is_the_rewriters_error() -> None:
    with pytest.raises(RewriteError, match="not whole JSON"):
        posted(Reply(body=b"<html>"))


def test_the_address_can_come_from_the_environment_and_is_frozen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(URL, "http://127.0.0.1:9/rewrite")
    described = build_rewriter("http", {"revision": "7f3a"}, generator=None).describe()
    assert described["model"] == {"endpoint": "http://127.0.0.1:9/rewrite", "revision": "7f3a"}


def test_without_an_address_it_says_what_to_set() -> None:
    with pytest.raises(PartError, match="set INTACT_REWRITER_URL"):
        build_rewriter("http", {}, generator=None).describe()


@pytest.mark.parametrize("url", ["ftp://x.example/", "https://user:pw@x.example/", "x"])
def test_an_address_that_cannot_be_called_is_refused_when_it_is_frozen(url: str) -> None:
    with pytest.raises(PartError, match="cannot call its service"):
        build_rewriter("http", {"url": url}, generator=None).describe()


def test_an_address_of_this_machine_is_called_only_if_it_is_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("INTACT_OUTBOUND_HOSTS", "")
    rewriter = build_rewriter("http", {"url": "http://127.0.0.1:9/"}, generator=None)
    with pytest.raises(PartError, match="cannot call its service"):
        rewriter.describe()
    with pytest.raises(PartError, match="cannot call its service"):
        rewriter.rewrite(REQUEST)
