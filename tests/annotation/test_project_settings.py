"""The settings of a project: saved, refused, and shown with their effect when work exists."""

import re
from collections.abc import Callable, Iterator
from datetime import date
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotation.desk import WORK_KINDS, WorkKind
from annotation.models import LedgerEntry, Need, Person, Project, Seat
from annotation.needs import seats_wanted
from annotation.services import consent
from annotation.services.projects import change_project
from tests.annotation.plain_work import plain_work

ClientOf = Callable[[Person], Client]
HTMX = {"HX-Request": "true"}
BOTH = pytest.mark.parametrize("headers", [{}, HTMX])
WORDS = {
    "name": "Study", "description": "", "lease_minutes": 60, "reviewers_per_request": 2,
    "paraphrases_per_request": 0, "reference_date": "", "consent_text": "",
}  # fmt: skip


@pytest.fixture(autouse=True)
def work() -> Iterator[WorkKind]:
    yield plain_work("test-work", lambda project: project.reviewers_per_request)
    del WORK_KINDS["test-work"]


@pytest.fixture
def browser(filled: Project, owner: Person, client_of: ClientOf) -> Client:
    return client_of(owner)


def take(project: Project, key: str, *people: Person) -> None:
    now, asked = timezone.now(), project.requests.get(key=key)
    for slot, person in enumerate(people, start=1):
        Seat.objects.create(
            project=project, request=asked, kind="test-work", slot=slot, holder=person,
            state=Seat.State.SUBMITTED, taken_at=now, leased_until=now, position=asked.position,
        )  # fmt: skip


def cell(project: Project, name: str) -> str:
    return f"seats-test-work-{project.request_classes.get(name=name).pk}"


def send(browser: Client, where: str, words: dict[str, Any], **more: Any) -> tuple[int, str]:
    response = browser.post(f"/p/study/settings/{where}", words, **more)
    return response.status_code, response.content.decode()


def confirmed(page: str) -> str:
    found = re.search(r'name="confirmed" value="([^"]+)"', page)
    assert found
    return found[1]


def test_settings_are_saved_and_the_ledger_keeps_what_changed(
    browser: Client, filled: Project
) -> None:
    words = {**WORDS, "name": "Renamed", "reviewers_per_request": 3, "reference_date": "2024-06-30"}
    assert send(browser, "", words)[0] == HTTPStatus.FOUND
    filled.refresh_from_db()
    assert (filled.name, filled.reviewers_per_request) == ("Renamed", 3)
    entry = filled.ledger.last()
    assert (entry.kind, entry.content) == (
        "project.changed",
        {"name": "Renamed", "reviewers_per_request": 3, "reference_date": "2024-06-30"},
    )


def test_htmx_saves_and_gets_the_fragment_with_what_holds_now(browser: Client) -> None:
    status, page = send(browser, "", {**WORDS, "lease_minutes": 30}, headers=HTMX)
    assert status == HTTPStatus.OK and "<html" not in page
    assert "The settings were saved" in page and 'value="30"' in page


@BOTH
@pytest.mark.parametrize(
    "name, value",
    [("lease_minutes", 0), ("reviewers_per_request", 1), ("reviewers_per_request", 6),
     ("paraphrases_per_request", 11), ("reference_date", "yesterday"), ("name", "")],
)  # fmt: skip
def test_a_setting_out_of_range_is_refused(
    name: str, value: object, headers: dict[str, str], browser: Client, filled: Project
) -> None:
    status, page = send(browser, "", {**WORDS, name: value}, headers=headers)
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY and "errorlist" in page
    before = getattr(filled, name)
    filled.refresh_from_db()
    assert getattr(filled, name) == before


def test_the_settings_of_somebody_else_are_not_overwritten_unseen(
    browser: Client, filled: Project, owner: Person
) -> None:
    seen = re.search(
        r'name="seen" value="(\w+)"', browser.get("/p/study/settings/").content.decode()
    )
    change_project(actor=owner, project=filled, settings={"name": "Theirs"})
    assert seen
    status, page = send(browser, "", {**WORDS, "name": "Mine", "seen": seen[1]})
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Somebody else changed the settings meanwhile" in page and 'value="Mine"' in page
    filled.refresh_from_db()
    assert filled.name == "Theirs"


@BOTH
def test_fewer_reviewers_than_work_exists_for_tells_the_effect_first(
    headers: dict[str, str], browser: Client, filled: Project, owner: Person, engineer: Person,
    stranger: Person,
) -> None:  # fmt: skip
    change_project(actor=owner, project=filled, settings={"reviewers_per_request": 3})
    take(filled, "r1", owner, engineer, stranger)
    status, page = send(browser, "", WORDS, headers=headers)
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Test work: 1 request has more seats taken than you want; it keeps them" in page
    filled.refresh_from_db()
    assert filled.reviewers_per_request == 3
    status, _page = send(browser, "", {**WORDS, "confirmed": confirmed(page)}, headers=headers)
    assert status == (HTTPStatus.OK if headers else HTTPStatus.FOUND)
    filled.refresh_from_db()
    assert filled.reviewers_per_request == 2 and filled.seats.taken().count() == 3


def test_an_effect_that_grew_meanwhile_is_shown_again(
    browser: Client, filled: Project, owner: Person, engineer: Person, stranger: Person
) -> None:
    change_project(actor=owner, project=filled, settings={"reviewers_per_request": 3})
    take(filled, "r1", owner, engineer, stranger)
    told = confirmed(send(browser, "", WORDS)[1])
    take(filled, "r2", owner, engineer, stranger)
    status, page = send(browser, "", {**WORDS, "confirmed": told})
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "2 requests have more seats taken than you want" in page


def test_another_consent_text_says_who_is_asked_again(
    browser: Client, filled: Project, owner: Person, annotator_a: Person
) -> None:
    change_project(actor=owner, project=filled, settings={"consent_text": "One."})
    sha256 = consent.text_hash(filled)
    consent.give(actor=annotator_a, project=filled, text_sha256=sha256)
    page = send(browser, "", {**WORDS, "consent_text": "Two."})[1]
    assert "1 person agreed to an earlier wording and is asked again" in page


def test_another_reference_date_says_how_much_work_was_written_before(
    browser: Client, filled: Project, owner: Person
) -> None:
    take(filled, "r1", owner)
    page = send(browser, "", {**WORDS, "reference_date": "2024-01-01"})[1]
    assert "1 of the 2 requests that bring no date have sealed work" in page


def test_a_request_without_a_date_is_asked_on_the_projects(filled: Project, owner: Person) -> None:
    change_project(actor=owner, project=filled, settings={"reference_date": date(2024, 6, 30)})
    asked = filled.requests.get(key="r1")
    assert asked.asked_on == date(2024, 6, 30)
    asked.reference_date = date(2023, 1, 1)
    assert asked.asked_on == date(2023, 1, 1)


@BOTH
def test_the_table_sets_seats_for_a_class_and_an_empty_cell_takes_them_back(
    headers: dict[str, str], browser: Client, filled: Project, work: WorkKind
) -> None:
    asked = filled.requests.get(key="r1")
    send(browser, "needs/", {cell(filled, "fact"): "4"}, headers=headers)
    assert seats_wanted(work, asked) == 4
    entry = filled.ledger.last()
    assert (entry.kind, entry.content["changes"]) == (
        "needs.changed", [{"kind": "test-work", "class": "fact", "seats": 4}],
    )  # fmt: skip
    send(browser, "needs/", {cell(filled, "fact"): "0"}, headers=headers)
    assert seats_wanted(work, asked) == 0
    send(browser, "needs/", {cell(filled, "fact"): ""}, headers=headers)
    assert seats_wanted(work, asked) == 2 and not Need.objects.exists()


def test_a_table_sent_unchanged_writes_nothing(browser: Client, filled: Project) -> None:
    before = LedgerEntry.objects.count()
    assert send(browser, "needs/", {cell(filled, "fact"): ""})[0] == HTTPStatus.FOUND
    assert LedgerEntry.objects.count() == before


@pytest.mark.parametrize("seats", ["-1", "11", "two", "1.5"])
def test_a_cell_out_of_range_is_refused_in_words(
    seats: str, browser: Client, filled: Project
) -> None:
    status, page = send(browser, "needs/", {cell(filled, "fact"): seats})
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Give a number from 0 to 10, or leave it empty" in page and not Need.objects.exists()


def test_a_table_that_lowers_below_what_is_taken_tells_the_effect_first(
    browser: Client, filled: Project, owner: Person, engineer: Person, work: WorkKind
) -> None:
    take(filled, "r1", owner, engineer)
    words = {cell(filled, "fact"): "1"}
    status, page = send(browser, "needs/", words)
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY and not Need.objects.exists()
    assert "1 request has more seats taken than you want" in page
    send(browser, "needs/", {**words, "confirmed": confirmed(page)})
    assert seats_wanted(work, filled.requests.get(key="r1")) == 1


@BOTH
@pytest.mark.parametrize("keys", ["r1, r2", "r1\r\nr2\r\n", "r1,\n r2,"])
def test_single_requests_get_their_own_number(
    keys: str, headers: dict[str, str], browser: Client, filled: Project, work: WorkKind
) -> None:
    words = {"keys": keys, "kind": "test-work", "seats": 5}
    status, _page = send(browser, "needs/requests/", words, headers=headers)
    assert status == (HTTPStatus.OK if headers else HTTPStatus.FOUND)
    assert [seats_wanted(work, asked) for asked in filled.requests.all()] == [5, 5]


def test_ids_that_nobody_has_are_named(browser: Client) -> None:
    words = {"keys": "r1, r8, r9", "kind": "test-work", "seats": 5}
    status, page = send(browser, "needs/requests/", words)
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY and not Need.objects.exists()
    assert "No request here is called: r8, r9." in page


def test_an_exception_is_listed_and_removed(browser: Client, filled: Project) -> None:
    send(browser, "needs/requests/", {"keys": "r1", "kind": "test-work", "seats": 5})
    need = Need.objects.get()
    page = browser.get("/p/study/settings/").content.decode()
    assert "1 exception from the table above" in page
    assert send(browser, f"needs/{need.pk}/remove/", {})[0] == HTTPStatus.FOUND
    assert not Need.objects.exists()


def test_a_need_of_another_project_is_not_there(
    browser: Client, filled: Project, stranger: Person, client_of: ClientOf
) -> None:
    send(browser, "needs/requests/", {"keys": "r1", "kind": "test-work", "seats": 5})
    client_of(stranger).post("/projects/new/", {"name": "X", "slug": "x", "purpose": "acceptance"})
    there = f"/p/x/settings/needs/{Need.objects.get().pk}/remove/"
    assert client_of(stranger).post(there).status_code == HTTPStatus.NOT_FOUND
    assert Need.objects.count() == 1


def test_what_people_wrote_is_text_in_the_settings(browser: Client, filled: Project) -> None:
    payload = '"><img src=x onerror=alert(1)>'
    words = {**WORDS, "name": payload, "description": payload, "consent_text": payload}
    send(browser, "", words)
    for place in ("settings/", "", "consent/", "guidelines/", "people/"):
        page = browser.get(f"/p/study/{place}").content.decode()
        assert "<img src=x" not in page and "&lt;img src=x onerror=alert(1)&gt;" in page
