"""Members, imports and exports."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.models import Person, Project
from annotation.permissions import roles_of
from annotation.services import import_jobs
from tests.annotation.conftest import DOCUMENTS, lines

Programs = Callable[..., Client]
STUDY = "/api/v1/projects/study/"


@pytest.fixture
def client(program: Programs, owner: Person, project: Project) -> Client:
    return program(owner)


def sent(client: Client, kind: str, data: bytes, **more: Any) -> Any:
    file = SimpleUploadedFile(f"{kind}.jsonl", data)
    return client.post(STUDY + "imports/", {"kind": kind, "file": file, **more})


def test_people_are_listed_with_roles_and_pseudonyms(client: Client) -> None:
    rows = client.get(STUDY + "people/").json()["results"]
    found = {row["username"]: (row["roles"], row["pseudonym"]) for row in rows}
    assert found["owner"] == (["owner"], "p1")
    assert found["engineer"][0] == ["engineer"]


def test_roles_are_set_exactly(client: Client, project: Project, engineer: Person) -> None:
    body = {"roles": ["engineer", "adjudicator"]}
    told = client.put(STUDY + "people/engineer/", body, "application/json").json()
    assert told["roles"] == ["adjudicator", "engineer"]
    assert roles_of(engineer, project) == {"adjudicator", "engineer"}


def test_somebody_with_an_account_becomes_a_member(
    client: Client, project: Project, stranger: Person
) -> None:
    there, body = STUDY + "people/stranger/", {"roles": ["annotator"]}
    assert client.get(there).status_code == 404
    assert client.put(there, body, "application/json").status_code == 200
    assert roles_of(stranger, project) == {"annotator"}
    assert client.put(STUDY + "people/nobody/", body, "application/json").status_code == 404


def test_an_ended_membership_stays_in_the_list(client: Client) -> None:
    assert client.delete(STUDY + "people/annotator-b/").status_code == 204
    assert client.get(STUDY + "people/annotator-b/").json()["ended_at"]


def test_an_import_writes_and_is_told(client: Client, project: Project) -> None:
    answer = sent(client, "corpus", lines(DOCUMENTS))
    assert answer.status_code == 201
    assert (answer.json()["rows"], answer.json()["written"]) == (2, 2)
    assert client.get(STUDY + "imports/").json()["results"][0]["file"] == "corpus.jsonl"


def test_a_dry_run_writes_nothing(client: Client, project: Project) -> None:
    answer = sent(client, "corpus", lines(DOCUMENTS), dry_run="true")
    assert answer.status_code == 200 and answer.json()["dry_run"] is True
    assert not project.corpora.exists()


def test_the_same_file_again_changes_nothing(client: Client) -> None:
    sent(client, "corpus", lines(DOCUMENTS))
    again = sent(client, "corpus", lines(DOCUMENTS))
    assert again.status_code == 200 and again.json()["already_present"] is True


def test_a_fault_refuses_the_file_with_row_and_column(client: Client, project: Project) -> None:
    answer = sent(client, "corpus", lines([*DOCUMENTS, {"_id": "d3", "text": 4}]))
    told = answer.json()
    assert answer.status_code == 422 and told["total"] == 1
    assert (told["errors"][0]["row"], told["errors"][0]["column"]) == (3, "text")
    assert not project.corpora.exists()


def test_a_kind_of_file_that_is_none_is_refused(client: Client) -> None:
    told = sent(client, "passwords", b"{}").json()
    assert (told["status"], told["errors"][0]["pointer"]) == (400, "/kind")


def test_a_body_without_a_file_is_refused(client: Client) -> None:
    answer = client.post(STUDY + "imports/", {"kind": "corpus"})
    assert answer.json()["errors"][0]["pointer"] == "/file"
    assert client.post(STUDY + "imports/", "{}", "application/json").status_code == 415


def test_a_large_file_waits_for_a_worker_and_can_be_cancelled(
    client: Client, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_jobs, "INLINE_ROWS", 0)
    answer = sent(client, "corpus", lines(DOCUMENTS))
    there = f"{STUDY}imports/{answer.json()['id']}/"
    assert (answer.status_code, client.get(there).json()["state"]) == (202, "queued")
    ended = client.post(there + "cancel/", content_type="application/json").json()
    assert ended["state"] == "cancelled" and not project.corpora.exists()


def test_a_file_that_is_on_its_way_is_named_and_not_taken_twice(
    client: Client, program: Programs, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_jobs, "INLINE_ROWS", 0)
    first = sent(client, "corpus", lines(DOCUMENTS)).json()
    again = sent(client, "corpus", lines(DOCUMENTS))
    assert (again.status_code, again.json()["job"]) == (409, first["id"])
    assert again.json()["type"].endswith(":on-its-way")
    assert sent(program(engineer), "corpus", lines(DOCUMENTS)).status_code == 202  # not theirs


def test_anothers_import_does_not_exist_for_me(
    client: Client, program: Programs, engineer: Person
) -> None:
    job = sent(client, "corpus", lines(DOCUMENTS)).json()["id"]
    other = program(engineer)
    there = f"{STUDY}imports/{job}/"
    assert other.get(there).status_code == 404
    assert other.post(there + "cancel/", content_type="application/json").status_code == 404
    assert other.get(STUDY + "imports/").json()["results"] == []


def test_a_mapping_says_which_column_is_which(client: Client, filled: Project) -> None:
    file = SimpleUploadedFile("asked.csv", b"nr,group,words\n9,x,Why?\n")
    columns = {"nr": "id", "group": "class", "words": "text"}
    told = client.post(
        STUDY + "imports/",
        {"kind": "requests", "file": file, "mapping": json.dumps({"columns": columns})},
    )
    assert told.status_code == 201, told.json()
    assert filled.requests.get(key="9").text == "Why?"


def test_a_mapping_that_is_no_json_is_told(client: Client) -> None:
    told = sent(client, "corpus", lines(DOCUMENTS), mapping="{").json()
    assert (told["status"], told["errors"][0]["pointer"]) == (400, "/mapping")


def test_too_many_uploads_are_told_to_wait(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_jobs, "UPLOADS_A_MINUTE", 0)
    answer = sent(client, "corpus", lines(DOCUMENTS))
    assert (answer.status_code, answer["Retry-After"]) == (429, "60")
    assert answer["Content-Type"] == "application/problem+json"


def test_what_came_in_goes_out_the_same(
    client: Client, filled: Project, program: Programs, engineer: Person
) -> None:
    answer = program(engineer).post(STUDY + "exports/corpus/", {}, "application/json")
    rows = [json.loads(line) for line in answer.getvalue().splitlines()]
    assert [row["_id"] for row in rows] == ["d1", "d2"]
    assert answer["Content-Disposition"].startswith("attachment")
    assert filled.ledger.filter(kind="exported", actor=engineer).exists()


def test_the_list_of_exports_says_what_i_may_have(
    filled: Project, program: Programs, engineer: Person, annotator_a: Person
) -> None:
    for person, whole in ((engineer, True), (annotator_a, False)):
        rows = program(person).get(STUDY + "exports/").json()["results"]
        assert any(row["all"] for row in rows) is whole


def test_a_file_that_nobody_makes_is_not_found(client: Client) -> None:
    assert client.post(STUDY + "exports/passwords/", {}, "application/json").status_code == 404


def test_user_names_leave_with_an_owner_only(
    filled: Project, program: Programs, engineer: Person
) -> None:
    body = {"named": True}
    answer = program(engineer).post(STUDY + "exports/requests/", body, "application/json")
    assert answer.status_code == 403 and "pseudonyms" in answer.json()["detail"]
