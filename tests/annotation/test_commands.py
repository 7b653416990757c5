import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command, execute_from_command_line
from django.core.management.base import CommandError
from django.db import connection

from annotation.models import Corpus, ImportRecord, Person, Project, Request
from annotation.permissions import roles_of
from tests.annotation.conftest import DOCUMENTS, REQUESTS, lines


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def corpus_file(tmp_path: Path) -> str:
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(lines(DOCUMENTS))
    return str(path)


@pytest.fixture
def faulty_file(tmp_path: Path) -> str:
    path = tmp_path / "faulty.jsonl"
    path.write_bytes(lines([{"_id": "d1"}]))
    return str(path)


def test_import_corpus_acts_as_the_first_owner(
    project: Project, owner: Person, corpus_file: str
) -> None:
    assert "2 of 2 rows written" in run("import_corpus", "study", corpus_file)
    assert Corpus.objects.get().created_by == owner


def test_import_requests_may_act_as_somebody_else(
    project: Project, engineer: Person, corpus_file: str, tmp_path: Path
) -> None:
    run("import_corpus", "study", corpus_file)
    path = tmp_path / "requests.jsonl"
    path.write_bytes(lines(REQUESTS))
    run("import_requests", "study", str(path), "--as", "engineer")
    assert ImportRecord.objects.get(kind="requests").created_by == engineer
    assert Request.objects.count() == 2


def test_somebody_without_the_role_is_refused(
    project: Project, corpus_file: str, annotator_a: Person
) -> None:
    with pytest.raises(CommandError, match="This needs the role"):
        run("import_corpus", "study", corpus_file, "--as", "annotator-a")


def test_a_dry_run_prints_json_and_writes_nothing(project: Project, corpus_file: str) -> None:
    report = json.loads(run("import_file", "study", "corpus", corpus_file, "--dry-run", "--json"))
    assert (report["rows"], report["written"], report["dry_run"]) == (2, 0, True)
    assert not Corpus.objects.exists()


def test_a_refusal_prints_each_fault_with_its_place_and_exits_with_1(
    project: Project, faulty_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        execute_from_command_line(["manage.py", "import_corpus", "study", faulty_file])
    assert stopped.value.code == 1
    assert capsys.readouterr().err.splitlines() == [
        "faulty.jsonl, row 1, column text: the column “text” is missing.",
        "Nothing was written.",
    ]


def test_a_refusal_is_one_json_object_too(project: Project, faulty_file: str) -> None:
    out = io.StringIO()
    with pytest.raises(CommandError):
        call_command("import_corpus", "study", faulty_file, "--json", stdout=out)
    refusal = json.loads(out.getvalue())
    assert refusal["problems"][0]["code"] == "missing" and refusal["written"] == 0


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (("import_corpus", "nowhere", "f"), "There is no project “nowhere”"),
        (("import_corpus", "study", "/no/such/file"), "cannot be read"),
        (("import_corpus", "study", "f", "--as", "nobody"), "Nobody is called “nobody”"),
        (("set_member", "study", "nobody", "annotator"), "add_person nobody"),
        (("set_member", "study", "owner", "annotator"), "only owner"),
        (("create_project", "a b", "--name", "A", "--owner", "owner"), "slug"),
        (("create_project", "study", "--name", "A", "--owner", "owner"), "taken"),
        (("add_person", "owner"), "already exists"),
        (("add_person", "a b"), "valid username"),
    ],
)
def test_a_faulty_call_is_told_in_a_sentence(
    arguments: tuple[str, ...], sentence: str, project: Project
) -> None:
    with pytest.raises(CommandError, match=sentence):
        run(*arguments)


def test_verify_ledger_says_that_the_chain_holds(project: Project) -> None:
    assert "holds" in run("verify_ledger", "study")
    assert json.loads(run("verify_ledger", "study", "--json"))["holds"] is True


def test_verify_ledger_exits_with_1_and_names_the_broken_entry(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE annotation_ledgerentry SET subject = 'forged' WHERE sequence = 3")
    with pytest.raises(SystemExit) as stopped:
        execute_from_command_line(["manage.py", "verify_ledger", "study"])
    assert stopped.value.code == 1 and "entry 3" in capsys.readouterr().err


def test_create_project_makes_a_retrieval_study(owner: Person) -> None:
    run("create_project", "r", "--name", "R", "--owner", "owner", "--purpose", "retrieval")
    project = Project.objects.get(slug="r")
    assert not project.takes_contracts and roles_of(owner, project) == {"owner"}


def test_add_person_prints_a_password_that_works(db: None) -> None:
    printed = run("add_person", "zoe", "--email", "zoe@example.org")
    password = printed.splitlines()[0].rsplit(" ", 1)[1]
    assert Person.objects.get(username="zoe").check_password(password)


def test_set_member_gives_exactly_the_named_roles(project: Project, engineer: Person) -> None:
    run("set_member", "study", "engineer", "adjudicator", "owner")
    assert roles_of(engineer, project) == {"adjudicator", "owner"}
