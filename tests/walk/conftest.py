"""Fixtures of the walks: one site, one browser, and eyes."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.chromium import ARGUMENTS, ensure
from tests.conftest import PASSWORD
from tests.walk.site import Looker, Site


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--screenshots", type=Path, help="keep every page of the walk in this folder")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """An empty installation: database migrated, nobody in it, web server and worker running."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    made = Site(tmp_path, port=port)
    assert made.manage("migrate", "--verbosity", "0").returncode == 0
    with made.served(), made.worker():
        yield made


@pytest.fixture
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=ensure(), args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture
def looker(request: pytest.FixtureRequest) -> Looker:
    return Looker(request.config.getoption("--screenshots", default=None))


class Person:
    """Somebody at a browser of their own; a message in its console is a fault."""

    def __init__(self, site: Site, browser: Browser, name: str) -> None:
        self.site, self.name = site, name
        self.troubles: list[str] = []
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        self.page: Page = context.new_page()
        self.page.set_default_timeout(15_000)
        self.page.on("console", lambda message: self._heard(message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.goto(f"{site.url}/log-in/")
        self.page.fill("input[name=username]", name)
        self.page.fill("input[name=password]", PASSWORD)
        self.page.get_by_role("button", name="Log in", exact=True).click()
        self.page.wait_for_url(f"{site.url}/")

    def _heard(self, text: str) -> None:
        # Refusals are meant to be 422, a page that is left aborts what it had asked for, and a key
        # may be faster than the page's own focus: there is a line for each.
        noted = ("htmx:sendAbort,", "htmx:afterRequest,", "Autofocus processing was blocked")
        if "422" not in text and not text.startswith(noted):
            self.troubles.append(text)

    def go(self, address: str) -> Page:
        self.page.goto(f"{self.site.url}{address}")
        return self.page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)


@pytest.fixture
def person(site: Site, browser: Browser):  # type: ignore[no-untyped-def]
    """Make an account on the command line and sit down as its owner."""
    people: list[Person] = []

    def sit_down(name: str) -> Person:
        script = (
            "from annotation.models import Person; import json, sys; "
            f"Person.objects.create_user({json.dumps(name)}, password={json.dumps(PASSWORD)})"
        )
        made = site.manage("shell", "-c", script)
        assert made.returncode == 0, made.stderr
        people.append(Person(site, browser, name))
        return people[-1]

    yield sit_down
    troubles = [trouble for one in people for trouble in one.troubles]
    assert not troubles, troubles
