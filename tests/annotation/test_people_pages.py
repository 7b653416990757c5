"""Adding, changing and ending: once as a plain POST, once as htmx sends it."""

from collections.abc import Callable
from http import HTTPStatus

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import Person, Project
from annotation.permissions import is_member, roles_of
from annotation.services.projects import set_member

ClientOf = Callable[[Person], Client]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def browser(project: Project, owner: Person, client_of: ClientOf) -> Client:
    return client_of(owner)


def test_a_plain_post_adds_and_redirects(
    browser: Client, project: Project, stranger: Person
) -> None:
    words = {"username": "stranger", "roles": ["annotator", "engineer"]}
    assert browser.post("/p/study/people/", words)["Location"] == "/p/study/people/"
    assert roles_of(stranger, project) == {"annotator", "engineer"}


def test_htmx_adds_and_gets_the_changed_fragment(browser: Client, stranger: Person) -> None:
    words = {"username": "stranger", "roles": "annotator"}
    response = browser.post("/p/study/people/", words, headers=HTMX)
    page = response.content.decode()
    assert response.status_code == HTTPStatus.OK
    assert "stranger is in the project now" in page and "<html" not in page


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_an_unknown_username_names_the_command_that_adds_them(
    headers: dict[str, str], browser: Client
) -> None:
    words = {"username": "nobody", "roles": "annotator"}
    response = browser.post("/p/study/people/", words, headers=headers)
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "python manage.py add_person nobody" in response.content.decode()


def test_adding_a_member_again_is_refused(
    browser: Client, project: Project, engineer: Person
) -> None:
    words = {"username": "engineer", "roles": "annotator"}
    assert browser.post("/p/study/people/", words).status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert roles_of(engineer, project) == {"engineer"}


@pytest.mark.parametrize("headers, status", [({}, HTTPStatus.FOUND), (HTMX, HTTPStatus.OK)])
def test_roles_become_exactly_those_ticked(
    headers: dict[str, str], status: int, browser: Client, project: Project, engineer: Person
) -> None:
    response = browser.post("/p/study/people/engineer/", {"roles": "adjudicator"}, headers=headers)
    assert response.status_code == status
    assert roles_of(engineer, project) == {"adjudicator"}


@pytest.mark.parametrize("act", ["", "end/"])
def test_the_only_owner_cannot_go(act: str, browser: Client, project: Project) -> None:
    response = browser.post(f"/p/study/people/owner/{act}", {"roles": "engineer"})
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "only owner" in response.content.decode()


def test_an_ended_membership_is_shown_as_a_former_members(
    browser: Client, project: Project, engineer: Person
) -> None:
    response = browser.post("/p/study/people/engineer/end/", headers=HTMX)
    assert "Former members" in response.content.decode()
    assert not is_member(engineer, project)


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_an_owner_who_gives_the_role_up_is_led_to_the_study(
    headers: dict[str, str], browser: Client, project: Project, owner: Person, engineer: Person
) -> None:
    set_member(actor=owner, project=project, person=engineer, roles=["owner"])
    response = browser.post("/p/study/people/owner/", {"roles": "engineer"}, headers=headers)
    assert (response.get("Location") or response.get("HX-Redirect")) == "/p/study/"


@pytest.mark.parametrize("act, words", [("end/", {}), ("", {"roles": "engineer"})])
def test_who_stops_annotating_gives_the_items_at_work_back_and_keeps_what_is_sealed(
    act: str,
    words: dict[str, str],
    browser: Client,
    filled: Project,
    annotator_a: Person,
) -> None:
    now = timezone.now()
    for key, state in (("r1", "held"), ("r2", "submitted")):
        filled.seats.create(
            request=filled.requests.get(key=key), kind="sheet", slot=1, position=1, state=state,
            holder=annotator_a, taken_at=now, leased_until=now, draft={"kept": True},
        )  # fmt: skip
    browser.post(f"/p/study/people/annotator-a/{act}", words)
    seats = filled.seats.order_by("request__position").values_list("state", "draft")
    assert list(seats) == [("returned", {"kept": True}), ("submitted", {"kept": True})]
