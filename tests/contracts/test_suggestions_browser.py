"""Suggestions in real Chromium, with the keyboard and with the mouse."""

from collections.abc import Iterator
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project, Seat
from contracts.services.sheets import drafted
from tests.chromium import ARGUMENTS, path
from tests.conftest import PASSWORD
from tests.contracts.conftest import make_request, take

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TEXT = "📦 Did its costs, excluding one-off items, rise before 2021?"


@pytest.fixture
def page(live_server: LiveServer, project: Project, annotator_a: Person) -> Iterator[Page]:
    """A logged-in browser on a sheet whose suggestions have come; an error on it fails the test."""
    make_request(project, "r1", TEXT, (("user", "How is Siemens?"),))
    there = f"/p/study/desk/sheet/{take(annotator_a, project).public_id}/"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path(), args=ARGUMENTS)
        shown = browser.new_page()
        troubles: list[str] = []
        shown.on("pageerror", lambda error: troubles.append(str(error)))
        shown.goto(f"{live_server.url}/log-in/?next={there}")
        shown.fill("input[name=username]", annotator_a.username)
        shown.fill("input[name=password]", PASSWORD)
        shown.keyboard.press("Enter")
        shown.wait_for_url(f"{live_server.url}{there}")
        # The libraries that read the words load with the first suggestions of a process.
        expect(shown.locator("[data-suggested]").first).to_be_visible(timeout=30_000)
        yield shown
        browser.close()
    assert troubles == []


def _press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def _selected(page: Page) -> str:
    return str(page.evaluate("getSelection().toString()"))


def _marked() -> list[tuple[str, str]]:
    constraints = drafted(Seat.objects.get()).constraints
    return [(c.kind, TEXT[c.span.start : c.span.end]) for c in constraints if c.span]


def _suggested(page: Page) -> list[str]:
    return page.locator("#suggestions .words-s").all_inner_texts()


def test_the_key_steps_through_the_words_in_the_order_of_the_text(page: Page) -> None:
    seen = []
    for _step in range(4):
        _press(page, "n")
        seen.append(_selected(page))
    assert seen == ["Siemens", "its", "excluding one-off items", "before 2021"]


def test_enter_marks_the_words_as_by_hand_and_they_leave_the_list(page: Page) -> None:
    _press(page, "n", "n", "n", "n", "Enter")
    expect(page.locator("#c1-relation")).to_be_focused()
    assert _marked() == [("time", "before 2021")]
    expect(page.locator("#suggestions")).not_to_contain_text("before 2021")
    assert _suggested(page) == ["Siemens", "its", "excluding one-off items"]


def test_a_kinds_letter_marks_the_suggested_words_as_that_kind(page: Page) -> None:
    _press(page, "n", "n", "n", "s")
    expect(page.locator("#c1-value")).to_be_focused()
    assert _marked() == [("status", "excluding one-off items")]


def test_escape_leaves_and_enter_marks_nothing_then(page: Page) -> None:
    _press(page, "n", "n", "Escape", "Enter")
    expect(page.locator("#suggestions [aria-current]")).to_have_count(0)
    assert _marked() == []


def test_the_arrows_leave_the_suggestion_to_its_own(page: Page) -> None:
    _press(page, "n", "n", "Shift+ArrowRight", "Enter")
    expect(page.locator("#suggestions [aria-current]")).to_have_count(0)
    assert _marked() == []


def test_the_mouse_marks_with_one_press_and_the_key_goes_on_from_there(page: Page) -> None:
    page.locator("#suggestions button", has_text="its").click()
    expect(page.locator("#c1-name")).to_be_focused()
    assert _marked() == [("referent", "its")]
    expect(page.locator("#suggestions .words-s")).to_have_count(3)
    _press(page, "Escape", "n")
    assert _selected(page) == "excluding one-off items"


def test_hidden_suggestions_stay_hidden_after_a_reload(page: Page) -> None:
    page.get_by_role("button", name="Hide").click()
    expect(page.locator("[data-suggested]")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("button", name="Show suggestions")).to_be_visible()
    _press(page, "n")
    assert _selected(page) == ""


def test_the_list_has_no_fault_that_axe_knows(page: Page) -> None:
    axe = next(Path(axe_playwright_python.__file__).parent.rglob("axe.min.js"))
    page.evaluate(axe.read_text())
    assert page.evaluate("axe.run('#suggestions').then((found) => found.violations)") == []
