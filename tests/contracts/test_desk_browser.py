"""The desk in real Chromium: a whole sheet with the keyboard alone."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project, Seat
from contracts.models import Sheet
from contracts.services.sheets import drafted
from tests.chromium import ARGUMENTS, path
from tests.conftest import PASSWORD
from tests.contracts.conftest import make_request

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(live_server: LiveServer, project: Project, annotator_a: Person) -> Iterator[Page]:
    """A logged-in browser on the desk; a message in its console fails the test."""
    make_request(project, "r1", "📦parcel fees before 2021?", (("user", "Hello there"),))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path(), args=ARGUMENTS)
        shown = browser.new_page()
        troubles: list[str] = []
        shown.on("console", lambda message: troubles.append(message.text))
        shown.on("pageerror", lambda error: troubles.append(str(error)))
        shown.goto(f"{live_server.url}/log-in/?next=/p/study/desk/")
        shown.fill("input[name=username]", annotator_a.username)
        shown.fill("input[name=password]", PASSWORD)
        shown.keyboard.press("Enter")
        shown.wait_for_url(f"{live_server.url}/p/study/desk/")
        yield shown
        browser.close()
    assert troubles == []


def _press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def _take(page: Page) -> None:
    expect(page.locator("[autofocus]")).to_be_focused()
    _press(page, "Enter")
    page.wait_for_url("**/desk/sheet/*/")


def _draft() -> list[dict[str, object]]:
    return [c.to_json() for c in drafted(Seat.objects.get()).constraints]


def test_a_whole_sheet_with_the_keyboard_alone(page: Page) -> None:
    _take(page)
    _press(page, "ArrowRight", "ArrowRight", "Shift+ArrowRight", "r")
    expect(page.locator("#c1-name")).to_be_focused()
    page.keyboard.type("parcel charges")
    _press(page, "Escape", "ArrowRight", "Shift+ArrowRight", "t")
    expect(page.locator("#c2-relation")).to_be_focused()
    _press(page, "Escape", "1")
    expect(page.locator("#materiality-c1")).to_contain_text("minor")
    _press(page, "Control+Enter")
    page.wait_for_url("**/desk/")
    found = Sheet.objects.get().terms.to_json()["constraints"]
    spans = [(c["kind"], c["materiality"], c["span"]) for c in json.loads(json.dumps(found))]
    assert spans == [
        ("referent", "minor", {"turn": 1, "start": 1, "end": 12}),
        ("time", "critical", {"turn": 1, "start": 13, "end": 24}),
    ]
    assert found[0]["value"]["name"] == "parcel charges"


def test_words_inside_and_after_a_mark_are_counted_without_its_number(page: Page) -> None:
    _take(page)
    _press(page, "ArrowRight", "ArrowRight", "r")
    expect(page.locator("#c1-name")).to_be_focused()
    _press(page, "Escape", "Shift+ArrowRight", "s")
    expect(page.locator("#c2-value")).to_be_focused()
    assert [c["span"] for c in _draft()] == [
        {"turn": 1, "start": 1, "end": 7},
        {"turn": 1, "start": 1, "end": 12},
    ]


def test_no_shortcut_fires_while_somebody_types(page: Page) -> None:
    _take(page)
    _press(page, "ArrowRight", "ArrowRight", "r")
    expect(page.locator("#c1-name")).to_be_focused()
    page.keyboard.type("rtqpsceulx1?")
    expect(page.locator("#save-state")).to_contain_text("saved")
    expect(page.locator("#summary-c1")).to_contain_text("rtqpsceulx1?")
    assert [(c["kind"], c["materiality"]) for c in _draft()] == [("referent", "critical")]


def test_marking_with_the_mouse_leaves_blanks_out(page: Page) -> None:
    _take(page)
    page.evaluate(
        """() => { const text = document.querySelector('[data-turn="1"]').firstChild;
        getSelection().setBaseAndExtent(text, 13, text, 25); }"""
    )
    page.click("[data-mark=time]")
    expect(page.locator("#c1-relation")).to_be_focused()
    assert _draft()[0]["span"] == {"turn": 1, "start": 13, "end": 24}


def test_u_marks_what_cannot_be_answered_and_asks_for_the_readings(page: Page) -> None:
    _take(page)
    _press(page, "u")
    expect(page.locator("#id_readings")).to_be_focused()
    page.keyboard.type("the parcel, or the fee")
    expect(page.locator("#save-state")).to_contain_text("not saved yet")
    expect(page.locator("#save-state time")).to_be_visible()
    assert drafted(Seat.objects.get()).ambiguity.readings == ("the parcel, or the fee",)


def test_what_is_typed_while_the_work_is_shown_anew_is_kept(page: Page) -> None:
    _take(page)
    _press(page, "ArrowRight", "ArrowRight", "q")
    expect(page.locator("#c1-operator")).to_be_focused()
    page.evaluate(
        """() => { document.getElementById("materiality-c1").click();
        const unit = document.getElementById("c1-unit"); unit.value = "kg";
        unit.dispatchEvent(new InputEvent("input", { bubbles: true })); }"""
    )
    expect(page.locator("#materiality-c1")).to_contain_text("minor")
    expect(page.locator("#c1-unit")).to_have_value("kg")
    expect(page.locator("[data-dirty]")).to_have_count(0)
    assert _draft()[0]["value"]["unit"] == "kg"


def test_the_keys_are_shown_on_a_question_mark(page: Page) -> None:
    _take(page)
    _press(page, "?")
    expect(page.locator("#keys")).to_be_visible()
