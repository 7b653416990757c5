"""What can be detected of a ledger that somebody changed behind the application's back."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from annotation.models import LedgerEntry, Person, Project
from annotation.services import ledger
from annotation.services.exports import begin_export

TABLE = "annotation_ledgerentry"


@pytest.fixture
def chain(project: Project, owner: Person) -> list[LedgerEntry]:
    with transaction.atomic():
        for name in ("a", "b", "c"):
            ledger.record(project=project, kind="k", subject=name, content={"n": 1}, actor=owner)
    return list(project.ledger.order_by("sequence"))


def sql(statement: str, *values: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def test_a_deleted_entry_is_named(project: Project, chain: list[LedgerEntry]) -> None:
    sql(f"DELETE FROM {TABLE} WHERE id = %s", chain[-2].pk)  # noqa: S608 the table is ours
    with pytest.raises(CommandError, match=f"entry {chain[-2].sequence} is missing"):
        call_command("verify_ledger", "study")


def test_two_entries_in_another_order_are_named(project: Project, chain: list[LedgerEntry]) -> None:
    one, other = chain[-2], chain[-1]
    set_to = f"UPDATE {TABLE} SET sequence = %s WHERE id = %s"  # noqa: S608
    for sequence, entry in ((9_999, one), (one.sequence, other), (other.sequence, one)):
        sql(set_to, sequence, entry.pk)
    with pytest.raises(CommandError, match=f"entry {one.sequence} does not follow"):
        call_command("verify_ledger", "study")


def test_a_changed_entry_is_named(project: Project, chain: list[LedgerEntry]) -> None:
    sql(f"UPDATE {TABLE} SET subject = 'x' WHERE id = %s", chain[-2].pk)  # noqa: S608
    with pytest.raises(CommandError, match=f"entry {chain[-2].sequence} .* was changed"):
        call_command("verify_ledger", "study")


def test_entries_cut_off_at_the_end_show_only_to_whoever_kept_the_head(
    project: Project, chain: list[LedgerEntry]
) -> None:
    sql(f"DELETE FROM {TABLE} WHERE id = %s", chain[-1].pk)  # noqa: S608
    call_command("verify_ledger", "study")  # what is left is a whole chain
    with pytest.raises(CommandError, match="the entry that you expect is missing"):
        call_command("verify_ledger", "study", expect=chain[-1].hash)


def test_an_exported_file_shows_what_was_cut_off(
    project: Project, owner: Person, chain: list[LedgerEntry], tmp_path: Path
) -> None:
    file = exported(project, owner, tmp_path)
    call_command("verify_ledger", "study", file=str(file))
    sql(f"DELETE FROM {TABLE} WHERE sequence >= %s", chain[-1].sequence)  # noqa: S608
    with pytest.raises(CommandError, match="the entry that you expect is missing"):
        call_command("verify_ledger", "study", file=str(file))


def exported(project: Project, owner: Person, folder: Path, *, named: bool = True) -> Path:
    export = begin_export(actor=owner, project=project, kind_name="ledger", named=named)
    file = folder / "ledger.jsonl"
    file.write_bytes(b"".join(export.pieces()))
    return file


def test_a_named_file_proves_itself_without_the_database(
    project: Project,
    owner: Person,
    chain: list[LedgerEntry],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("verify_ledger", file=str(exported(project, owner, tmp_path)), json=True)
    said = json.loads(capsys.readouterr().out)
    assert said["holds"] and said["recomputed"] == said["entries"] >= len(chain)


def test_a_file_under_pseudonyms_says_that_its_links_alone_were_checked(
    project: Project,
    owner: Person,
    chain: list[LedgerEntry],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("verify_ledger", file=str(exported(project, owner, tmp_path, named=False)))
    assert "the hashes of 0 of" in capsys.readouterr().out


def test_a_changed_line_of_a_file_is_named(
    project: Project, owner: Person, chain: list[LedgerEntry], tmp_path: Path
) -> None:
    file = exported(project, owner, tmp_path)
    file.write_text(file.read_text().replace('"b"', '"x"'))
    with pytest.raises(CommandError, match=f"entry {chain[-2].sequence} .* was changed"):
        call_command("verify_ledger", file=str(file))


@pytest.mark.parametrize("line", ["[1]", "{", '{"sequence": 1}'])
def test_what_is_no_ledger_is_said_so(line: str, tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text(line)
    with pytest.raises(CommandError, match="line 1 is no entry"):
        call_command("verify_ledger", file=str(file))


def test_the_page_walks_the_newest_entries_from_the_one_before_them(
    project: Project, chain: list[LedgerEntry]
) -> None:
    assert ledger.first_broken(project, newest=2) is None
    sql(f"UPDATE {TABLE} SET subject = 'x' WHERE id = %s", chain[-2].pk)  # noqa: S608
    broken = ledger.first_broken(project, newest=2)
    assert broken and broken.sequence == chain[-2].sequence
    assert ledger.first_broken(project, newest=1) is None


@pytest.mark.sqlite
def test_the_time_is_that_of_the_database(
    project: Project, owner: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = ledger.database_time().replace(year=2031)
    monkeypatch.setattr(ledger, "database_time", lambda: moment)
    with transaction.atomic():
        entry = ledger.record(project=project, kind="k", subject="s", content={}, actor=owner)
    assert entry.at == moment.isoformat(timespec="microseconds")
