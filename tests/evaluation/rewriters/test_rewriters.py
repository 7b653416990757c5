import json

import pytest

from evaluation.records import RequestText, Turn
from evaluation.retrieval import PartError
from evaluation.rewriters import RewriteError, build_rewriter, rewriter_names

REQUEST = RequestText(
    "r1",
    "And its parent before 2021, excluding one-off items?",
    (
        Turn("user", "How did Harbor Rail do in FY23?"),
        Turn("assistant", "Revenue of Harbor Rail rose 4 %."),
    ),
)


def rewrite(name: str, request: RequestText = REQUEST, **parameters: object) -> tuple[str, str]:
    got = build_rewriter(name, parameters, generator=None).rewrite(request)
    assert got.latency_ms is not None
    assert got.latency_ms >= 0
    [query] = got.queries
    return got.kind, query


def test_the_bundled_rewriters_are_found_without_a_list() -> None:
    assert rewriter_names() == (
        "clarify",
        "decompose",
        "direct_correct",
        "http",
        "hyde",
        "joined",
        "keywords",
        "multi_query",
        "prompt",
        "query2doc",
        "ra_qcg",
        "standalone",
        "step_back",
        "typed_query",
        "unchanged",
    )


def test_unchanged_is_the_current_text_letter_by_letter() -> None:
    request = RequestText("r", "  Two  blanks ")
    assert rewrite("unchanged", request) == ("unchanged", "  Two  blanks ")


def test_joined_puts_the_turns_before_the_current_text() -> None:
    assert rewrite("joined") == (
        "expansion",
        "How did Harbor Rail do in FY23? Revenue of Harbor Rail rose 4 %. "
        "And its parent before 2021, excluding one-off items?",
    )


def test_joined_can_leave_out_the_assistant_and_all_but_the_latest() -> None:
    assert rewrite("joined", speakers="user")[1].startswith("How did Harbor Rail do in FY23? And")
    assert rewrite("joined", last=1)[1].startswith("Revenue of Harbor Rail rose 4 %. And")


def test_joined_without_turns_is_unchanged() -> None:
    assert rewrite("joined", RequestText("r", "Revenue?")) == ("unchanged", "Revenue?")


def test_keywords_puts_numbers_and_carried_names_first_and_drops_stop_words() -> None:
    expected = "2021 Harbor Rail FY23 parent excluding one-off items"
    assert rewrite("keywords") == ("standalone", expected)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Please tell me the revenue of Harbor Rail's parent", "Harbor Rail revenue parent"),
        ("What was BT's profit in 2021?", "BT 2021 profit"),
        ("Revenue of ferries. Traffic in winter?", "Revenue ferries Traffic winter"),
        ("Harbor Rail costs of 1.5 %", "Harbor Rail 1.5 costs"),
        ("revenue Revenue REVENUE", "Revenue"),
        (
            "Z\u00fcrich \u00c9lectricit\u00e9 co\u00fbts",
            "Z\u00fcrich \u00c9lectricit\u00e9 co\u00fbts",
        ),
    ],
)
def test_keywords_of_one_text(text: str, query: str) -> None:
    assert rewrite("keywords", RequestText("r", text))[1].casefold() == query.casefold()


def test_keywords_carries_no_names_when_told_so() -> None:
    assert rewrite("keywords", carry="none")[1] == "2021 parent excluding one-off items"


def test_keywords_of_stop_words_only_are_an_error_not_the_original() -> None:
    with pytest.raises(RewriteError, match="no word left") as caught:
        rewrite("keywords", RequestText("r", "And why is that?"))
    assert caught.value.latency_ms is not None
    assert caught.value.as_rewrite().kind == "error"
    assert caught.value.as_rewrite().queries == ()


def test_a_rewriter_that_needs_a_model_says_so() -> None:
    with pytest.raises(PartError) as caught:
        build_rewriter("prompt", {}, generator=None)
    assert str(caught.value).startswith('The rewriter "prompt" needs a language model')


def test_an_unknown_rewriter_is_answered_with_the_known_ones() -> None:
    with pytest.raises(PartError, match="Known rewriters: clarify, decompose, .*, unchanged"):
        build_rewriter("magic", {}, generator=None)


@pytest.mark.parametrize("name", ["joined", "keywords", "unchanged"])
def test_a_description_is_json_and_the_same_each_time(name: str) -> None:
    one, two = (build_rewriter(name, {}, generator=None).describe() for _ in range(2))
    assert json.dumps(one, sort_keys=True) == json.dumps(two, sort_keys=True)
    assert (one["name"], one["model"]) == (name, None)
