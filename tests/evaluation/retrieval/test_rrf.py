import math
from pathlib import Path

import pytest

from evaluation.records import Document, Found, Hit
from evaluation.retrieval import FilterError, PartError
from tests.evaluation.retrieval.corpora import RAIL, build


def test_a_document_that_two_queries_find_rises(tmp_path: Path) -> None:
    # bm25: "ferry traffic" finds d3; "revenue ferries" d4, then d1 and d3, alike in part.
    hits = build("rrf", RAIL, tmp_path).search(["ferry winter", "revenue", "winter revenue"], k=4)
    assert hits[0].id == "d3" and {found.query for found in hits[0].found} == {0, 2}


def test_one_query_keeps_the_order_of_the_retriever_it_asks(tmp_path: Path) -> None:
    plain = build("bm25", RAIL, tmp_path).search(["harbor rail revenue"], k=4)
    fused = build("rrf", RAIL, tmp_path).search(["harbor rail revenue"], k=4)
    assert [hit.id for hit in fused] == [hit.id for hit in plain]
    assert fused[0] == Hit(plain[0].id, 1, 1 / 61, 0, (Found(0, 1, "bm25"),))


def test_the_original_request_comes_after_the_queries(tmp_path: Path) -> None:
    retriever = build("rrf", RAIL, tmp_path)
    assert retriever.searched(("a", "b"), "what was asked") == ("a", "b", "what was asked")


@pytest.mark.parametrize("original", ["b", " b\n", "", "  "])
def test_an_original_that_is_among_the_queries_is_not_sent_twice(
    original: str, tmp_path: Path
) -> None:
    assert build("rrf", RAIL, tmp_path).searched(("a", "b"), original) == ("a", "b")


def test_the_original_can_be_left_out(tmp_path: Path) -> None:
    retriever = build("rrf", RAIL, tmp_path, {"include_original": False})
    assert retriever.searched(("a",), "what was asked") == ("a",)


def test_other_retrievers_search_the_rewrite_alone(tmp_path: Path) -> None:
    assert build("bm25", RAIL, tmp_path).searched(("a",), "what was asked") == ("a",)


def test_filters_decide_before_ranking(tmp_path: Path) -> None:
    retriever = build("rrf", RAIL, tmp_path)
    [hit] = retriever.search(["harbor", "rail"], k=4, filters={"date": {"lt": "2021"}})
    assert hit.id == "d2" and hit.found == (Found(0, 1, "bm25"), Found(1, 1, "bm25"))
    with pytest.raises(FilterError):
        retriever.search(["harbor"], k=4, filters={"date": {"near": "2021"}})


def test_ties_fall_to_the_lower_id(tmp_path: Path) -> None:
    corpus = [Document(f"d{i}", "", "the same ferry") for i in (3, 1, 2)]
    hits = build("rrf", corpus, tmp_path).search(["ferry", "same"], k=3)
    assert [hit.id for hit in hits] == ["d1", "d2", "d3"]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"over": "rrf"}, "it must be one of 'bm25', 'dense'"),
        ({"constant": 0}, "constant must be at least 1"),
        ({"depth": 0}, "depth must be from 1 to 10000"),
    ],
)
def test_a_wrong_value_is_a_sentence(given: dict, sentence: str, tmp_path: Path) -> None:  # type: ignore[type-arg]
    with pytest.raises(PartError, match=sentence):
        build("rrf", RAIL, tmp_path, given)


def test_lists_are_read_to_the_depth_that_is_set(tmp_path: Path) -> None:
    corpus = [Document(f"d{i}", "", "ferry") for i in range(9)]
    shallow = build("rrf", corpus, tmp_path, {"depth": 1})
    assert len(shallow.search(["ferry"], k=1)) == 1
    assert len(shallow.search(["ferry"], k=5)) == 5  # never less deep than k


def test_an_empty_corpus_has_no_hits(tmp_path: Path) -> None:
    assert build("rrf", [], tmp_path).search(["ferry"], k=3) == []


def test_a_hits_record_names_the_lists_and_reads_back(tmp_path: Path) -> None:
    [hit, *_more] = build("rrf", RAIL, tmp_path).search(["winter", "traffic"], k=1)
    assert hit.to_json()["found"] == [{"query": query, "rank": 1, "by": "bm25"} for query in (0, 1)]
    assert Hit.from_json(hit.to_json()) == hit and math.isclose(hit.score, 2 / 61)
