"""A person at the desk in real Chromium: what the browser tests of the desk share."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project, Seat
from contracts.services.sheets import drafted
from tests.chromium import ARGUMENTS, path
from tests.contracts.conftest import make_request, take

# A wide screen and a phone, light and dark.
LOOKS = ((1440, "light"), (1440, "dark"), (375, "light"), (375, "dark"))
# What Chromium and htmx note when a request is refused, cut off or finds no network: that is what
# these tests bring about, and no trouble of the page.
NOTED = (
    "Autofocus processing was blocked",  # a key was faster
    "the server responded with a status of",
    "net::ERR_",
    "htmx:afterRequest",
    "htmx:send",
    "Response Status Error Code 403",  # logged in again, and the new token is not there yet
    "htmx:responseError",
)


@dataclass
class Desk:
    """A browser with people in it; whatever else its console says is a fault."""

    server: LiveServer
    browser: Browser
    troubles: list[str] = field(default_factory=list)

    def sign_in(self, person: Person, **options: Any) -> BrowserContext:
        """A window of its own in which the person is logged in."""
        context = self.browser.new_context(**options)
        self.log_in(context, person)
        return context

    def log_in(self, context: BrowserContext, person: Person) -> None:
        client = Client()
        client.force_login(person)
        cookie = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": self.server.url}])

    def tab(self, context: BrowserContext, address: str) -> Page:
        page = context.new_page()
        page.on("console", lambda message: self._heard(message.text))
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.goto(f"{self.server.url}{address}")
        return page

    def faults(
        self, person: Person, *addresses: str, opened: bool = False
    ) -> list[tuple[str, str]]:
        """What is wider than its page and what axe finds, in each of `LOOKS`; with `opened`
        everything that can be opened is.
        """
        found = []
        for width, scheme in LOOKS:
            size = {"width": width, "height": 900}
            context = self.sign_in(person, viewport=size, color_scheme=scheme)
            for address in addresses:
                page = self.tab(context, address)
                if opened:
                    page.evaluate(
                        "document.querySelectorAll('details').forEach(d => d.open = true)"
                    )
                if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                    found.append((address, f"wider than {width}"))
                found += [(address, one["id"]) for one in Axe().run(page).response["violations"]]
                page.close()
            context.close()
        return found

    def _heard(self, text: str) -> None:
        if not any(noted in text for noted in NOTED):
            self.troubles.append(text)


@contextmanager
def desk_at(server: LiveServer) -> Iterator[Desk]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path(), args=ARGUMENTS)
        desk = Desk(server, browser)
        yield desk
        browser.close()
    assert desk.troubles == []


def sheet_of(person: Person, project: Project, *words: str) -> Seat:
    """The person's next sheet; each of the words is asked in a request of its own."""
    for number, text in enumerate(words or ["parcel fees before 2021?"], start=1):
        make_request(project, f"r{number}", text)
    return take(person, project)


def address_of(seat: Seat) -> str:
    return f"/p/study/desk/sheet/{seat.public_id}/"


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def mark(page: Page, letter: str, row: int) -> None:
    """Mark the selected words and wait until the new row has the focus."""
    press(page, letter)
    expect(page.locator(f"#row-c{row} form.value :focus")).to_have_count(1)


def rows_of(seat: Seat) -> list[dict[str, Any]]:
    seat.refresh_from_db()
    return [row.to_json() for row in drafted(seat).constraints]


def saved(page: Page) -> None:
    """Wait until nothing of the page is unsaved."""
    expect(page.locator("[data-dirty]")).to_have_count(0)
    expect(page.locator("#save-state time")).to_be_visible()


def slow(page: Page, address: str = "**/mark/") -> None:
    """What is sent there takes 300 ms more, as over a far network."""

    def late(route: Route) -> None:
        page.wait_for_timeout(300)
        route.continue_()

    page.route(address, late)


def without_answer(page: Page, address: str) -> None:
    """The next thing sent there arrives, and its answer is lost on the way back."""

    def lost(route: Route) -> None:
        route.fetch()
        route.abort("connectionreset")

    page.route(address, lost, times=1)
