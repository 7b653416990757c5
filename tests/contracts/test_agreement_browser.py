"""The pages of agreement on small and large screens, light and dark, and with the keyboard."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from annotation.models import Person, Project
from contracts.services import agreement as services
from tests.contracts.conftest import BEFORE, UNTIL, Sealer
from tests.contracts.desk_browser import Desk

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PLACE = "/p/study/agreement/"


@pytest.fixture
def study(
    seal: Sealer,
    project: Project,
    annotator_a: Person,
    annotator_b: Person,
    monkeypatch: pytest.MonkeyPatch,
) -> Project:
    monkeypatch.setattr(services, "RESAMPLES", 50)
    seal(annotator_a, BEFORE)
    seal(annotator_b, UNTIL)
    return project


def _faults(page: Page) -> tuple[int, list[str]]:
    width = int(page.evaluate("document.documentElement.scrollWidth"))
    return width, [str(fault["id"]) for fault in Axe().run(page).response["violations"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1440])
def test_nothing_is_wider_than_the_page_and_axe_finds_nothing(
    desk: Desk, study: Project, owner: Person, width: int, scheme: str
) -> None:
    frozen = services.freeze(actor=owner, project=study)
    screen = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    context = desk.sign_in(owner, **screen)
    page = desk.tab(context, PLACE)
    assert _faults(page) == (width, [])
    for place in ("pairs/?question=value", "requests/", f"snapshots/{frozen.public_id}/"):
        page.goto(f"{desk.server.url}{PLACE}{place}")
        assert _faults(page) == (width, [])


def test_from_a_number_to_the_words_behind_it_and_a_frozen_table_by_keyboard(
    desk: Desk, study: Project, owner: Person
) -> None:
    page = desk.tab(desk.sign_in(owner), PLACE)
    page.locator("#table-value ~ .scroll tr", has_text="time").locator("td a").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("until 2021")).to_be_visible()
    page.goto(f"{desk.server.url}{PLACE}")
    page.get_by_role("button", name="Freeze this table").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Recompute").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("the table comes out the same")).to_be_visible()
