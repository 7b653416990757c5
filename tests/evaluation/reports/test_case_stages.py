"""What the stage rows of a case say, in words."""

import pytest

from evaluation.records import Document
from evaluation.reports.case.stages import STATUS_WORDS, cited, found_by, searched, took
from evaluation.scoring.outcomes import FAILED

TEXT = "It runs trains. It rose\n4 % in 2022. Nobody knows why. The end."
DOCUMENTS = {"d1": Document("d1", "Harbor Rail", TEXT)}
HITS = [{"id": "d1", "rank": 2, "score": 1.0}]


def test_the_request_that_the_retriever_added_is_told_apart() -> None:
    found = searched({"searched": ["a", "the request"]}, ["a"])
    assert [(q.number, q.text, q.added) for q in found] == [
        (1, "a", False),
        (2, "the request", True),
    ]


def test_nothing_is_told_of_a_search_that_sent_the_rewrite_alone() -> None:
    assert searched({"hits": []}, ["a"]) == ()


def test_every_list_that_a_fused_hit_stood_in_is_named() -> None:
    lists = [{"query": 0, "rank": 3, "by": "bm25"}, {"query": 1, "rank": 1, "by": "dense"}]
    hit = {"id": "d1", "rank": 1, "score": 0.1, "found": lists}
    assert found_by(hit, 2, frozenset({1})) == (
        "query 1, rank 3 in bm25",
        "the original request, rank 1 in dense",
    )


def test_a_hit_of_several_queries_that_take_turns_names_its_query() -> None:
    assert found_by({**HITS[0], "query": 1}, 2, frozenset()) == ("query 2",)
    assert found_by(HITS[0], 1, frozenset()) == ()


def test_a_citation_marks_the_sentence_that_the_answer_is() -> None:
    [one] = cited({"answer": "It rose 4 % in 2022.", "citations": ["d1"]}, HITS, DOCUMENTS)
    assert (one.title, one.rank) == ("Harbor Rail", 2)
    assert (one.before, one.sentence, one.after) == (
        "It runs trains.",
        "It rose 4 % in 2022.",
        "Nobody knows why.",
    )


def test_a_citation_marks_the_sentence_that_a_span_was_taken_from() -> None:
    content = {"answer": "4 %", "taken_from": "It rose 4 % in 2022.", "citations": ["d1"]}
    [one] = cited(content, HITS, DOCUMENTS)
    assert one.sentence == "It rose 4 % in 2022."


def test_an_answer_in_other_words_marks_no_sentence() -> None:
    [one] = cited({"answer": "4 %", "citations": ["d1"]}, HITS, DOCUMENTS)
    assert one.sentence == "" and one.before.startswith("It runs trains. It rose 4 %")


def test_a_cited_document_that_was_not_retrieved_or_is_unknown_is_still_named() -> None:
    content = {"answer": "x", "citations": ["d1", "d7"]}
    assert [(one.id, one.rank) for one in cited(content, [], DOCUMENTS)] == [
        ("d1", None),
        ("d7", None),
    ]


def test_each_stage_says_what_was_measured_of_it_and_no_more() -> None:
    stages = {
        "rewrite": {
            "latency_ms": 120.4,
            "tokens": {"in": 1200, "out": 5, "cached": 3},
            "cost_usd": 0.0002,
            "calls": {"made": 1, "shared": 2},
        },
        "retrieve": {"hits": []},
        "answer": {"latency_ms": 2.0, "tokens": None, "calls": 3},
    }
    assert [(one.stage, one.parts) for one in took(stages)] == [
        (
            "rewrite",
            (
                "120 ms",
                "1,200 tokens in",
                "5 tokens out",
                "3 tokens (cached)",
                "USD 0.000200",
                "1 call",
                "2 replies of equal calls taken over",
            ),
        ),
        ("answer", ("2.0 ms", "3 calls")),
    ]


def test_a_stage_that_made_no_call_says_nothing_of_calls() -> None:
    assert took({"rewrite": {"calls": {"made": 0, "shared": 0}}}) == ()


@pytest.mark.parametrize("status", FAILED)
def test_every_status_of_a_failure_has_words(status: str) -> None:
    assert STATUS_WORDS[status]
