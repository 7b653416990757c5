"""The sheet on small and large screens, light and dark, with the longest words."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from annotation.models import Person, Project, Seat
from tests.contracts.conftest import marked
from tests.contracts.desk_browser import Desk, address_of, press, sheet_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WORD = "Verkehrswege" * 417  # 5,004 characters without a blank
LABEL = "a label of two hundred characters " * 6
TEXT = f"{WORD[:5000]} ما هي رسوم الطرود before 2021?"


@pytest.fixture
def seat(project: Project, annotator_a: Person) -> Seat:
    return marked(
        sheet_of(annotator_a, project, TEXT),
        [
            ("referent", WORD[:5000], {"name": LABEL[:200], "aliases": [WORD[:5000]]}),
            ("time", "before 2021", {"relation": "before", "end": "2021"}),
        ],
    )


def _width(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth"))


def _faults(page: Page) -> list[str]:
    return [str(violation["id"]) for violation in Axe().run(page).response["violations"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1440])
def test_nothing_is_wider_than_the_page_and_axe_finds_nothing(
    desk: Desk, seat: Seat, annotator_a: Person, width: int, scheme: str
) -> None:
    screen = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    page = desk.tab(desk.sign_in(annotator_a, **screen), address_of(seat))
    page.locator("#what-c1").click()
    assert (_width(page), _faults(page)) == (width, [])
    page.evaluate("desk.version = 0")
    page.locator("#materiality-c1").click()
    expect(page.locator("#conflict-box")).to_be_visible()
    assert (_width(page), _faults(page)) == (width, [])


@pytest.mark.parametrize("place", ["history", "keys"])
@pytest.mark.parametrize("width", [375, 1440])
def test_history_and_keys_fit_and_axe_finds_nothing(
    desk: Desk, seat: Seat, annotator_a: Person, width: int, place: str
) -> None:
    where = {
        "history": f"/p/study/desk/seat/{seat.public_id}/history/",
        "keys": "/account/keys/",
    }[place]
    screen = {"viewport": {"width": width, "height": 900}}
    page = desk.tab(desk.sign_in(annotator_a, **screen), where)
    assert (_width(page), _faults(page)) == (width, [])


def test_the_direction_of_each_turn_and_field_is_that_of_its_words(
    desk: Desk, project: Project, annotator_a: Person
) -> None:
    seat = sheet_of(annotator_a, project, "ما هي رسوم الطرود 2024 plc")
    page = desk.tab(desk.sign_in(annotator_a), address_of(seat))
    expect(page.locator("[data-turn]")).to_have_css("direction", "rtl")
    page.keyboard.press("u")
    readings = page.locator("#id_readings")
    readings.fill("رسوم الطرود Harbor")
    expect(readings).to_have_css("direction", "rtl")
    readings.fill("the fees of الطرود")
    expect(readings).to_have_css("direction", "ltr")


def _top(page: Page, selector: str) -> float:
    """Where it stands in the page, in px."""
    return float(
        page.evaluate("(it) => document.querySelector(it).getBoundingClientRect().y", selector)
    )


@pytest.mark.parametrize("width", [375, 1440])
def test_nothing_moves_under_the_hands_of_somebody_who_types(
    desk: Desk, project: Project, annotator_a: Person, width: int
) -> None:
    seat = sheet_of(annotator_a, project)
    screen = {"viewport": {"width": width, "height": 2400}}
    page = desk.tab(desk.sign_in(annotator_a, **screen), address_of(seat))
    expect(page.locator("#suggestions h2")).to_be_visible()
    before = _top(page, "#suggestions")
    press(page, "ArrowRight", *["Shift+ArrowRight"] * 3)
    expect(page.locator("#selected")).to_contain_text("2021")
    assert _top(page, "#suggestions") == before
    press(page, "s")
    expect(page.locator("#c1-value")).to_be_focused()
    page.locator("#c1-value").fill("")
    expect(page.locator("#row-c1 .missing")).to_be_visible()
    before = _top(page, "#c1-value")
    page.keyboard.type("a status with a name that is longer than its column")
    expect(page.locator("#row-c1 .missing")).to_have_count(0)
    assert _top(page, "#c1-value") == before


def test_every_key_is_seen_at_once_on_a_large_screen(
    desk: Desk, seat: Seat, annotator_a: Person
) -> None:
    screen = {"viewport": {"width": 1440, "height": 900}}
    page = desk.tab(desk.sign_in(annotator_a, **screen), address_of(seat))
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    assert (
        page.evaluate("document.getElementById('keys').scrollHeight") < screen["viewport"]["height"]
    )
    expect(page.locator("#keys form button")).to_be_in_viewport()


def test_the_cheat_sheet_names_every_key_of_the_page(
    desk: Desk, seat: Seat, annotator_a: Person
) -> None:
    page = desk.tab(desk.sign_in(annotator_a), address_of(seat))
    page.keyboard.press("?")
    told = page.locator("#keys kbd").all_inner_texts()
    used = page.evaluate(
        "[...document.querySelectorAll('[data-shortcut]')].map((one) => one.dataset.shortcut)"
    )
    assert set(used) <= set(told)
