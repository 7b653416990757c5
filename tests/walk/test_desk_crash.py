"""The web process is killed while somebody types; what they typed arrives by itself, once."""

import json
import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.walk.conftest import PASSWORD, Person
from tests.walk.site import Site

pytestmark = pytest.mark.browser

STUDY = f"""
from annotation.models import Person, Request, RequestClass
from annotation.services.projects import create_project, set_member
from annotation.services.seats import take_next
one = Person.objects.create_user("annotator", password={PASSWORD!r})
owner = Person.objects.create_user("owner")
made = create_project(actor=owner, slug="crash", name="Crash")
set_member(actor=owner, project=made, person=one, roles=["annotator"])
kind = RequestClass.objects.create(project=made, name="fact")
Request.objects.create(project=made, key="r1", request_class=kind, position=0, sha256="0" * 64,
                       text="parcel fees before 2021?")
print(take_next(actor=one, project=made, kind_name="sheet").public_id)
"""


@pytest.fixture
def crashing(tmp_path: Path) -> Site:
    """An installation that nobody serves yet."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        made = Site(tmp_path, port=free.getsockname()[1])
    assert made.manage("migrate", "--verbosity", "0").returncode == 0
    return made


def _first_row(site: Site, browser: Browser, seat: str) -> Page:
    """The sheet in a browser, with its first row marked and saved."""
    person = Person(site, browser, "annotator")
    page = person.go(f"/p/crash/desk/sheet/{seat}/")
    person.press("ArrowRight", "r")
    expect(page.locator("#c1-name")).to_be_focused()
    expect(page.locator("#save-state time")).to_be_visible()
    return page


def _names(site: Site) -> list[str]:
    """The name of the row in every saved version of the draft."""
    with closing(sqlite3.connect(site.folder / "intact.sqlite3")) as database:
        rows = database.execute(
            "SELECT draft FROM annotation_revision WHERE NOT aside ORDER BY version"
        ).fetchall()
    return [json.loads(draft)["constraints"][0]["value"].get("name", "") for (draft,) in rows]


def test_words_typed_before_a_crash_arrive_by_themselves_and_once(
    crashing: Site, browser: Browser
) -> None:
    made = crashing.manage("shell", "-v", "0", "-c", STUDY)
    assert made.returncode == 0, made.stderr
    with crashing.served():
        page = _first_row(crashing, browser, made.stdout.split()[-1])
        page.route("**/value/", lambda route: route.abort())  # no save gets out before the crash
        page.keyboard.type("parcels")
    # Leaving the block killed the web process with -9.
    page.unroute("**/value/")
    expect(page.locator("#save-state")).to_contain_text("the server cannot be reached")
    page.keyboard.type(" and letters")
    with crashing.served():
        expect(page.locator("[data-dirty]")).to_have_count(0, timeout=40_000)
        expect(page.locator("#save-state time")).to_be_visible()
    names = _names(crashing)
    assert (names[-1], names.count("parcels and letters")) == ("parcels and letters", 1)


def test_a_save_whose_answer_died_with_the_server_is_written_once(
    crashing: Site, browser: Browser
) -> None:
    made = crashing.manage("shell", "-v", "0", "-c", STUDY)
    assert made.returncode == 0, made.stderr
    with crashing.served():
        page = _first_row(crashing, browser, made.stdout.split()[-1])

        def lost(route: object) -> None:
            route.fetch()  # type: ignore[attr-defined]
            route.abort("connectionreset")  # type: ignore[attr-defined]

        page.route("**/value/", lost, times=1)
        page.keyboard.type("parcels")
        expect(page.locator("#save-state")).to_contain_text("the server cannot be reached")
        assert _names(crashing)[-1] == "parcels"
    with crashing.served():
        expect(page.locator("[data-dirty]")).to_have_count(0, timeout=40_000)
        expect(page.locator("#save-state time")).to_be_visible()
    assert _names(crashing).count("parcels") == 1
