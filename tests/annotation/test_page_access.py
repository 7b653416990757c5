"""Who gets which page: 404 for strangers, 403 with the reason for members without the role."""

from collections.abc import Callable
from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Person, Project

ClientOf = Callable[[Person], Client]
ALL, NOT_ANNOTATOR = "owner engineer adjudicator annotator", "owner engineer adjudicator"
# The whole map: the page, its further arguments, and the roles that are let in.
PAGES = {
    "project": ([], ALL),
    "requests": ([], NOT_ANNOTATOR),
    "request": (["r1"], NOT_ANNOTATOR),
    "corpus": ([], "owner engineer"),
    "corpus-version": ([1], "owner engineer"),
    "document": ([1, "d1"], "owner engineer"),
    "import": ([], "owner engineer"),
    "exports": ([], "owner engineer"),
    "exports-mine": ([], ALL),
    "agreement": ([], "owner engineer"),
    "agreement-csv": ([], "owner engineer"),
    "agreement-pairs": ([], "owner engineer"),
    "agreement-requests": ([], "owner engineer"),
    "ledger": ([], "owner engineer"),
    "guidelines": ([], ALL),
    "guideline": (["general"], ALL),
    "guideline-edit": (["general"], "owner"),
    "consent": ([], ALL),
    "people": ([], "owner"),
    "work": ([], "owner"),
    "project-settings": ([], "owner"),
    "bench": ([], "adjudicator"),
    "twins": ([], NOT_ANNOTATOR),
    "twin-new": ([], NOT_ANNOTATOR),
    "bench-gaps": ([], "owner"),
    "contracts-under": (["general", 1], NOT_ANNOTATOR),
    "settled": ([], "annotator"),
}
POSTS = {
    "member": ["engineer"],
    "member-end": ["engineer"],
    "work-requeue": [],
    "invitation-new": [],
    "invitation-revoke": [1],
    "project-settings": [],
    "project-needs": [],
    "project-request-needs": [],
    "project-need-remove": [1],
    "guideline-edit": ["general"],
    "guideline-preview": ["general"],
}


def address(page: str, arguments: list[object]) -> str:
    return reverse(page, args=["study", *arguments])


@pytest.fixture
def people(
    filled: Project,
    owner: Person,
    engineer: Person,
    adjudicator: Person,
    annotator_a: Person,
    stranger: Person,
) -> dict[str, Person]:
    return {
        "owner": owner,
        "engineer": engineer,
        "adjudicator": adjudicator,
        "annotator": annotator_a,
        "stranger": stranger,
    }


@pytest.mark.parametrize("page", PAGES)
def test_each_page_lets_exactly_its_roles_in(
    page: str, people: dict[str, Person], client_of: ClientOf
) -> None:
    arguments, roles = PAGES[page]
    expected = {name: 200 if name in roles.split() else 403 for name in people}
    expected["stranger"] = 404
    found = {
        name: client_of(person).get(address(page, arguments)).status_code
        for name, person in people.items()
    }
    assert found == expected


@pytest.mark.parametrize("page", POSTS)
def test_only_owners_send_what_changes_people_and_rules(
    page: str, people: dict[str, Person], client_of: ClientOf
) -> None:
    found = {
        name: client_of(person).post(address(page, POSTS[page]), {"roles": "engineer"}).status_code
        for name, person in people.items()
        if name != "owner"
    }
    assert found == {"engineer": 403, "adjudicator": 403, "annotator": 403, "stranger": 404}


@pytest.mark.parametrize("page", PAGES)
def test_nobody_gets_a_page_without_logging_in(page: str, filled: Project, client: Client) -> None:
    response = client.get(address(page, PAGES[page][0]))
    assert response.status_code == 302 and response["Location"].startswith("/log-in/")


def test_a_refused_page_says_what_role_it_needs(
    people: dict[str, Person], client_of: ClientOf
) -> None:
    response = client_of(people["annotator"]).get(address("ledger", []))
    assert "This needs the role engineer or owner" in response.content.decode()


def test_a_stranger_cannot_tell_a_project_from_none(
    people: dict[str, Person], client_of: ClientOf
) -> None:
    there = client_of(people["stranger"]).get("/p/study/")
    nowhere = client_of(people["stranger"]).get("/p/nowhere/")
    assert (there.status_code, nowhere.status_code) == (404, 404)
    assert "Study" not in there.content.decode()


PLACES = (
    "people",
    "settings",
    "guidelines",
    "guidelines/general/edit",
    "consent",
    "corpus",
    "requests",
    "import",
    "ledger",
    "nothing-here",
)
EVERY_ADDRESS = [
    *("/", "/account/", "/projects/new/", "/healthz", "/p/study/", "/p/study/corpus/1/d9/"),
    *(f"/p/study/{place}/" for place in PLACES),
]


@pytest.mark.parametrize("path", EVERY_ADDRESS)
def test_every_page_enforces_the_content_policy(
    path: str, people: dict[str, Person], client_of: ClientOf
) -> None:
    response = client_of(people["owner"]).get(path)
    policy = response["Content-Security-Policy"]
    assert "script-src 'self'" in policy and "style-src 'self'" in policy
    assert "unsafe" not in policy
    assert response["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("path", EVERY_ADDRESS)
def test_no_page_carries_inline_script_or_style(
    path: str, people: dict[str, Person], client_of: ClientOf
) -> None:
    page = client_of(people["owner"]).get(path).content.decode()
    for inline in (" style=", "<style", "<script>", " onclick=", " hx-on"):
        assert inline not in page


def test_pages_of_nobody_carry_the_policy_too(client: Client, db: None) -> None:
    assert "script-src 'self'" in client.get("/no-such-page/")["Content-Security-Policy"]


def test_a_nul_in_an_address_is_a_bad_request_and_no_fault(
    filled: Project, owner: Person, client_of: ClientOf
) -> None:
    browser = client_of(owner)
    for address in ("/p/study/requests/?class=%00", "/p/study/requests/%2500/", "/p/%00/"):
        assert browser.get(address).status_code in (HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND)
