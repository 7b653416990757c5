"""A study that goes on with an earlier one keeps the head of that one's chain in its own."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.importing.problems import ImportRefused
from annotation.models import LedgerEntry, Person, Project
from annotation.services.exports import begin_export
from annotation.services.imports import import_file
from annotation.services.ledger import first_broken
from annotation.services.projects import create_project


@pytest.fixture
def exported(project: Project, owner: Person) -> bytes:
    """The named ledger of a study, as a file."""
    found = begin_export(actor=owner, project=project, kind_name="ledger", named=True)
    return b"".join(found.pieces())


@pytest.fixture
def following(owner: Person) -> Project:
    return create_project(actor=owner, slug="following", name="Following")


def bring(project: Project, actor: Person, data: bytes) -> Any:
    return import_file(
        actor=actor, project=project, kind="ledger", filename="ledger.jsonl", data=data
    )


def test_the_head_of_the_earlier_chain_is_kept_in_the_new_one(
    exported: bytes, following: Project, owner: Person
) -> None:
    bring(following, owner, exported)
    kept = LedgerEntry.objects.get(project=following, kind="ledger.kept").content
    entries = [json.loads(line) for line in exported.splitlines()]
    assert kept == {
        "entries": len(entries), "recomputed": len(entries), "head": entries[-1]["hash"],
    }  # fmt: skip
    assert first_broken(following) is None


def test_a_chain_in_which_an_entry_was_changed_is_refused(
    exported: bytes, following: Project, owner: Person
) -> None:
    first, *others = exported.splitlines()
    changed = json.dumps({**json.loads(first), "subject": "another"}).encode()
    with pytest.raises(ImportRefused, match="changed after it was written"):
        bring(following, owner, b"\n".join([changed, *others]))
    assert not LedgerEntry.objects.filter(project=following, kind="ledger.kept").exists()


def test_a_chain_with_a_gap_is_refused(exported: bytes, following: Project, owner: Person) -> None:
    lines = exported.splitlines()
    with pytest.raises(ImportRefused, match="is missing"):
        bring(following, owner, b"\n".join(lines[1:]))


def test_the_file_is_proved_against_the_study_that_goes_on_with_it(
    exported: bytes, following: Project, owner: Person, tmp_path: Path
) -> None:
    file = tmp_path / "ledger.jsonl"
    file.write_bytes(exported)
    with pytest.raises(CommandError, match="the entry that you expect is missing"):
        call_command("verify_ledger", "following", file=str(file))
    bring(following, owner, exported)
    call_command("verify_ledger", "following", file=str(file))
    file.write_bytes(b"\n".join(exported.splitlines()[:-1]))
    with pytest.raises(CommandError, match="the entry that you expect is missing"):
        call_command("verify_ledger", "following", file=str(file))
