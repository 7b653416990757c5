"""What an annotator's browser holds and asks for is the same whatever the others did: the page as
it stands, what it stored, and every request that it made.
"""

from dataclasses import dataclass
from html import unescape
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page

from annotation.blindness import routes
from annotation.blindness.comparing import Masks
from annotation.models import Person, Project, Seat
from tests.contracts.desk_browser import Desk, press
from tests.contracts.test_blindness import altered, reader, study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
__all__ = ["reader", "study"]  # fixtures

STORED = """async () => JSON.stringify([
  Object.entries(localStorage).sort(), Object.entries(sessionStorage).sort(),
  (await indexedDB.databases()).map((one) => one.name).sort(),
  (await caches.keys()).sort(), document.cookie.replace(/csrftoken=[^;]*/, ""),
])"""


@dataclass(frozen=True)
class Seen:
    """One page as the browser has it, masked; `asked` are the calls behind it with their status."""

    dom: str
    stored: str
    asked: tuple[str, ...]


def looked_at(desk: Desk, context: BrowserContext, address: str, masks: Masks) -> Seen:
    page = context.new_page()
    asked: list[str] = []
    page.on("response", lambda r: asked.append(f"{r.request.method} {r.url} {r.status} {_size(r)}"))
    page.goto(f"{desk.server.url}{address}")
    page.wait_for_load_state("networkidle")
    _walk(page)
    dom = unescape(page.evaluate("document.documentElement.outerHTML"))
    stored = page.evaluate(STORED)
    page.close()
    return Seen(masks.masked(dom), masks.masked(stored), tuple(sorted(asked)))


def _size(response: Any) -> str:
    return str(response.headers.get("content-length", ""))


def _walk(page: Page) -> None:
    """What a hand does on any page: it moves on, opens the keys and closes them."""
    press(page, "Tab", "Tab", "?", "Escape")


def test_the_browser_holds_and_asks_for_the_same_whatever_others_did(
    desk: Desk, study: Project, reader: Person
) -> None:
    own = Seat.objects.get(holder=reader, state="held")
    addresses = [
        "/p/study/",
        "/p/study/desk/",
        f"/p/study/desk/sheet/{own.public_id}/",
        "/p/study/desk/settled/",
        "/p/study/guidelines/",
        "/account/",
    ]
    context = desk.sign_in(reader)
    masks = Masks(routes.known_ids(study), timezone.now())
    before = [looked_at(desk, context, address, masks) for address in addresses]
    assert sum(altered(study, reader)()) > 0
    after = [looked_at(desk, context, address, masks) for address in addresses]
    for address, one, other in zip(addresses, before, after, strict=True):
        assert one.dom == other.dom, address
        assert one.stored == other.stored, address
        assert one.asked == other.asked, address


def test_the_comparison_of_browsers_finds_a_difference(
    desk: Desk, study: Project, reader: Person
) -> None:
    context = desk.sign_in(reader)
    masks = Masks(routes.known_ids(study), timezone.now())
    before = looked_at(desk, context, "/p/study/desk/", masks)
    Project.objects.filter(pk=study.pk).update(name="Another name")
    after = looked_at(desk, context, "/p/study/desk/", masks)
    assert before.dom != after.dom
