from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import Person, Project
from annotation.services.projects import set_member
from tests.contracts.conftest import Sealer

ClientOf = Callable[[Person], Client]


def test_a_download_is_streamed_safely(worked: Project, owner: Person, client_of: ClientOf) -> None:
    response = client_of(owner).post("/p/study/exports/requests/", {"format": "csv"})
    assert response.streaming and response.status_code == 200
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="study-requests.csv"'
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Cache-Control"] == "private, no-store"
    assert b"".join(response.streaming_content).startswith(b"id,class,turns,text")


@pytest.mark.parametrize("ticked, name", [({}, b'"p2"'), ({"named": "1"}, b'"annotator-a"')])
def test_names_are_in_the_file_only_when_the_owner_ticks_them(
    ticked: dict[str, str], name: bytes, worked: Project, owner: Person, client_of: ClientOf
) -> None:
    response = client_of(owner).post("/p/study/exports/sheets/", {"format": "jsonl", **ticked})
    assert name in b"".join(response.streaming_content)


def test_an_engineer_who_asks_for_names_is_told_that_only_an_owner_may(
    worked: Project, engineer: Person, client_of: ClientOf
) -> None:
    response = client_of(engineer).post("/p/study/exports/sheets/", {"named": "1"})
    assert response.status_code == 403 and "Only an owner" in response.content.decode()


def test_the_page_says_what_each_file_is_for(
    worked: Project, owner: Person, client_of: ClientOf
) -> None:
    shown = client_of(owner).get("/p/study/exports/").content.decode()
    assert "What each reviewer sealed, blind" in shown and "2 rows" in shown
    assert "<code>further_reviewers</code>" in shown and "with user names" in shown


def test_an_engineer_is_offered_no_names(
    worked: Project, engineer: Person, client_of: ClientOf
) -> None:
    assert "with user names" not in client_of(engineer).get("/p/study/exports/").content.decode()


def test_an_empty_study_says_so_and_offers_the_import(
    project: Project, owner: Person, client_of: ClientOf
) -> None:
    shown = client_of(owner).get("/p/study/exports/").content.decode()
    assert "holds none of them yet" in shown and '/p/study/import/"' in shown


def test_an_owner_who_annotates_sees_no_count_of_others_work(
    worked: Project, owner: Person, client_of: ClientOf
) -> None:
    set_member(actor=owner, project=worked, person=owner, roles=["owner", "annotator"])
    shown = client_of(owner).get("/p/study/exports/").content.decode()
    assert 'id="file-corpus"' in shown and "end your blindness" in shown
    assert 'id="file-sheets"' not in shown and 'id="file-requests"' not in shown


@pytest.mark.parametrize("kind", ["sheets", "annotations", "requests", "ledger"])
def test_an_annotator_gets_no_file_of_everybody_s_work(
    kind: str, worked: Project, annotator_a: Person, client_of: ClientOf
) -> None:
    assert client_of(annotator_a).post(f"/p/study/exports/{kind}/").status_code == 403


def test_an_annotator_gets_the_own_sheets(
    worked: Project, annotator_a: Person, client_of: ClientOf
) -> None:
    client = client_of(annotator_a)
    assert "My exports" in client.get("/p/study/desk/").content.decode()
    assert "1 row" in client.get("/p/study/exports/mine/").content.decode()
    data = b"".join(client.post("/p/study/exports/mine/sheets/").streaming_content)
    assert data.count(b'"annotator": "p2"') == 1 == data.count(b"\n")


def test_who_sealed_nothing_is_told_what_the_page_is_for(
    project: Project, annotator_b: Person, client_of: ClientOf
) -> None:
    shown = client_of(annotator_b).get("/p/study/exports/mine/").content.decode()
    assert "You have sealed nothing" in shown and '<button class="btn s" name' not in shown


@pytest.mark.parametrize(
    "address", ["exports/nothing/", "exports/mine/contracts/", "exports/mine/nothing/"]
)
def test_a_guessed_file_is_not_found(
    address: str, worked: Project, owner: Person, client_of: ClientOf
) -> None:
    assert client_of(owner).post(f"/p/study/{address}").status_code == 404


def test_a_stranger_finds_neither_page_nor_file(
    worked: Project, stranger: Person, client_of: ClientOf
) -> None:
    client = client_of(stranger)
    found = [client.get("/p/study/exports/"), client.post("/p/study/exports/sheets/"),
             client.post("/p/study/exports/mine/sheets/")]  # fmt: skip
    assert [response.status_code for response in found] == [404, 404, 404]


def test_a_form_that_the_file_has_not_is_said_on_the_page(
    worked: Project, owner: Person, client_of: ClientOf
) -> None:
    response = client_of(owner).post("/p/study/exports/sheets/", {"format": "xml"}, follow=True)
    assert "written as jsonl" in response.content.decode()


def test_exporting_is_never_done_by_following_a_link(
    worked: Project, owner: Person, client_of: ClientOf, seal: Sealer
) -> None:
    assert client_of(owner).get("/p/study/exports/sheets/").status_code == 405
