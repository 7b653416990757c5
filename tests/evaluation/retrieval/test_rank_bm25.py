from pathlib import Path

import pytest

from evaluation.records import Document
from evaluation.retrieval import PartError
from tests.evaluation.retrieval.corpora import RAIL, build

# A word in two of three documents: the classic IDF is ln(1.5 / 2.5) = -0.51.
COMMON = [Document("a", "", "z"), Document("b", "", "y"), Document("c", "", "y y")]


@pytest.mark.parametrize("variant", ["plus", "okapi"])
def test_hits_are_the_documents_that_share_a_word(variant: str, tmp_path: Path) -> None:
    hits = build("rank_bm25", COMMON, tmp_path, {"variant": variant}).search(["y"], k=3)
    assert {hit.id for hit in hits} == {"b", "c"}


def test_a_large_corpus_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(PartError, match="Use the retriever bm25"):
        build("rank_bm25", RAIL, tmp_path, {"max_documents": 3})


@pytest.mark.parametrize("corpus", [[], [Document("a", "", "")]])
def test_a_corpus_without_words_has_no_hits(corpus: list[Document], tmp_path: Path) -> None:
    assert build("rank_bm25", corpus, tmp_path).search(["y"], k=3) == []


def test_filters_hold_here_too(tmp_path: Path) -> None:
    retriever = build("rank_bm25", RAIL, tmp_path)
    hits = retriever.search(["harbor"], k=3, filters={"date": {"gt": "2021"}})
    assert [hit.id for hit in hits] == ["d1"]
