"""Tokens: what is kept of them, whom they let in, and when they end."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import ApiToken, Person, Project
from annotation.services import log_in
from annotation.services.projects import Refused
from annotation.services.tokens import create_token, revoke_token
from tests.annotation.api.conftest import client_with

ME = "/api/v1/me/"


def made(person: Person) -> tuple[ApiToken, str]:
    return create_token(actor=person, name="nightly import", scopes=["read"])


def test_a_token_lets_its_person_in(owner: Person) -> None:
    token, text = made(owner)
    told = client_with(text).get(ME).json()
    assert told["username"] == "owner"
    assert told["token"]["prefix"] == token.prefix and told["token"]["scopes"] == ["read"]


def test_its_text_is_kept_nowhere(owner: Person) -> None:
    token, text = made(owner)
    kept = {str(value) for value in ApiToken.objects.filter(pk=token.pk).values_list()[0]}
    secret = text.rpartition("_")[2]
    assert not any(secret in value for value in kept)


def test_its_secret_has_at_least_128_random_bits(owner: Person) -> None:
    secret = made(owner)[1].rpartition("_")[2]
    assert len(bytes.fromhex(secret)) * 8 >= 128


def test_it_ends_after_ninety_days_unless_something_else_was_chosen(owner: Person) -> None:
    left = made(owner)[0].expires_at - timezone.now()
    assert timedelta(days=89) < left <= timedelta(days=90)
    endless, _text = create_token(actor=owner, name="x", scopes=["read"], lifetime=None)
    assert endless.expires_at is None


def test_several_hold_at_once_so_that_one_can_follow_another(owner: Person) -> None:
    (old, old_text), (_new, new_text) = made(owner), made(owner)
    assert [client_with(t).get(ME).status_code for t in (old_text, new_text)] == [200, 200]
    revoke_token(actor=owner, token=old)
    assert [client_with(t).get(ME).status_code for t in (old_text, new_text)] == [401, 200]


def test_one_that_ran_out_lets_nobody_in(owner: Person) -> None:
    token, text = made(owner)
    ApiToken.objects.filter(pk=token.pk).update(expires_at=timezone.now())
    assert client_with(text).get(ME).status_code == 401


def test_a_new_password_ends_it_whichever_way_it_was_set(owner: Person) -> None:
    _token, text = made(owner)
    owner.set_password("another long enough phrase")
    owner.save()
    assert client_with(text).get(ME).status_code == 401


def test_it_ends_with_the_account(owner: Person, stranger: Person) -> None:
    _token, text = made(stranger)
    log_in.deactivate(person=stranger)
    answer = client_with(text).get(ME)
    assert answer.status_code == 401
    Person.objects.filter(pk=stranger.pk).update(is_active=True)
    assert client_with(text).get(ME).status_code == 401


def test_a_refused_token_is_told_why_and_how_to_come_in(db: None) -> None:
    answer = client_with("intact_0_0").get(ME)
    assert answer["WWW-Authenticate"] == 'Bearer realm="intact"'
    assert answer["Content-Type"] == "application/problem+json"
    assert "/account/tokens/" in answer.json()["detail"]


def test_a_wrong_header_is_refused_whatever_cookie_comes_along(
    owner: Person, client_of: Callable[[Person], Client]
) -> None:
    client = client_of(owner)
    assert client.get(ME).status_code == 200
    assert client.get(ME, headers={"Authorization": "Bearer no"}).status_code == 401


def test_a_session_may_write_only_with_the_csrf_token(project: Project, owner: Person) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    there = "/api/v1/projects/study/people/annotator-b/"
    answer = client.delete(there, headers={"Origin": "https://example.org"})
    assert answer.status_code == 403 and "CSRF" in answer.json()["detail"]


def test_a_token_needs_no_csrf_token(project: Project, owner: Person) -> None:
    _token, text = create_token(actor=owner, name="x", scopes=["manage"])
    bearer = {"Authorization": f"Bearer {text}"}
    client = Client(enforce_csrf_checks=True, headers=bearer)
    assert client.delete("/api/v1/projects/study/people/annotator-b/").status_code == 204


def test_its_use_is_noted_at_most_once_a_minute(owner: Person) -> None:
    token, text = made(owner)
    client_with(text).get(ME)
    token.refresh_from_db()
    first = token.last_used_at
    client_with(text).get(ME)
    token.refresh_from_db()
    assert first is not None and token.last_used_at == first
    ApiToken.objects.filter(pk=token.pk).update(last_used_at=first - timedelta(minutes=2))
    client_with(text).get(ME)
    token.refresh_from_db()
    assert token.last_used_at >= first


def test_a_token_without_a_name_or_a_scope_is_refused(owner: Person) -> None:
    with pytest.raises(Refused, match="name"):
        create_token(actor=owner, name=" ", scopes=["read"])
    with pytest.raises(Refused, match="at least one"):
        create_token(actor=owner, name="x", scopes=["everything"])


def test_a_token_of_a_former_member_reaches_no_project(
    project: Project, owner: Person, engineer: Person, program: Callable[..., Client]
) -> None:
    client = program(engineer)
    project.memberships.filter(person=engineer).update(ended_at=timezone.now())
    assert client.get("/api/v1/projects/study/").status_code == 404
    assert client.get("/api/v1/projects/").json()["results"] == []
