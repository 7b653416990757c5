import json
from pathlib import Path

import pytest

from evaluation.records import Document
from evaluation.retrieval import PartError
from evaluation.retrieval.store import CorpusSource, DocumentTable, open_index
from tests.evaluation.retrieval.corpora import RAIL, build, sha256_of


def source(cache_dir: Path, documents: list[Document] | None = None) -> CorpusSource:
    return CorpusSource(lambda: RAIL if documents is None else documents, sha256_of("c"), cache_dir)


def write(folder: Path, documents: list[Document]) -> None:
    (folder / "count.txt").write_text(str(len(documents)), encoding="utf-8")


def test_a_failed_build_leaves_nothing_behind(tmp_path: Path) -> None:
    def fail(folder: Path, documents: list[Document]) -> None:
        write(folder, documents)
        raise RuntimeError("disk full")

    with pytest.raises(RuntimeError):
        open_index(source(tmp_path), {}, fail)
    assert list((tmp_path / sha256_of("c")).iterdir()) == []


def test_of_two_builders_the_first_to_finish_wins(tmp_path: Path) -> None:
    def overtaken(folder: Path, documents: list[Document]) -> None:
        open_index(source(tmp_path), {}, write)
        (folder / "count.txt").write_text("second", encoding="utf-8")

    folder = open_index(source(tmp_path), {}, overtaken)
    assert (folder / "count.txt").read_text(encoding="utf-8") == "4"
    assert list(folder.parent.iterdir()) == [folder]


@pytest.mark.parametrize("damage", ["count.txt", "manifest.json", "ids.json"])
def test_a_damaged_index_is_built_again(damage: str, tmp_path: Path) -> None:
    folder = open_index(source(tmp_path), {}, write)
    (folder / damage).write_text("", encoding="utf-8")
    assert open_index(source(tmp_path), {}, write) == folder
    assert (folder / "count.txt").read_text(encoding="utf-8") == "4"
    assert list(folder.parent.iterdir()) == [folder]


def test_a_truncated_file_of_a_real_index_is_built_again(tmp_path: Path) -> None:
    before = build("bm25", RAIL, tmp_path).search(["harbor"], k=4)
    [data] = tmp_path.rglob("data.csc.index.npy")
    data.write_bytes(data.read_bytes()[:-8])
    assert build("bm25", RAIL, tmp_path).search(["harbor"], k=4) == before


def test_ids_and_metadata_survive_any_text(tmp_path: Path) -> None:
    odd = [Document("\u2028", "", "", {"k": "a\u2028b\n"}), Document("\u00fc", "", "", {})]
    folder = open_index(source(tmp_path, odd), {}, write)
    table = DocumentTable.read(folder)
    assert table.ids == ["\u00fc", "\u2028"]
    mask = table.allowed({"k": "a\u2028b"})
    assert mask is not None
    assert mask.tolist() == [False, True]
    assert json.loads((folder / "ids.json").read_text(encoding="utf-8")) == table.ids


def test_two_documents_with_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PartError, match='the id "d1"'):
        open_index(source(tmp_path, [RAIL[0], RAIL[0]]), {}, write)


@pytest.mark.parametrize("name", ["", "../../etc", "ABC", "a" * 63])
def test_a_corpus_is_named_by_its_hash_only(name: str, tmp_path: Path) -> None:
    with pytest.raises(PartError, match="SHA-256"):
        CorpusSource(lambda: RAIL, name, tmp_path)
