"""Undo, rows and everybody's own keys at the desk, without a mouse."""

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Person, Project, Seat
from annotation.services.preferences import choose_keys
from contracts.services.sheets import drafted
from tests.contracts.conftest import marked
from tests.contracts.desk_browser import (
    Desk,
    address_of,
    mark,
    press,
    rows_of,
    saved,
    sheet_of,
    slow,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PARCEL = ("referent", "parcel", {"name": "parcel"})
YEAR = ("time", "before 2021", {"relation": "before", "end": "2021"})


@pytest.fixture
def seat(project: Project, annotator_a: Person) -> Seat:
    """A sheet with two rows in its draft."""
    return marked(sheet_of(annotator_a, project), [PARCEL, YEAR])


@pytest.fixture
def page(desk: Desk, seat: Seat, annotator_a: Person) -> Page:
    return desk.tab(desk.sign_in(annotator_a), address_of(seat))


def _undo(page: Page) -> None:
    press(page, "z")


# Undo and redo


def test_undo_in_a_field_takes_the_typing_back_and_stays_there(page: Page, seat: Seat) -> None:
    page.locator("#what-c1").click()
    press(page, "End")
    page.locator("#c1-name").press_sequentially("s and letters", delay=10)
    press(page, "Control+z")  # before any pause: what was typed is saved first
    expect(page.locator("#c1-name")).to_have_value("parcel")
    expect(page.locator("#c1-name")).to_be_focused()
    press(page, "Control+Shift+z")
    expect(page.locator("#c1-name")).to_have_value("parcels and letters")
    press(page, "Control+z")
    expect(page.locator("#c1-name")).to_have_value("parcel")
    press(page, "Control+y")
    expect(page.locator("#c1-name")).to_have_value("parcels and letters")
    expect(page.locator("#c1-name")).to_be_focused()
    assert rows_of(seat)[0]["value"]["name"] == "parcels and letters"


def test_undo_goes_back_through_everything_in_one_order(page: Page, seat: Seat) -> None:
    press(page, "1")
    expect(page.locator("#materiality-c1")).to_contain_text("minor")
    press(page, "ArrowRight", "ArrowRight")
    mark(page, "s", 3)
    press(page, "Escape")
    page.locator("#what-c2").focus()
    press(page, "Delete")
    expect(page.locator("#row-c2")).to_have_count(0)
    press(page, "u")
    page.keyboard.type("one reading")
    saved(page)
    press(page, "Escape")
    steps = [
        ("#id_readings", "to have no reading"),
        ("#id_unresolved", "not ticked"),
        ("#row-c2", "is there again"),
        ("#row-c3", "is gone"),
        ("#materiality-c1", "critical"),
    ]
    _undo(page)
    expect(page.locator(steps[0][0])).to_have_value("")
    press(page, "Escape")
    _undo(page)
    expect(page.locator(steps[1][0])).not_to_be_checked()
    _undo(page)
    expect(page.locator(steps[2][0])).to_have_count(1)
    expect(page.locator("#what-c2")).to_be_focused()
    _undo(page)
    expect(page.locator(steps[3][0])).to_have_count(0)
    _undo(page)
    expect(page.locator("#materiality-c1")).to_contain_text("critical")
    expect(page.locator("#materiality-c1")).to_be_focused()
    for _step in steps:
        version = seat.draft_version
        press(page, "Escape", "Z")
        expect(page.locator("#seal [name=version]")).not_to_have_value(str(version))
        seat.refresh_from_db()
    expect(page.locator("#id_readings")).to_have_value("one reading")
    assert [row["kind"] for row in rows_of(seat)] == ["referent", "status"]
    assert drafted(seat).ambiguity.readings == ("one reading",)


def test_the_letter_that_undoes_can_be_pressed_again_and_again(page: Page, seat: Seat) -> None:
    press(page, "1")
    expect(page.locator("#materiality-c1")).to_contain_text("minor")
    page.locator("#what-c1").click()
    press(page, "End")
    page.keyboard.type("s")
    saved(page)
    press(page, "Escape", "z")
    expect(page.locator("#c1-name")).to_have_value("parcel")
    expect(page.locator("#what-c1")).to_be_focused()
    press(page, "z")
    expect(page.locator("#materiality-c1")).to_contain_text("critical")
    press(page, "Z")
    expect(page.locator("#materiality-c1")).to_contain_text("minor")
    press(page, "Z")
    expect(page.locator("#c1-name")).to_have_value("parcels")
    assert rows_of(seat)[0]["value"]["name"] == "parcels"


def test_who_undid_the_first_mark_by_its_letter_is_back_at_the_words(
    desk: Desk, project: Project, annotator_a: Person
) -> None:
    seat = sheet_of(annotator_a, project)
    page = desk.tab(desk.sign_in(annotator_a), address_of(seat))
    press(page, "ArrowRight")
    mark(page, "r", 1)
    press(page, "Escape", "z")
    expect(page.locator("#row-c1")).to_have_count(0)
    expect(page.locator("#turn-0")).to_be_focused()


def test_the_buttons_tell_whether_there_is_something_to_undo(
    desk: Desk, project: Project, annotator_a: Person
) -> None:
    seat = sheet_of(annotator_a, project)
    page = desk.tab(desk.sign_in(annotator_a), address_of(seat))
    undo, redo = page.locator("#undo button"), page.locator("#redo button")
    expect(undo).to_be_disabled()
    press(page, "u")
    expect(undo).to_be_enabled()
    expect(redo).to_be_disabled()
    undo.click()
    expect(page.locator("#id_unresolved")).not_to_be_checked()
    expect(redo).to_be_enabled()
    expect(undo).to_be_disabled()


# Rows and fields


def test_delete_removes_the_row_in_focus_and_nothing_in_a_field(page: Page, seat: Seat) -> None:
    page.locator("#what-c1").click()
    page.locator("#c1-name").focus()
    press(page, "Home", "Delete")
    expect(page.locator("#c1-name")).to_have_value("arcel")
    saved(page)
    page.locator("#materiality-c2").focus()
    press(page, "Delete")
    expect(page.locator("#row-c2")).to_have_count(0)
    assert len(rows_of(seat)) == 1


def test_rows_beyond_the_ninth_are_reached_by_two_digits(
    desk: Desk, project: Project, annotator_a: Person
) -> None:
    words = [f"w{number}" for number in range(12)]
    seat = sheet_of(annotator_a, project, " ".join(words) + " .")
    seat = marked(seat, [("status", f"{word} ", {"value": word}) for word in words])
    page = desk.tab(desk.sign_in(annotator_a), address_of(seat))
    press(page, "1", "2")
    expect(page.locator("#materiality-c12")).to_contain_text("minor")
    press(page, "2")
    expect(page.locator("#materiality-c2")).to_contain_text("minor")
    press(page, "1")  # 10, 11 and 12 begin with it: it waits for a second digit, or for another key
    press(page, "Shift+ArrowRight")
    expect(page.locator("#materiality-c1")).to_contain_text("minor")
    minor = [row["id"] for row in rows_of(seat) if row["materiality"] == "minor"]
    assert minor == ["c1", "c2", "c12"]


def test_m_turns_the_row_in_focus(page: Page, seat: Seat) -> None:
    page.locator("#what-c2").focus()
    press(page, "m")
    expect(page.locator("#materiality-c2")).to_contain_text("minor")
    expect(page.locator("#what-c2")).to_be_focused()


def test_tab_walks_through_all_fields_and_rows(page: Page) -> None:
    page.locator("#turn-0").focus()
    seen: list[str] = []
    for _press in range(45):
        press(page, "Tab")
        seen.append(str(page.evaluate("document.activeElement.id")))
    wanted = ["what-c1", "c1-name", "c1-admissible", "what-c2", "c2-relation", "c2-end"]
    wanted += ["c2-admissible", "id_unresolved"]
    assert [one for one in seen if one in wanted] == wanted


def test_enter_leads_through_the_fields_and_escape_back_to_the_words(page: Page) -> None:
    press(page, "ArrowRight", "Enter")
    expect(page.locator("#c1-name")).to_be_focused()
    press(page, "Enter")
    expect(page.locator("#c1-aliases")).to_be_focused()
    press(page, "Escape")
    expect(page.locator("#turn-0")).to_be_focused()
    expect(page.locator("#selected")).to_have_text("“parcel”")


EVERYTHING = "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789?.,;:-/"


def test_nothing_fires_while_somebody_types_in_any_field(page: Page, seat: Seat) -> None:
    press(page, "u")
    expect(page.locator("#id_readings")).to_be_focused()
    rows = page.locator("#work details[data-key]").count()
    for row in ("c1", "c2"):
        page.locator(f"#what-{row}").click()
        for field in page.locator(f"#value-{row} :is(input[type=text], textarea)").all():
            field.fill("")
            press(page, *EVERYTHING, "ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown")
            expect(field).to_be_focused()
            expect(field).to_have_value(EVERYTHING)
    page.locator("#id_readings").focus()
    press(page, *EVERYTHING)
    expect(page.locator("#id_readings")).to_have_value(EVERYTHING)
    page.locator("summary[data-shortcut=x]").click()
    press(page, *EVERYTHING)
    expect(page.locator("#reason")).to_have_value(EVERYTHING)
    expect(page.locator("#work details[data-key]")).to_have_count(rows)
    expect(page.locator("#keys")).to_be_hidden()
    seat.refresh_from_db()
    materialities = [row["materiality"] for row in rows_of(seat)]
    assert (seat.state, materialities) == ("held", ["critical", "critical"])


def test_a_letter_that_is_being_composed_is_no_shortcut(page: Page, seat: Seat) -> None:
    press(page, "ArrowRight")
    page.evaluate(
        """() => { for (const how of [{ isComposing: true }, { keyCode: 229 }])
        document.body.dispatchEvent(
          new KeyboardEvent("keydown", { key: "s", bubbles: true, ...how }));
        document.body.dispatchEvent(new KeyboardEvent("keydown",
          { key: "u", bubbles: true, isComposing: true })); }"""
    )
    expect(page.locator("#id_unresolved")).not_to_be_checked()
    assert len(rows_of(seat)) == 2


def test_a_fast_hand_marks_twice_without_waiting(
    desk: Desk, project: Project, annotator_a: Person
) -> None:
    seat = sheet_of(annotator_a, project)
    page = desk.tab(desk.sign_in(annotator_a), address_of(seat))
    slow(page)
    press(page, "ArrowRight", *"rparcels", "Escape", "ArrowRight", "s", *"paid", "Escape")
    expect(page.locator("#c2-value")).to_have_value("paid")
    saved(page)
    values = [row["value"] for row in rows_of(seat)]
    assert (values[0]["name"], values[1]["value"]) == ("parcels", "paid")


# Everybody's own keys


def _letter(page: Page, letter: str) -> None:
    """Press a key that an English keyboard lacks."""
    page.evaluate(
        """(key) => document.activeElement.dispatchEvent(
          new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))""",
        letter,
    )


def test_ones_own_keys_work_and_are_the_ones_that_the_page_shows(
    desk: Desk, seat: Seat, annotator_a: Person
) -> None:
    # On a French keyboard é needs no Shift, on a German one ß.
    choose_keys(actor=annotator_a, chosen={"mark_status": "é", "ambiguity": "ß", "help": "h"})
    page = desk.tab(desk.sign_in(annotator_a), address_of(seat))
    expect(page.locator("[data-mark=status] kbd")).to_have_text("é")
    press(page, "ArrowRight", "s", "u")
    _letter(page, "é")
    expect(page.locator("#c3-value")).to_be_focused()
    press(page, "Escape")
    _letter(page, "ß")
    expect(page.locator("#id_readings")).to_be_focused()
    press(page, "Escape", "h")
    expect(page.locator("#keys")).to_be_visible()
    shown = page.locator("#keys tr", has_text="Which state is asked for")
    expect(shown.locator("kbd")).to_have_text("é")
    assert [row["kind"] for row in rows_of(seat)] == ["referent", "time", "status"]


def test_capitals_lock_does_not_change_what_a_key_does(page: Page, seat: Seat) -> None:
    page.evaluate(
        """() => { const event = new KeyboardEvent("keydown",
          { key: "U", bubbles: true, modifierCapsLock: true });
        document.body.dispatchEvent(event); }"""
    )
    expect(page.locator("#id_unresolved")).to_be_checked()


def test_g_opens_the_guidelines_and_leads_back(page: Page) -> None:
    press(page, "ArrowRight", "g")
    expect(page.locator("details.beside > summary")).to_be_focused()
    expect(page.locator("details.beside")).to_have_attribute("open", "")
    press(page, "g")
    expect(page.locator("#turn-0")).to_be_focused()
    expect(page.locator("details.beside")).not_to_have_attribute("open", "")
