"""A page of a real Chromium in which somebody is logged in."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person
from tests.chromium import ARGUMENTS, path
from tests.conftest import PASSWORD


@contextmanager
def browser(
    live_server: LiveServer, person: Person, address: str, **more: object
) -> Iterator[Page]:
    """A logged-in page; a word in its console fails the test."""
    troubles: list[str] = []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path(), args=ARGUMENTS)
        page = chromium.new_page(**more)  # type: ignore[arg-type]
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(f"{live_server.url}/log-in/?next={address}")
        page.fill("input[name=username]", person.username)
        page.fill("input[name=password]", PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url(f"{live_server.url}{address}")
        yield page
        chromium.close()
    assert [t for t in troubles if "the server responded with a status of" not in t] == []
