"""The constraint matrix in real Chromium: by keyboard, at both widths, light and dark."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project
from tests.contracts.desk_browser import Desk, desk_at
from tests.evaluation.runs import fixtures
from tests.evaluation.views.worlds import LOSSY, run_with

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

study = fixtures.study
MATRIX = "/p/study/runs/1/matrix/"


@pytest.fixture
def desk(study: Project, engineer: Person, live_server: LiveServer) -> Iterator[Desk]:
    run_with(engineer, study, {"cand": LOSSY})
    with desk_at(live_server) as made:
        yield made


def test_it_fits_and_axe_finds_nothing(desk: Desk, engineer: Person) -> None:
    narrow = f"{MATRIX}?lost=0&request=a#a-c2"
    assert desk.faults(engineer, MATRIX, narrow, f"{MATRIX}?q=nothing") == []


def test_a_search_by_keyboard_narrows_the_rows_and_stands_in_the_address(
    desk: Desk, engineer: Person
) -> None:
    page = desk.tab(desk.sign_in(engineer), f"{MATRIX}?lost=0")
    page.keyboard.press("/")
    expect(page.locator("#find")).to_be_focused()
    page.keyboard.type("NORRBY")
    expect(page.get_by_role("status")).to_have_text("1 of 5 constraints, in 1 request")
    expect(page.locator("#find")).to_be_focused()
    expect(page).to_have_url(re.compile(r"q=NORRBY"))
    page.reload()
    expect(page.locator(".matrix tbody tr")).to_have_count(1)


def test_a_slash_in_a_field_is_a_letter(desk: Desk, engineer: Person) -> None:
    page = desk.tab(desk.sign_in(engineer), MATRIX)
    page.locator("#find").press("/")
    expect(page.locator("#find")).to_have_value("/")


def test_the_link_of_a_constraint_marks_its_row(desk: Desk, engineer: Person) -> None:
    page = desk.tab(desk.sign_in(engineer), MATRIX)
    page.get_by_role("link", name="Link to constraint c2 of a").press("Enter")
    expect(page).to_have_url(re.compile(r"request=a#a-c2$"))
    expect(page.locator("tr:target b")).to_have_text("in fiscal 2022")


def test_a_column_is_sorted_by_keyboard(desk: Desk, engineer: Person) -> None:
    page = desk.tab(desk.sign_in(engineer), f"{MATRIX}?lost=0")
    page.get_by_role("columnheader", name="asked").get_by_role("link").press("Enter")
    expect(page.locator('th[aria-sort="ascending"]')).to_have_text("asked")


def sent(page: Page) -> list[str]:
    """The addresses that htmx asks for from now on."""
    found: list[str] = []
    page.on("request", lambda r: found.append(r.url) if r.headers.get("hx-request") else None)
    return found


def test_back_shows_the_whole_page_as_it_was(desk: Desk, engineer: Person) -> None:
    page = desk.tab(desk.sign_in(engineer), f"{MATRIX}?arm=cand")
    faults: list[str] = []
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.locator("select[name=lost]").select_option("0")
    expect(page.locator(".matrix tbody tr")).to_have_count(5)
    page.go_back()
    expect(page.locator(".matrix tbody tr")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.locator("select[name=lost]")).to_have_value("1")
    page.locator("select[name=lost]").select_option("0")  # and it works as before
    expect(page.locator(".matrix tbody tr")).to_have_count(5)
    assert faults == []


def test_what_is_typed_is_asked_for_once_and_stands_in_the_same_entry(
    desk: Desk, engineer: Person
) -> None:
    page = desk.tab(desk.sign_in(engineer), f"{MATRIX}?lost=0")
    asked, before = sent(page), page.evaluate("history.length")
    page.locator("#find").press_sequentially("norrby")
    expect(page).to_have_url(re.compile(r"q=norrby"))
    page.locator("h1").click()  # the field loses the focus, and tells of its change
    assert len(asked) == 1 and page.evaluate("history.length") == before


def test_enter_and_a_choice_are_asked_for_once_and_are_one_entry_each(
    desk: Desk, engineer: Person
) -> None:
    page = desk.tab(desk.sign_in(engineer), f"{MATRIX}?lost=0")
    asked, before = sent(page), page.evaluate("history.length")
    page.locator("#find").fill("norrby")
    page.locator("#find").press("Enter")
    expect(page).to_have_url(re.compile(r"q=norrby"))
    page.locator("select[name=sort]").select_option("kind")
    expect(page).to_have_url(re.compile(r"sort=kind"))
    page.locator("#find").fill("")  # a third answer comes when what waited would have come
    expect(page).to_have_url(re.compile(r"q=&"))
    assert len(asked) == 3 and page.evaluate("history.length") == before + 2
