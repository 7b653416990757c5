"""How often a password is tried: counted before it is checked, alike for names that nobody has."""

import threading
from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test import Client
from django.utils import timezone

from annotation.models import ApiToken, Attempts, Person, Project
from annotation.services import log_in
from tests.conftest import PASSWORD
from tests.evaluation.runs.fixtures import file_database

__all__ = ["file_database"]

ClientOf = Callable[[Person], Client]


def attempt(client: Client, username: str, secret: str = "", **more: Any) -> Any:
    return client.post("/log-in/", {"username": username, "password": secret or "wrong"}, **more)


def tokens_of(person: Person) -> ApiToken:
    return ApiToken.objects.create(
        person=person, name="script", prefix="x", token_sha256="0" * 64, scopes=[]
    )


def test_the_eleventh_check_in_five_minutes_is_refused_with_the_wait(
    owner: Person, client: Client
) -> None:
    codes = [attempt(client, "owner").status_code for _n in range(10)]
    assert codes == [HTTPStatus.UNPROCESSABLE_ENTITY] * 10
    response = attempt(client, "owner", PASSWORD)
    assert response.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert "Too many attempts. Try again in 5 minutes." in response.content.decode()
    assert 0 < int(response["Retry-After"]) <= 300


def test_a_name_that_nobody_has_gets_the_same_answers(owner: Person) -> None:
    answers = {}
    for name in ("owner", "nobody"):
        client = Client()
        pages = [attempt(client, name) for _n in range(11)]
        answers[name] = [
            (p.status_code, p.context["form"].errors.as_json(), p.context["form"].fields.keys())
            for p in pages
        ]
    assert answers["owner"] == answers["nobody"]


def test_no_password_is_hashed_once_the_limit_is_reached(
    owner: Person, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _n in range(10):
        attempt(client, "owner")
    checked: list[object] = []
    monkeypatch.setattr("django.contrib.auth.forms.authenticate", lambda *a, **k: checked.append(a))
    attempt(client, "owner", PASSWORD)
    assert checked == []


def test_after_the_window_the_right_password_works_again(owner: Person, client: Client) -> None:
    for _n in range(11):
        attempt(client, "owner")
    Attempts.objects.update(window_from=timezone.now() - log_in.WINDOW)
    assert attempt(client, "owner", PASSWORD).status_code == HTTPStatus.FOUND


def test_one_account_at_its_limit_leaves_the_others_alone(
    owner: Person, engineer: Person, client: Client
) -> None:
    for _n in range(11):
        attempt(client, "owner")
    assert attempt(client, "engineer", PASSWORD).status_code == HTTPStatus.FOUND


def test_many_names_from_one_address_meet_the_wider_limit(
    owner: Person, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_in, "PER_ADDRESS", 3)
    codes = [attempt(client, f"name-{n}").status_code for n in range(4)]
    assert codes == [422, 422, 422, 429]
    assert Attempts.objects.count() == 1 + 3  # the address, and the names that were counted
    there = {"REMOTE_ADDR": "192.0.2.7"}
    assert attempt(client, "owner", PASSWORD, **there).status_code == HTTPStatus.FOUND


def test_a_forwarded_address_is_believed_behind_our_proxy_only(
    db: None, client: Client, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setattr(log_in, "PER_ADDRESS", 1)
    forged = [{"headers": {"X-Forwarded-For": f"192.0.2.{n}"}} for n in range(3)]
    assert [attempt(client, "x", **more).status_code for more in forged] == [422, 429, 429]
    settings.BEHIND_PROXY = True
    assert [attempt(client, "x", **more).status_code for more in forged] == [422, 422, 422]
    # What the client itself wrote before the proxy's entry counts for nothing.
    chain = {"headers": {"X-Forwarded-For": "198.51.100.9, 192.0.2.0"}}
    assert attempt(client, "x", **chain).status_code == HTTPStatus.TOO_MANY_REQUESTS


def test_the_addresses_of_one_ipv6_subscriber_count_as_one(
    db: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_in, "PER_ADDRESS", 1)
    codes = [
        attempt(client, "x", REMOTE_ADDR=address).status_code
        for address in ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1")
    ]
    assert codes == [422, 429, 422]


def test_the_table_names_nobody(owner: Person, client: Client) -> None:
    attempt(client, "owner")
    assert "owner" not in str(list(Attempts.objects.values()))
    assert "127.0.0.1" not in str(list(Attempts.objects.values()))


def test_old_rows_are_swept(owner: Person, client: Client) -> None:
    attempt(client, "somebody")
    Attempts.objects.update(window_from=timezone.now() - timedelta(days=2))
    attempt(client, "owner")
    assert Attempts.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_attempts_at_the_same_moment_do_not_pass_together(file_database: Path) -> None:
    passed: list[bool] = []
    start = threading.Barrier(8)

    def run() -> None:
        start.wait(timeout=20)
        for _n in range(3):
            try:
                log_in.count_password_check(username="owner", address="192.0.2.1")
                passed.append(True)
            except log_in.TooMany:
                passed.append(False)
        connection.close()

    threads = [threading.Thread(target=run) for _n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert passed.count(True) == 10 and len(passed) == 24


def test_the_old_password_on_the_account_page_counts_too(
    owner: Person, client_of: ClientOf
) -> None:
    browser, new = client_of(owner), "quite another pass phrase"
    words = {"old_password": "wrong", "new_password1": new, "new_password2": new}
    for _n in range(10):
        browser.post("/account/", words)
    response = browser.post("/account/", words | {"old_password": PASSWORD})
    assert "Too many attempts" in response.content.decode()
    owner.refresh_from_db()
    assert owner.check_password(PASSWORD)


def test_a_changed_password_ends_other_sessions_and_tokens(
    owner: Person, client_of: ClientOf
) -> None:
    browser, other, token = client_of(owner), client_of(owner), tokens_of(owner)
    new = "quite another pass phrase"
    words = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    browser.post("/account/", words)
    token.refresh_from_db()
    assert token.revoked_at
    assert browser.get("/").status_code == HTTPStatus.OK
    assert other.get("/").status_code == HTTPStatus.FOUND


def test_a_deactivated_person_is_out_at_once(
    project: Project, engineer: Person, client_of: ClientOf
) -> None:
    browser, token = client_of(engineer), tokens_of(engineer)
    call_command("deactivate_person", "engineer")
    token.refresh_from_db()
    assert token.revoked_at and browser.get("/").status_code == HTTPStatus.FOUND
    assert authenticate(username="engineer", password=PASSWORD) is None


def test_the_only_owner_of_a_project_is_not_deactivated(project: Project, owner: Person) -> None:
    with pytest.raises(CommandError, match="only owner of “study”: name another owner first"):
        call_command("deactivate_person", "owner")
    owner.refresh_from_db()
    assert owner.is_active
