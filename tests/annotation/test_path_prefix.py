"""The site under a path prefix, as a proxy serves it: every link keeps it."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import set_script_prefix

from annotation.models import Person, Project
from annotation.services.guidelines import write_guideline

ClientOf = Callable[[Person], Client]
ADDRESS = re.compile(r"\s(?:href|src|action|hx-get|hx-post|hx-put|hx-delete)=\"([^\"]*)\"")
PAGES = [
    "/", "/account/", "/projects/new/", "/p/study/", "/p/study/people/", "/p/study/settings/",
    "/p/study/guidelines/", "/p/study/guidelines/general/", "/p/study/guidelines/general/edit/",
    "/p/study/consent/", "/p/study/requests/", "/p/study/requests/r1/", "/p/study/corpus/",
    "/p/study/import/", "/p/study/ledger/", "/p/study/nothing/",
]  # fmt: skip


@pytest.fixture(autouse=True)
def under_app(settings: Any) -> Iterator[None]:
    settings.FORCE_SCRIPT_NAME = "/app"
    set_script_prefix("/app/")  # a real server's handler does this, the test client's does not
    settings.STATIC_URL = "static/"
    yield
    set_script_prefix("/")


def addresses(page: str) -> list[str]:
    return [found for found in ADDRESS.findall(page) if not found.startswith(("#", "?", "data:"))]


@pytest.mark.parametrize("path", PAGES)
def test_every_link_of_a_page_keeps_the_prefix(
    path: str, filled: Project, owner: Person, client_of: ClientOf
) -> None:
    write_guideline(actor=owner, project=filled, topic="", text="Read.", seen=0)
    found = addresses(client_of(owner).get(path).content.decode())
    assert found and all(address.startswith(("/app/", "http")) for address in found if address), (
        found
    )


def test_the_desk_keeps_the_prefix(
    filled: Project, annotator_a: Person, client_of: ClientOf
) -> None:
    browser = client_of(annotator_a)
    taken = browser.post("/p/study/desk/next/sheet/")["Location"]
    assert taken.startswith("/app/p/study/desk/sheet/")
    for path in ("/p/study/desk/", taken.removeprefix("/app")):
        found = addresses(browser.get(path).content.decode())
        assert all(address.startswith("/app/") for address in found if address), found


def test_logging_in_stays_under_the_prefix(project: Project, client: Client) -> None:
    there = client.get("/p/study/")["Location"]
    assert there == "/app/log-in/?next=/app/p/study/"
    page = client.get("/log-in/").content.decode()
    assert all(address.startswith("/app/") for address in addresses(page) if address)


def test_no_script_or_template_writes_an_address_by_hand() -> None:
    root = Path(__file__).parents[2]
    by_hand = re.compile(r"""(?:href|src|action|hx-\w+)=["']/|["'`]/(?:p|static|api|account)/""")
    files = [*root.glob("templates/**/*.html"), *root.glob("static/js/**/*.js")]
    assert [path.name for path in files if by_hand.search(path.read_text())] == []
