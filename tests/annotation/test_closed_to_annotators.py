"""Acts whose refusals and lists tell of others' work are closed to whoever annotates, whatever
else they are: on the page, in the service, and for programs.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.importing.kinds import FILE_KINDS
from annotation.models import ImportJob, ImportRecord, Need, Person, Project
from annotation.permissions import CLOSED_TO_ANNOTATORS, may
from annotation.services.imports import import_file
from annotation.services.needs import change_needs
from annotation.services.projects import set_member
from tests.annotation.api.conftest import program
from tests.annotation.conftest import lines

__all__ = ["program"]

ClientOf = Callable[[Person], Client]
BLIND = "stays blind to others"
CLOSED = ["gold", "ledger", "paraphrases", "sheets", "standalone", "twins"]


@pytest.fixture(params=["owner", "engineer"])
def both(request: Any, filled: Project, owner: Person, engineer: Person) -> Person:
    """An owner, then an engineer, who annotates too."""
    person = {"owner": owner, "engineer": engineer}[request.param]
    set_member(actor=owner, project=filled, person=person, roles=[request.param, "annotator"])
    return person


@pytest.fixture
def owning(filled: Project, owner: Person) -> Person:
    """The owner, who annotates too."""
    set_member(actor=owner, project=filled, person=owner, roles=["owner", "annotator"])
    return owner


def test_the_role_annotator_closes_these_acts(filled: Project, both: Person) -> None:
    for act in CLOSED_TO_ANNOTATORS:
        decision = may(both, act, filled)
        assert not decision.allowed and BLIND in decision.reason


def test_the_files_of_others_work_are_the_closed_ones(db: None) -> None:
    closed = [name for name, kind in FILE_KINDS.items() if kind.act in CLOSED_TO_ANNOTATORS]
    assert sorted(closed) == CLOSED
    assert {FILE_KINDS[name].act for name in ("contracts", "requests", "corpus")} == {"import"}


@pytest.mark.parametrize("kind", CLOSED)
def test_the_service_does_not_read_such_a_file_for_them(
    filled: Project, both: Person, kind: str
) -> None:
    with pytest.raises(PermissionDenied, match=BLIND):
        import_file(
            actor=both, project=filled, kind=kind, filename="f.jsonl", data=b"{", dry_run=True
        )


@pytest.mark.parametrize("kind", CLOSED)
def test_a_program_of_theirs_gets_the_same_answer_for_every_file(
    filled: Project, both: Person, kind: str, program: Callable[..., Client]
) -> None:
    answers = []
    for row in ({"request": "r1"}, {"request": "r9"}):
        file = SimpleUploadedFile("f.jsonl", lines([row]))
        body = {"kind": kind, "file": file, "dry_run": "true"}
        answers.append(program(both).post("/api/v1/projects/study/imports/", body))
    assert [answer.status_code for answer in answers] == [403, 403]
    assert BLIND in answers[0].json()["detail"]
    assert not ImportJob.objects.exists()


@pytest.mark.parametrize("kind", CLOSED)
def test_the_page_does_not_offer_such_files_and_takes_none(
    filled: Project, both: Person, kind: str, client_of: ClientOf
) -> None:
    browser = client_of(both)
    page = browser.get("/p/study/import/").content.decode()
    assert f'value="{kind}"' not in page and 'value="requests"' in page
    sent = {"kind": kind, "file": SimpleUploadedFile("f.jsonl", lines([{"request": "r1"}]))}
    assert browser.post("/p/study/import/", sent).status_code == 422
    assert not ImportJob.objects.exists()


def test_a_file_that_looks_like_sheets_is_not_taken_for_sheets(
    filled: Project, both: Person, client_of: ClientOf
) -> None:
    row = {"request": "r1", "annotator": "annotator-a", "constraints": []}
    file = SimpleUploadedFile("sheets.jsonl", lines([row]))
    client_of(both).post("/p/study/import/", {"kind": "", "file": file})
    assert ImportJob.objects.get().kind not in CLOSED


def test_a_job_begun_as_another_kind_does_not_become_a_closed_one(
    filled: Project, both: Person, client_of: ClientOf
) -> None:
    file = SimpleUploadedFile("r.jsonl", lines([{"request": "r1", "text": "x"}]))
    browser = client_of(both)
    browser.post("/p/study/import/", {"kind": "requests", "file": file})
    job = ImportJob.objects.get()
    browser.post(f"/p/study/import/{job.public_id}/", {"kind": "sheets", "act": "check"})
    job.refresh_from_db()
    assert job.kind == "requests"


def test_requests_are_taken_from_them(filled: Project, both: Person) -> None:
    row = {"id": "n1", "class": "fact", "text": "Why?"}
    report = import_file(
        actor=both, project=filled, kind="requests", filename="r.jsonl", data=lines([row])
    )
    assert report.written == 1


def test_the_settings_say_why_instead_of_the_form(
    filled: Project, owning: Person, client_of: ClientOf
) -> None:
    Need.objects.create(project=filled, kind="sheet", request=filled.requests.first(), seats=3)
    page = client_of(owning).get("/p/study/settings/").content.decode()
    assert BLIND in page
    assert "settings/needs/requests/" not in page and "exception from the table" not in page


def test_an_owner_who_does_not_annotate_has_the_form(
    filled: Project, owner: Person, client_of: ClientOf
) -> None:
    page = client_of(owner).get("/p/study/settings/").content.decode()
    assert "settings/needs/requests/" in page and BLIND not in page


def test_single_needs_are_not_set_on_the_page(
    filled: Project, owning: Person, client_of: ClientOf
) -> None:
    need = Need.objects.create(
        project=filled, kind="sheet", request=filled.requests.first(), seats=3
    )
    browser = client_of(owning)
    words = {"keys": "r2", "kind": "sheet", "seats": "3"}
    codes = [
        browser.post("/p/study/settings/needs/requests/", words).status_code,
        browser.post(f"/p/study/settings/needs/{need.pk}/remove/").status_code,
        browser.post("/p/study/settings/needs/999999/remove/").status_code,
    ]
    assert codes == [403, 403, 403] and list(Need.objects.all()) == [need]


def test_single_needs_are_not_set_by_the_service(filled: Project, owning: Person) -> None:
    first = filled.requests.get(key="r1")
    with pytest.raises(PermissionDenied, match=BLIND):
        change_needs(actor=owning, project=filled, requests={("sheet", first.pk): 3})
    assert not Need.objects.exists()


def test_the_needs_of_a_class_stay_theirs_to_set(filled: Project, owning: Person) -> None:
    of = filled.request_classes.get(name="fact")
    assert change_needs(actor=owning, project=filled, classes={("sheet", of.pk): 3}) == 1


def test_that_such_a_file_came_in_is_not_told(
    filled: Project, both: Person, adjudicator: Person, owner: Person, client_of: ClientOf
) -> None:
    for kind in (*CLOSED, "corpus"):
        ImportRecord.objects.create(
            project=filled, kind=kind, filename=f"{kind}-in.jsonl", row_count=7, created_by=owner
        )
    set_member(actor=owner, project=filled, person=adjudicator, roles=["engineer"])
    listed = [
        {kind for kind in (*CLOSED, "corpus") if f"{kind}-in.jsonl" in page}
        for person in (both, adjudicator)
        if (page := client_of(person).get("/p/study/import/").content.decode())
    ]
    assert listed == [{"corpus"}, {*CLOSED, "corpus"}]
