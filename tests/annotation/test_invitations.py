"""Invitation links: shown once, used once, and calm about everything else."""

import re
import threading
from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from annotation.models import Invitation, Person, Project
from annotation.permissions import roles_of
from annotation.services.invitations import accept, invite, revoke
from annotation.services.projects import Refused, create_project, end_membership, set_member
from tests.conftest import PASSWORD
from tests.evaluation.runs.fixtures import file_database

__all__ = ["file_database"]

ClientOf = Callable[[Person], Client]
HTMX = {"HX-Request": "true"}
NEW = {
    "username": "newcomer",
    "first_name": "New Comer",
    "password1": PASSWORD,
    "password2": PASSWORD,
}


def link(project: Project, owner: Person, *roles: str) -> str:
    _invitation, token = invite(actor=owner, project=project, roles=roles or ["annotator"])
    return f"/join/{token}/"


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_the_link_is_shown_once_and_only_its_hash_is_kept(
    headers: dict[str, str], project: Project, owner: Person, client_of: ClientOf
) -> None:
    words = {"roles": ["annotator"], "note": "Maria", "days": 7}
    response = client_of(owner).post("/p/study/invitations/", words, headers=headers)
    found = re.search(r"http://testserver/join/([\w-]+)/", response.content.decode())
    assert response.status_code == HTTPStatus.CREATED and found
    assert len(found[1]) >= 22  # 128 bits in base 64
    assert found[1] not in str(Invitation.objects.values().get())
    page = client_of(owner).get("/p/study/people/").content.decode()
    assert "/join/" not in page and "Maria" in page and "open until" in page


@pytest.mark.parametrize(
    "words", [{"days": 7}, {"roles": "king", "days": 7}, {"roles": "owner", "days": 31},
              {"roles": "owner", "days": 0}, {"roles": "owner"}],
)  # fmt: skip
def test_a_link_without_roles_or_for_too_long_is_refused(
    words: dict[str, object], project: Project, owner: Person, client_of: ClientOf
) -> None:
    response = client_of(owner).post("/p/study/invitations/", words)
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert not Invitation.objects.exists()


def test_somebody_with_an_account_joins_with_one_button(
    project: Project, owner: Person, stranger: Person, client_of: ClientOf
) -> None:
    there, browser = link(project, owner, "engineer", "annotator"), client_of(stranger)
    assert "Join as stranger" in browser.get(there).content.decode()
    assert browser.post(there)["Location"] == "/p/study/"
    assert roles_of(stranger, project) == {"engineer", "annotator"}
    kinds = list(project.ledger.order_by("-sequence").values_list("kind", flat=True)[:3])
    assert kinds == ["member.set", "invitation.used", "invitation.made"]


def test_opening_a_link_uses_nothing_up(project: Project, owner: Person, client: Client) -> None:
    there = link(project, owner)
    client.get(there)
    assert client.get(there).status_code == HTTPStatus.OK
    assert Invitation.objects.get().used_at is None


def test_a_newcomer_makes_an_account_and_is_in(
    project: Project, owner: Person, client: Client
) -> None:
    assert client.post(link(project, owner), NEW)["Location"] == "/p/study/"
    assert client.get("/p/study/").status_code == HTTPStatus.OK
    person = Person.objects.get(username="newcomer")
    assert person.shown_name == "New Comer" and person.check_password(PASSWORD)
    assert not (person.is_staff or person.is_superuser)


@pytest.mark.parametrize(
    "change", [{"password1": "short", "password2": "short"}, {"password2": "another"},
               {"username": "owner"}, {"username": "OWNER"}, {"username": "a b"}],
)  # fmt: skip
def test_a_weak_password_or_a_taken_name_leaves_the_link_open(
    change: dict[str, str], project: Project, owner: Person, client: Client
) -> None:
    response = client.post(link(project, owner), NEW | change)
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert Invitation.objects.get().used_at is None


def test_extra_fields_make_nobody_a_superuser(
    project: Project, owner: Person, client: Client
) -> None:
    client.post(
        link(project, owner), NEW | {"is_superuser": "1", "is_staff": "1", "roles": "owner"}
    )
    person = Person.objects.get(username="newcomer")
    assert not person.is_superuser and roles_of(person, project) == {"annotator"}


def test_the_log_in_page_leads_back_to_the_invitation(
    project: Project, owner: Person, stranger: Person, client: Client
) -> None:
    there = link(project, owner)
    assert f"/log-in/?next={there}" in client.get(there).content.decode()
    words = {"username": "stranger", "password": PASSWORD, "next": there}
    assert client.post("/log-in/", words)["Location"] == there


def test_a_used_link_is_refused_calmly_and_makes_no_account(
    project: Project, owner: Person, stranger: Person, client: Client, client_of: ClientOf
) -> None:
    there = link(project, owner)
    client_of(stranger).post(there)
    response = client.post(there, NEW)
    assert response.status_code == HTTPStatus.GONE
    assert "Ask whoever sent it for a new one" in response.content.decode()
    assert not Person.objects.filter(username="newcomer").exists()


def test_expired_and_revoked_links_let_nobody_in(
    project: Project, owner: Person, stranger: Person, client_of: ClientOf
) -> None:
    late, taken_back = link(project, owner), link(project, owner)
    first, second = Invitation.objects.order_by("pk")
    Invitation.objects.filter(pk=first.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    there = f"/p/study/invitations/{second.pk}/revoke/"
    assert client_of(owner).post(there).status_code == HTTPStatus.FOUND
    assert client_of(owner).post(there).status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    for there in (late, taken_back):
        assert client_of(stranger).post(there).status_code == HTTPStatus.GONE
    page = client_of(owner).get("/p/study/people/").content.decode()
    assert "expired" in page and "taken back" in page


def test_a_member_who_opens_the_link_does_not_use_it_up(
    project: Project, owner: Person, engineer: Person, client_of: ClientOf
) -> None:
    response = client_of(engineer).post(link(project, owner))
    assert response.status_code == HTTPStatus.CONFLICT
    assert "You are in this project already" in response.content.decode()
    assert Invitation.objects.get().used_at is None and roles_of(engineer, project) == {"engineer"}


def test_a_former_member_comes_back_by_a_link(
    project: Project, owner: Person, engineer: Person
) -> None:
    end_membership(actor=owner, project=project, person=engineer)
    invitation, _token = invite(actor=owner, project=project, roles=["adjudicator"])
    accept(actor=engineer, invitation=invitation)
    assert roles_of(engineer, project) == {"adjudicator"}


def test_the_links_of_a_former_owner_hold_no_more(
    project: Project, owner: Person, engineer: Person, stranger: Person, client_of: ClientOf
) -> None:
    there = link(project, owner)
    set_member(actor=owner, project=project, person=engineer, roles=["owner"])
    end_membership(actor=engineer, project=project, person=owner)
    assert client_of(stranger).post(there).status_code == HTTPStatus.GONE


@pytest.mark.parametrize("path", ["/join/guess/", "/signup", "/signup/", "/sign-up/", "/register/"])
def test_there_is_no_other_sign_up(path: str, db: None, client: Client) -> None:
    assert client.get(path).status_code == client.post(path, NEW).status_code == 404


def test_an_invitation_of_another_project_cannot_be_revoked(
    project: Project, owner: Person, stranger: Person, client_of: ClientOf
) -> None:
    link(project, owner)
    client_of(stranger).post("/projects/new/", {"name": "X", "slug": "x", "purpose": "acceptance"})
    there = f"/p/x/invitations/{Invitation.objects.get().pk}/revoke/"
    assert client_of(stranger).post(there).status_code == HTTPStatus.NOT_FOUND


def test_a_row_read_before_it_was_used_lets_no_second_person_in(
    project: Project, owner: Person, stranger: Person, engineer: Person
) -> None:
    end_membership(actor=owner, project=project, person=engineer)
    invitation, _token = invite(actor=owner, project=project, roles=["annotator"])
    stale = Invitation.objects.get(pk=invitation.pk)
    accept(actor=stranger, invitation=invitation)
    with pytest.raises(Refused, match="was used"):
        accept(actor=engineer, invitation=stale)
    assert not revoke(actor=owner, invitation=stale)


@pytest.mark.django_db(transaction=True)
def test_of_several_at_once_one_joins(file_database: Path) -> None:
    owner = Person.objects.create_user("owner")
    project = create_project(actor=owner, slug="study", name="Study")
    invitation, _token = invite(actor=owner, project=project, roles=["annotator"])
    people = [Person.objects.create_user(f"racer-{n}") for n in range(4)]
    outcomes: list[str] = []
    start = threading.Barrier(len(people))

    def run(person: Person) -> None:
        start.wait(timeout=20)
        try:
            accept(actor=person, invitation=invitation)
            outcomes.append("in")
        except Refused:
            outcomes.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["in", "refused", "refused", "refused"]


@pytest.mark.parametrize("field", ["note", "username", "first_name"])
def test_what_people_typed_is_shown_as_text(
    field: str, project: Project, owner: Person, client: Client, client_of: ClientOf
) -> None:
    payload = "<img src=x onerror=alert(1)>"
    words = {"roles": "annotator", "note": payload, "days": 7}
    page = client_of(owner).post("/p/study/invitations/", words).content.decode()
    there = link(project, owner)
    page += client.post(there, NEW | {field: payload}).content.decode()
    page += client_of(owner).get("/p/study/people/").content.decode()
    assert "<img src=x" not in page and "&lt;img src=x" in page
