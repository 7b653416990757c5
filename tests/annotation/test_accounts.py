from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client

from annotation.models import Person, Project
from tests.conftest import PASSWORD

ClientOf = Callable[[Person], Client]


def log_in(client: Client, password: str, **more: str) -> Any:
    return client.post("/log-in/", {"username": "owner", "password": password, **more})


def test_the_right_password_opens_the_home_page(owner: Person, client: Client) -> None:
    assert log_in(client, PASSWORD)["Location"] == "/"
    assert client.get("/").status_code == HTTPStatus.OK


def test_a_wrong_password_is_told_in_one_sentence(owner: Person, client: Client) -> None:
    response = log_in(client, "wrong")
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Please enter a correct username and password" in response.content.decode()


def test_log_in_goes_on_to_the_page_that_was_asked_for(project: Project, client: Client) -> None:
    assert log_in(client, PASSWORD, next="/p/study/")["Location"] == "/p/study/"


def test_log_in_never_goes_on_to_another_site(owner: Person, client: Client) -> None:
    assert log_in(client, PASSWORD, next="https://example.org/")["Location"] == "/"


def test_logging_out_takes_a_post(owner: Person, client_of: ClientOf) -> None:
    client = client_of(owner)
    assert client.get("/log-out/").status_code == HTTPStatus.METHOD_NOT_ALLOWED
    assert client.get("/").status_code == HTTPStatus.OK
    assert client.post("/log-out/").status_code == HTTPStatus.FOUND
    assert client.get("/").status_code == HTTPStatus.FOUND


def test_a_post_without_the_token_is_refused_in_words(owner: Person) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    response = client.post("/projects/new/", {"name": "x", "slug": "x"})
    assert response.status_code == HTTPStatus.FORBIDDEN
    assert "Nothing was changed" in response.content.decode()


def test_the_account_names_my_roles_in_each_project(
    project: Project, engineer: Person, client_of: ClientOf
) -> None:
    page = client_of(engineer).get("/account/").content.decode()
    assert "Study" in page and "engineer" in page and "annotator-a" not in page


def test_a_changed_password_keeps_the_session(owner: Person, client_of: ClientOf) -> None:
    client, new = client_of(owner), "quite another pass phrase"
    words = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert client.post("/account/", words).status_code == HTTPStatus.FOUND
    assert client.get("/").status_code == HTTPStatus.OK
    owner.refresh_from_db()
    assert owner.check_password(new)


def test_a_weak_password_is_refused(owner: Person, client_of: ClientOf) -> None:
    words = {"old_password": PASSWORD, "new_password1": "short", "new_password2": "short"}
    response = client_of(owner).post("/account/", words)
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY


def test_the_demo_logs_a_persona_in_with_one_click(
    owner: Person, client: Client, settings: Any
) -> None:
    settings.DEMO = True
    assert "/demo/owner/" in client.get("/log-in/").content.decode()
    assert client.get("/demo/owner/")["Location"] == "/"
    assert client.get("/").status_code == HTTPStatus.OK


@pytest.mark.parametrize(
    "demo, username", [(False, "owner"), (True, "stranger"), (True, "engineer")]
)
def test_without_a_password_nobody_else_gets_in(
    demo: bool,
    username: str,
    owner: Person,
    stranger: Person,
    client: Client,
    settings: Any,
) -> None:
    settings.DEMO = demo
    assert client.get(f"/demo/{username}/").status_code == HTTPStatus.NOT_FOUND
    assert client.get("/").status_code == HTTPStatus.FOUND


def test_outside_the_demo_the_log_in_page_names_nobody(owner: Person, client: Client) -> None:
    assert "owner" not in client.get("/log-in/").content.decode()
