"""Texts and word counts of a corpus on disk."""

from pathlib import Path

import pytest

from evaluation.records import Document
from evaluation.retrieval import build_retriever
from evaluation.retrieval.corpus_files import CorpusFiles, RetrieverView
from evaluation.retrieval.store import CorpusSource

DOCUMENTS = [
    Document("b", "Zürich\nWest", "Harbor Rail's share\u2028rose. Harbor!"),
    Document("a", "", "Ferries"),
]
SHA = "0" * 64


def source(folder: Path, documents: list[Document] | None = DOCUMENTS) -> CorpusSource:
    def read() -> list[Document]:
        assert documents is not None, "the corpus is read a second time"
        return documents

    return CorpusSource(read, SHA, folder)


def test_documents_come_back_as_they_were_in_the_order_asked(tmp_path: Path) -> None:
    files = CorpusFiles(source(tmp_path))
    assert files.documents(["a", "b"]) == [DOCUMENTS[1], DOCUMENTS[0]]
    with pytest.raises(KeyError):
        files.documents(["c"])


def test_words_are_counted_as_they_are_searched(tmp_path: Path) -> None:
    words = CorpusFiles(source(tmp_path)).words
    assert words == {
        "zürich": 1,
        "west": 1,
        "harbor": 2,
        "rail": 1,
        "share": 1,
        "rose": 1,
        "ferries": 1,
    }


def test_a_corpus_is_read_once_and_then_from_disk(tmp_path: Path) -> None:
    CorpusFiles(source(tmp_path))
    again = CorpusFiles(source(tmp_path, None))
    assert again.words["harbor"] == 2
    assert again.documents(["a"])[0].text == "Ferries"


def test_a_view_finds_what_the_retriever_finds(tmp_path: Path) -> None:
    retriever = build_retriever(
        "bm25", {}, documents=lambda: DOCUMENTS, corpus_sha256=SHA, cache_dir=tmp_path
    )
    view = RetrieverView(source(tmp_path), retriever)
    assert [one.id for one in view.search("rail share", 2)] == ["b"]
    assert view.search(" ", 2) == []
    assert view.words()["rail"] == 1
