"""The sheet on small and large screens, light and dark, with the longest words."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from annotation.models import Person, Project, Seat
from tests.contracts.conftest import marked
from tests.contracts.desk_browser import Desk, address_of, sheet_of

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
