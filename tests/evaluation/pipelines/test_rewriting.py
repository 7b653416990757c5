"""The pipelines that rewrite: direct_correct, hyde and any rewriter by name."""

import json

import pytest

from evaluation.pipelines import build_pipeline
from evaluation.pipelines.base import PipelineError
from evaluation.records import Rewrite
from evaluation.registry import PartError
from evaluation.rewriters import RewriteError
from evaluation.rewriters.unchanged import UnchangedRewriter
from tests.evaluation.pipelines.kits import Listening, Search, entry, kit, model_says


def test_the_corrected_question_is_searched_and_shown() -> None:
    search, reader = Search(), Listening("Sea plc")
    with model_says("Who owns Harbor Rail?") as (client, _):
        got = build_pipeline("direct_correct", {}).run(
            entry("Who onws Harbor Rail?"), kit(search=search, reader=reader, generator=client)
        )
    assert search.asked == [("Who owns Harbor Rail?",)]
    assert reader.questions == ["Who owns Harbor Rail?"]
    assert (got.notes["shown"], got.generations) == ("corrected", 2)
    assert got.notes["rewrites"][0]["of"] == "Who onws Harbor Rail?"


def test_the_reader_can_get_the_question_that_was_entered() -> None:
    reader = Listening("Sea plc")
    with model_says("Who owns it?") as (client, _):
        got = build_pipeline("direct_correct", {"shown": "entered"}).run(
            entry("Who onws it?"), kit(reader=reader, generator=client)
        )
    assert (reader.questions, got.notes["shown"]) == (["Who onws it?"], "entered")


def test_what_is_shown_and_what_is_searched_are_corrected_by_themselves() -> None:
    search, reader = Search(), Listening("Sea plc")
    with model_says("searched", "shown") as (client, _):
        got = build_pipeline("direct_correct", {}).run(
            entry("shwon", "saerched"), kit(search=search, reader=reader, generator=client)
        )
    assert (search.asked, reader.questions, got.generations) == ([("searched",)], ["shown"], 3)


def test_a_correction_that_cannot_be_read_is_the_rewriter_s_error() -> None:
    with model_says("a\nb") as (client, _), pytest.raises(RewriteError, match="2 lines"):
        build_pipeline("direct_correct", {}).run(entry(), kit(generator=client))


def test_a_made_up_passage_only_searches() -> None:
    # QE-RAG (arXiv 2504.04062): one passage that replaces the question.
    search, reader = Search(), Listening("Sea plc")
    with model_says("It is owned by Sea plc.") as (client, endpoint):
        got = build_pipeline("hyde", {}).run(
            entry("shown", "searched"), kit(search=search, reader=reader, generator=client)
        )
        asked = endpoint.requests[0][2]
    assert (search.asked, reader.questions) == ([("It is owned by Sea plc.",)], ["shown"])
    assert (asked["temperature"], got.generations) == (0.0, 2)
    assert "Question: searched" in asked["messages"][0]["content"]


def test_the_question_and_several_passages_can_be_searched_together() -> None:
    search = Search()
    with model_says("a", "b") as (client, _):
        got = build_pipeline("hyde", {"n": 2, "include_query": True, "temperature": 0.7}).run(
            entry("q"), kit(search=search, generator=client)
        )
    assert (search.asked, got.retrievals, got.generations) == ([("q", "a", "b")], 1, 3)


def test_every_query_of_a_rewriter_is_searched_and_all_are_the_question() -> None:
    search, reader = Search(), Listening("Sea plc")
    with model_says('["revenue of Sea", "loss of Sea"]') as (client, _):
        got = build_pipeline("rewritten", {"rewriter": "decompose"}).run(
            entry("q"), kit(search=search, reader=reader, generator=client)
        )
    assert search.asked == [("revenue of Sea", "loss of Sea")]
    assert (reader.questions, got.generations) == (["revenue of Sea loss of Sea"], 2)


def test_what_is_only_made_to_search_is_no_question() -> None:
    reader = Listening("Sea plc")
    given = json.dumps({"n": 1, "include_query": False})
    with model_says("a passage") as (client, _):
        build_pipeline("rewritten", {"rewriter": "hyde", "parameters": given}).run(
            entry("q"), kit(reader=reader, generator=client)
        )
    assert reader.questions == ["q"]


def test_each_text_is_rewritten_where_shown_and_searched_differ() -> None:
    search, reader = Search(), Listening("Sea plc")
    build_pipeline("rewritten", {"rewriter": "unchanged"}).run(
        entry("shown", "searched"), kit(search=search, reader=reader)
    )
    assert (search.asked, reader.questions) == ([("searched",)], ["shown"])


def test_a_repair_is_a_generation_too() -> None:
    with model_says("no", '["a"]') as (client, _):
        got = build_pipeline("rewritten", {"rewriter": "decompose"}).run(
            entry("q"), kit(generator=client)
        )
    assert got.generations == 3  # asked twice, and the reader


def _writes(monkeypatch: pytest.MonkeyPatch, rewrite: Rewrite) -> None:
    monkeypatch.setattr(UnchangedRewriter, "write", lambda _self, _request: rewrite)


def test_a_rewrite_that_asks_back_is_an_abstention(monkeypatch: pytest.MonkeyPatch) -> None:
    _writes(monkeypatch, Rewrite("clarification", clarification="Which one?"))
    got = build_pipeline("rewritten", {"rewriter": "unchanged"}).run(entry(), kit())
    assert (got.answer.text, got.retrievals) == (None, 0)
    assert got.notes["clarification"] == "Which one?"


def test_filters_are_not_dropped_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    _writes(monkeypatch, Rewrite("standalone", ("q",), filters={"year": 2024}))
    with pytest.raises(PipelineError, match="filters"):
        build_pipeline("rewritten", {"rewriter": "unchanged"}).run(entry(), kit())


@pytest.mark.parametrize(
    ("parameters", "why"),
    [
        ({}, 'needs a value for "rewriter"'),
        ({"rewriter": "nobody"}, 'no rewriter called "nobody"'),
        ({"rewriter": "hyde", "parameters": "{"}, "are no JSON"),
        ({"rewriter": "hyde", "parameters": "[]"}, "must be a JSON object"),
        ({"rewriter": "hyde", "parameters": '{"n": 99}'}, "n must lie between"),
    ],
)
def test_a_rewriter_that_cannot_be_is_refused(parameters: dict[str, object], why: str) -> None:
    with pytest.raises(PartError, match=why):
        build_pipeline("rewritten", parameters)
