import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.generation.client import ChatClient
from evaluation.generation.endpoints import Prices
from evaluation.records import RequestText, Rewrite
from evaluation.rewriters import RewriteError, build_rewriter, rewriter_names
from evaluation.rewriters._replies import context_of, read_json, read_lines, read_passage, unlike
from evaluation.rewriters.base import REWRITERS
from tests.evaluation.generation.fake_endpoint import Reply, fake_endpoint, says
from tests.evaluation.rewriters.asking import REQUEST, SPOKEN, Asked

# Texts that a database can keep: no NUL, no half surrogate pair.
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63) + 1, 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=10,
)
# A query as a person writes one: words on one line, no list mark, label, quotes or fence.
QUERIES = st.lists(st.from_regex(r"[a-z]{1,8}( [a-z0-9]{1,8}){0,5}", fullmatch=True), min_size=1)


@given(VALUES)
def test_any_json_that_can_be_kept_is_read_back_bare_and_fenced(value: Any) -> None:
    text = json.dumps(value)
    assert read_json(f"\n {text}\n") == value
    assert read_json(f"Here it is:\n```json\n{text}\n```\nDone.") == value


@given(st.text())
def test_a_reply_is_json_or_a_value_error(text: str) -> None:
    try:
        value = read_json(text)
    except ValueError:
        return
    json.dumps(value, ensure_ascii=False, allow_nan=False).encode()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("I think so.", "no JSON"),
        ("", "no JSON"),
        ('{"a": 1, "a": 2}', "a key twice"),
        ("[NaN]", "NaN, which is not JSON"),
        ("[1e999]", "infinite"),
        (f"[1{'0' * 400}]", "too large"),
        ('["a\\u0000"]', "cannot be stored"),
        ('{"\\ud800": 1}', "cannot be stored"),
        ("[" * 100_000, "nested too deeply"),
        ("```\n[1]\n```\nor\n```\n[2]\n```", "no JSON"),
        ("```json\n[1,\n```", "no JSON"),
    ],
)
def test_what_is_no_json_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_json(text)


@given(
    QUERIES, st.sampled_from(["{q}", "{n}. {q}", "{n}) {q}", "- {q}", "* {q}", 'Query {n}: "{q}"'])
)
def test_a_list_is_read_the_same_however_it_is_marked(queries: list[str], mark: str) -> None:
    text = "\n".join(mark.format(n=n, q=query) for n, query in enumerate(queries[:20], start=1))
    assert read_lines(text, max_words=10) == unlike(queries[:20])


@given(st.text())
def test_lines_are_queries_that_differ_or_a_value_error(text: str) -> None:
    try:
        queries = read_lines(text, max_words=8)
    except ValueError:
        return
    assert queries
    assert len({" ".join(query.split()).casefold() for query in queries}) == len(queries)
    assert all(query.strip() and len(query.split()) <= 8 for query in queries)


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("Here are three:\n1. a b\n2. c d\nGood luck!", ("a b", "c d")),
        ("Sure, these are it:\n\na b\nc d", ("a b", "c d")),
        ("```\na b\nc d\n```", ("a b", "c d")),
        ("a b\nA  B\nc d", ("a b", "c d")),
        ("1.5 % growth\n2021 results", ("1.5 % growth", "2021 results")),
        ("**a b**", ("a b",)),
    ],
)
def test_talk_marks_and_repeats_are_left_out(text: str, queries: tuple[str, ...]) -> None:
    assert read_lines(text, max_words=10) == queries


@pytest.mark.parametrize(
    ("text", "why"), [("1.  \n", "no query"), (" \n", "no query"), ("a b c", "3 words")]
)
def test_lines_without_a_usable_query_are_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_lines(text, max_words=2)


def test_a_passage_is_one_line_without_its_label() -> None:
    assert read_passage("Passage: Harbor Rail\n\nis old.") == "Harbor Rail is old."
    assert read_passage("```\n**Passage:** a\n```") == "a"


def test_a_label_alone_is_no_passage() -> None:
    with pytest.raises(ValueError, match="no passage"):
        read_passage("Passage:\n")


def test_date_and_turns_stand_before_the_question() -> None:
    assert context_of(REQUEST) == SPOKEN
    assert context_of(RequestText("r", "x")) == ""


PRICED = Prices(1.0, 1.0)  # a scripted reply takes 7 tokens in and 3 out


def written(name: str, *script: Reply, **parameters: Any) -> Rewrite:
    with fake_endpoint(*script) as endpoint:
        client = ChatClient(endpoint.base_url, "", "fake", prices=PRICED)
        return build_rewriter(name, parameters, generator=client).rewrite(REQUEST)


@pytest.mark.parametrize(
    ("name", "script", "calls"),
    [
        ("prompt", ["a"], 1),
        ("standalone", ["a"], 1),
        ("decompose", ["no", '["a"]'], 2),
        ("hyde", list("abcdefgh"), 8),
    ],
)
def test_a_rewrite_costs_what_its_calls_cost(name: str, script: list[str], calls: int) -> None:
    assert written(name, *map(says, script)).cost_usd == pytest.approx(calls * 10e-6)


def test_a_cost_is_unknown_when_that_of_one_call_is() -> None:
    assert written("decompose", says("no"), says('["a"]', usage=None)).cost_usd is None


@pytest.mark.parametrize("name", ["prompt", "standalone"])
def test_a_failed_rewrite_still_has_its_cost(name: str) -> None:
    with pytest.raises(RewriteError) as caught:
        written(name, says("a\nb"))
    assert caught.value.as_rewrite().cost_usd == pytest.approx(10e-6)


@pytest.mark.parametrize("name", ["decompose", "clarify"])
def test_rewriters_that_want_json_send_the_schema_that_is_frozen(name: str) -> None:
    asked = Asked(name, "no", "no")
    with pytest.raises(RewriteError):
        asked.rewrite()
    frozen = build_rewriter(name, {}, generator=ChatClient("http://127.0.0.1:9", "", "m")).prompts()
    for call in asked.calls:
        assert call["response_format"]["json_schema"]["schema"] == json.loads(frozen["schema"])


def test_what_asks_something_outside_says_so() -> None:
    remote = {name for name in rewriter_names() if REWRITERS.find(name).remote}
    assert set(rewriter_names()) - remote == {
        "joined",
        "keywords",
        "ra_qcg",
        "typed_query",
        "unchanged",
    }
