import math
import random
from pathlib import Path

import numpy as np
import pytest

from evaluation.records import Document, Hit
from evaluation.retrieval import PartError
from evaluation.retrieval.bm25 import Bm25Retriever
from evaluation.retrieval.rank_bm25 import RankBm25Retriever
from tests.evaluation.retrieval.corpora import RAIL, build, build_from, sha256_of


def ids(retriever: object, *queries: str, k: int = 10, **options: object) -> list[str]:
    return [hit.id for hit in retriever.search(queries, k=k, **options)]  # type: ignore[attr-defined]


def random_corpus(size: int) -> list[Document]:
    rng = random.Random(5)
    words = [f"w{i}" for i in range(40)]
    return [
        Document(f"d{i:03}", rng.choice(words), " ".join(rng.choices(words, k=rng.randint(1, 30))))
        for i in range(size)
    ]


def test_title_and_text_are_searched(tmp_path: Path) -> None:
    assert ids(build("bm25", RAIL, tmp_path), "harbor revenue") == ["d1", "d2", "d4"]


def test_a_score_is_the_published_formula(tmp_path: Path) -> None:
    # Kamphuis et al., ECIR 2020, Table 1, row "Lucene (accurate)", worked by hand for N = 2.
    corpus = [Document("a", "", "x x y"), Document("b", "", "y")]
    hit = build("bm25", corpus, tmp_path).search(["x"], k=1)[0]
    idf = np.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    assert hit.score == pytest.approx(idf * 2 / (2 + 1.2 * (1 - 0.75 + 0.75 * 3 / 2)))


def agree(ours: list[Hit], theirs: list[Hit], factor: float) -> None:
    # Scores, then ranks by score: documents that tie but for the last bit may change places.
    assert {h.id: h.score * factor for h in ours} == pytest.approx({h.id: h.score for h in theirs})
    assert [h.score * factor for h in ours] == pytest.approx([h.score for h in theirs])


@pytest.mark.parametrize(("word", "variant"), [("w1", "plus"), ("w2", "okapi"), ("w39", "plus")])
def test_queries_of_one_word_rank_as_with_rank_bm25(
    word: str, variant: str, tmp_path: Path
) -> None:
    # The variants differ by the word's IDF and k1 + 1, the same factor for every document.
    corpus = random_corpus(120)
    ours = build("bm25", corpus, tmp_path).search([word], k=120)
    theirs = build("rank_bm25", corpus, tmp_path, {"variant": variant}).search([word], k=120)
    assert len(ours) > 30
    agree(ours, theirs, theirs[0].score / ours[0].score)


@pytest.mark.parametrize("query", ["w1 w2", "w4 w4 w5 w6 w7", "w8 unknown w9"])
def test_longer_queries_score_as_with_rank_bm25_under_one_idf(query: str, tmp_path: Path) -> None:
    corpus = random_corpus(120)
    theirs = build("rank_bm25", corpus, tmp_path)
    assert isinstance(theirs, RankBm25Retriever)
    assert theirs._index is not None
    for word in theirs._index.idf:
        n = sum(word in document for document in theirs._words)
        theirs._index.idf[word] = math.log(1 + (120 - n + 0.5) / (n + 0.5))
    ours = build("bm25", corpus, tmp_path)
    agree(ours.search([query], k=120), theirs.search([query], k=120), 1.2 + 1)


def test_a_word_of_most_documents_still_counts_in_favour(tmp_path: Path) -> None:
    # With the classic IDF, ln((N - n + 0.5) / (n + 0.5)), it counts against: here -0.51.
    corpus = [Document("a", "", "z"), Document("b", "", "y"), Document("c", "", "y")]
    assert ids(build("bm25", corpus, tmp_path), "y") == ["b", "c"]


@pytest.mark.parametrize("query", ["unknown", "", "  ", "?!"])
def test_a_query_without_a_known_word_has_no_hits(query: str, tmp_path: Path) -> None:
    assert ids(build("bm25", RAIL, tmp_path), query) == []


@pytest.mark.parametrize("corpus", [[], [Document("a", "", ""), Document("b", "", "?")]])
def test_a_corpus_without_words_has_no_hits(corpus: list[Document], tmp_path: Path) -> None:
    assert ids(build("bm25", corpus, tmp_path), "rail") == []


def test_k_beyond_the_corpus_gives_what_there_is(tmp_path: Path) -> None:
    assert len(ids(build("bm25", RAIL, tmp_path), "revenue", k=1000)) == 2


def test_k_below_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PartError, match="k of at least 1"):
        build("bm25", RAIL, tmp_path).search(["x"], k=0)


def test_ties_fall_to_the_lower_id_whatever_the_order_of_the_corpus(tmp_path: Path) -> None:
    corpus = [Document(f"d{i}", "", "same words") for i in (3, 1, 2)]
    assert ids(build("bm25", corpus, tmp_path), "same", k=2) == ["d1", "d2"]


def test_the_order_of_a_querys_words_does_not_matter(tmp_path: Path) -> None:
    retriever = build("bm25", random_corpus(60), tmp_path)
    assert retriever.search(["w1 w2 w3"], k=60) == retriever.search(["w3 w1 w2"], k=60)


def test_several_queries_give_unique_hits_with_their_query(tmp_path: Path) -> None:
    hits = build("bm25", RAIL, tmp_path).search(["harbor", "ferries", "harbor"], k=10)
    assert [h.rank for h in hits] == [1, 2, 3, 4]
    assert [(h.id, h.query) for h in hits if h.query == 1] == [("d4", 1), ("d3", 1)]
    assert len({h.id for h in hits}) == 4


def test_filters_decide_before_ranking(tmp_path: Path) -> None:
    retriever = build("bm25", RAIL, tmp_path)
    assert ids(retriever, "harbor", k=1, filters={"date": {"lt": "2021"}}) == ["d2"]
    assert ids(retriever, "revenue", filters={"kind": "REPORT"}) == ["d4"]


def test_the_index_is_read_again_without_the_documents(tmp_path: Path) -> None:
    before = build("bm25", RAIL, tmp_path).search(["harbor revenue"], k=4)
    again = build_from("bm25", lambda: pytest.fail("it was built again"), tmp_path)
    assert again.search(["harbor revenue"], k=4) == before


def test_the_index_is_memory_mapped(tmp_path: Path) -> None:
    retriever = build("bm25", RAIL, tmp_path)
    assert isinstance(retriever, Bm25Retriever)
    assert isinstance(retriever._index.scores["data"], np.memmap)


def test_other_parameters_or_another_corpus_have_an_index_of_their_own(tmp_path: Path) -> None:
    build("bm25", RAIL, tmp_path)
    build("bm25", RAIL, tmp_path, {"k1": 2})
    build("bm25", RAIL[:1], tmp_path, corpus="other")
    assert len(list((tmp_path / sha256_of("corpus")).iterdir())) == 2
    assert len(list((tmp_path / sha256_of("other")).iterdir())) == 1


def test_the_same_corpus_gives_the_same_bytes(tmp_path: Path) -> None:
    corpus = random_corpus(50)
    build("bm25", corpus, tmp_path / "a")
    build("bm25", corpus[::-1], tmp_path / "b")
    names = sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*"))
    files = [name for name in names if (tmp_path / "a" / name).is_file()]
    assert len(files) >= 8
    assert all(
        (tmp_path / "a" / n).read_bytes() == (tmp_path / "b" / n).read_bytes() for n in files
    )


def test_a_retriever_describes_itself_the_same_each_time(tmp_path: Path) -> None:
    a = build("bm25", RAIL, tmp_path).describe()
    b = build("bm25", RAIL, tmp_path, {"k1": 1.2, "b": 0.75}).describe()
    assert a == b
    assert a["name"] == "bm25"
    assert a["parameters"] == {"k1": 1.2, "b": 0.75, "stop_words": "none", "per_query": 0}
    assert a["merge"] == "round-robin by rank"


def test_each_query_adds_at_most_so_many_documents(tmp_path: Path) -> None:
    queries = ["harbor revenue", "revenue"]
    lists = [ids(build("bm25", RAIL, tmp_path), query, k=2) for query in queries]
    both = ids(build("bm25", RAIL, tmp_path, {"per_query": 2}), *queries, k=10)
    assert set(both) == {document for found in lists for document in found}


def test_how_many_documents_a_query_adds_is_no_matter_of_the_index(tmp_path: Path) -> None:
    for per_query in (0, 2):
        build("bm25", RAIL, tmp_path, {"per_query": per_query})
    (corpus,) = tmp_path.iterdir()
    assert len([folder for folder in corpus.iterdir() if not folder.name.startswith(".")]) == 1


def test_a_number_of_documents_below_0_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PartError, match="per_query must be 0 or more"):
        build("bm25", RAIL, tmp_path, {"per_query": -1})
