import io
import os
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Person, Project
from annotation.services.exports import Export
from annotation.services.projects import set_member


def export(*arguments: str) -> str:
    out = io.StringIO()
    call_command("export", "study", *arguments, stdout=out)
    return out.getvalue()


def test_a_file_is_written_whole(filled: Project, tmp_path: Path) -> None:
    target = tmp_path / "requests.jsonl"
    said = export("requests", "--output", str(target))
    assert target.read_bytes().count(b"\n") == 2
    assert said == f"{target} was written: {target.stat().st_size:,} bytes.\n"
    assert os.listdir(tmp_path) == ["requests.jsonl"]


def test_a_dash_writes_to_the_terminal(filled: Project) -> None:
    assert export("requests", "--format", "csv", "--output", "-").startswith("id,class,turns")


@pytest.mark.parametrize("shape, column", [("long", "materiality"), ("wide", "reviewer_5_reason")])
def test_the_tables_of_the_annotations_go_by_their_shape(
    shape: str, column: str, filled: Project
) -> None:
    header = export("annotations", "--format", shape, "--output", "-").splitlines()[0]
    assert column in header.split(",")


def test_a_full_disk_leaves_no_half_file(
    filled: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "requests.jsonl"
    target.write_text("before")

    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CommandError, match="No space left on device. What was there before"):
        export("requests", "--output", str(target))
    assert target.read_text() == "before" and os.listdir(tmp_path) == ["requests.jsonl"]


def test_a_fault_on_the_way_leaves_no_half_file(
    filled: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Export, "pieces", lambda _self: (1 / 0 for _ in "x"))
    with pytest.raises(ZeroDivisionError):
        export("requests", "--output", str(tmp_path / "f"))
    assert os.listdir(tmp_path) == []


REFUSED = [
    (["nothing", "--output", "-"], "invalid choice"),
    (["requests", "--format", "long", "--output", "-"], "Only annotations are written long"),
    (["corpus", "--format", "csv", "--output", "-"], "written as jsonl"),
    (["corpus", "--output", "/no/such/folder/f"], "There is no folder /no/such/folder"),
    (["sheets", "--named", "--as", "engineer", "--output", "-"], "Only an owner"),
    (["sheets", "--as", "annotator-a", "--output", "-"], "needs the role"),
]


@pytest.mark.parametrize("arguments, sentence", REFUSED)
def test_what_cannot_be_written_is_said_in_a_sentence(
    arguments: list[str], sentence: str, filled: Project
) -> None:
    with pytest.raises(CommandError, match=sentence):
        export(*arguments)


def test_the_first_owner_who_annotates_cannot_export_for_the_house(
    filled: Project, owner: Person
) -> None:
    set_member(actor=owner, project=filled, person=owner, roles=["owner", "annotator"])
    with pytest.raises(CommandError, match="no longer be blind"):
        export("sheets", "--output", "-")
