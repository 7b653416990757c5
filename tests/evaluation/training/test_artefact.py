import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluation.registry import PartError
from evaluation.training.artefact import FILE, ArtefactError, read_artefact, write_artefact


def weights(text: str = "0.5") -> Callable[[Path], None]:
    def save(folder: Path) -> None:
        (folder / "part").mkdir()
        (folder / "part" / "weights.bin").write_text(text, encoding="utf-8")

    return save


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_artefact(tmp_path / "model", "retriever", weights(), {"seed": 7, "losses": (0.5, 0.25)})
    return tmp_path / "model"


def test_what_was_written_is_read(folder: Path) -> None:
    read = read_artefact(folder, "retriever")
    assert read.told == {"seed": 7, "losses": [0.5, 0.25]}
    assert list(read.files) == ["part/weights.bin"]
    assert len(read.sha256) == 64


def test_the_hash_is_of_the_content_and_not_of_the_place(folder: Path, tmp_path: Path) -> None:
    told = {"seed": 7, "losses": [0.5, 0.25]}
    again = write_artefact(tmp_path / "elsewhere" / "copy", "retriever", weights(), told)
    other = write_artefact(tmp_path / "other", "retriever", weights(), {**told, "seed": 8})
    assert again.sha256 == read_artefact(folder, "retriever").sha256 != other.sha256


@pytest.mark.parametrize(
    ("file", "text", "sentence"),
    [
        ("part/weights.bin", "0.6", "weights.bin was changed"),
        ("new.txt", "x", r"new\.txt was added"),
        (FILE, "{", "is no JSON"),
        (FILE, "{}", "is not the record of an artefact"),
    ],
)
def test_a_changed_folder_is_refused(folder: Path, file: str, text: str, sentence: str) -> None:
    (folder / file).write_text(text, encoding="utf-8")
    with pytest.raises(ArtefactError, match=sentence):
        read_artefact(folder, "retriever")


def test_a_lost_file_is_named(folder: Path) -> None:
    (folder / "part" / "weights.bin").unlink()
    with pytest.raises(ArtefactError, match=r"weights\.bin is missing"):
        read_artefact(folder, "retriever")


def test_a_changed_record_is_refused(folder: Path) -> None:
    content = json.loads((folder / FILE).read_text(encoding="utf-8"))
    content["told"]["seed"] = 8
    (folder / FILE).write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ArtefactError, match="was changed after it was written"):
        read_artefact(folder, "retriever")


def test_another_kind_and_another_format_are_refused(folder: Path) -> None:
    with pytest.raises(ArtefactError, match="of the kind “retriever”, not “corrector”"):
        read_artefact(folder, "corrector")
    content = json.loads((folder / FILE).read_text(encoding="utf-8"))
    (folder / FILE).write_text(json.dumps({**content, "format": 2}), encoding="utf-8")
    with pytest.raises(ArtefactError, match="has the format 2"):
        read_artefact(folder, "retriever")


def test_a_folder_without_an_artefact_is_a_part_that_cannot_be_built(tmp_path: Path) -> None:
    with pytest.raises(PartError, match="no trained artefact"):
        read_artefact(tmp_path, "retriever")


def test_an_artefact_is_never_written_over(folder: Path) -> None:
    with pytest.raises(ArtefactError, match="something in"):
        write_artefact(folder, "retriever", weights("0.9"), {})
    assert read_artefact(folder, "retriever").told["seed"] == 7


def test_a_place_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ArtefactError, match="cannot be written to"):
        write_artefact(tmp_path / "file" / "model", "retriever", weights(), {})


def test_a_failed_training_leaves_nothing(tmp_path: Path) -> None:
    def fails(folder: Path) -> None:
        weights()(folder)
        raise RuntimeError("no memory")

    with pytest.raises(RuntimeError):
        write_artefact(tmp_path / "model", "retriever", fails, {})
    assert list(tmp_path.iterdir()) == []
