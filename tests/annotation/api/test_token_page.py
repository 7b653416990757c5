"""The page /account/tokens/."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import ApiToken, Person
from annotation.services.tokens import create_token
from tests.annotation.api.conftest import client_with

ClientOf = Callable[[Person], Client]
PAGE = "/account/tokens/"
SENT = {"name": "nightly import", "scopes": ["read", "import"], "days": "90"}


@pytest.fixture
def page(owner: Person, client_of: ClientOf) -> Client:
    return client_of(owner)


def text_in(html: str) -> str:
    found = re.search(r"intact_[0-9a-f]{8}_[0-9a-f]+", html)
    assert found
    return found[0]


def test_a_new_token_is_shown_once_and_lets_in(page: Client) -> None:
    text = text_in(page.post(PAGE, SENT).content.decode())
    assert client_with(text).get("/api/v1/me/").json()["token"]["scopes"] == ["read", "import"]
    assert text not in page.get(PAGE).content.decode()


def test_the_list_shows_its_name_scopes_and_end(page: Client, owner: Person) -> None:
    token, _text = create_token(actor=owner, name="loader", scopes=["import"])
    html = page.get(PAGE).content.decode()
    assert "loader" in html and f"intact_{token.prefix}_…" in html and "never used" in html


def test_only_the_explicit_choice_never_ends(page: Client) -> None:
    page.post(PAGE, SENT)
    page.post(PAGE, {**SENT, "days": "never"})
    assert [t.expires_at is None for t in ApiToken.objects.order_by("pk")] == [False, True]


def test_a_revoked_token_is_listed_as_ended(page: Client, owner: Person) -> None:
    token, text = create_token(actor=owner, name="loader", scopes=["read"])
    page.post(f"{PAGE}{token.pk}/revoke/")
    assert client_with(text).get("/api/v1/me/").status_code == 401
    assert "Tokens that ended" in page.get(PAGE).content.decode()


def test_a_faulty_form_is_422_and_makes_nothing(page: Client) -> None:
    answer = page.post(PAGE, {"name": "", "days": "90"})
    assert answer.status_code == 422 and not ApiToken.objects.exists()


def test_anothers_token_does_not_exist_for_me(
    page: Client, stranger: Person, client_of: ClientOf
) -> None:
    token, text = create_token(actor=stranger, name="theirs", scopes=["read"])
    assert page.post(f"{PAGE}{token.pk}/revoke/").status_code == 404
    assert "theirs" not in page.get(PAGE).content.decode()
    assert client_with(text).get("/api/v1/me/").status_code == 200


def test_a_token_opens_no_page(owner: Person) -> None:
    _token, text = create_token(actor=owner, name="x", scopes=["read", "manage"])
    assert client_with(text).get(PAGE)["Location"].startswith("/log-in/")


def test_the_account_page_leads_there(page: Client) -> None:
    assert f'href="{PAGE}"' in page.get("/account/").content.decode()
