"""Words are marked by keys in any script, and the offsets are exact."""

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Person, Project, Seat
from tests.contracts.desk_browser import (
    Desk,
    address_of,
    mark,
    press,
    rows_of,
    sheet_of,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def _open(desk: Desk, project: Project, person: Person, text: str) -> tuple[Page, Seat]:
    seat = sheet_of(person, project, text)
    return desk.tab(desk.sign_in(person), address_of(seat)), seat


def _span(seat: Seat) -> tuple[int, int]:
    span = rows_of(seat)[0]["span"]
    return span["start"], span["end"]


# The offsets are those of cases that people reported to other annotation tools (LS#1347, AR#5729).
@pytest.mark.parametrize(
    ("text", "keys", "span"),
    [
        ("📦parcel fees 2024", 3, (8, 12)),
        ("refund 🚚 policy EU", 3, (9, 15)),
        ("👩🏽‍🔬 lab hours", 2, (5, 8)),
        ("naïve cafe\u0301 menu", 3, (12, 16)),
    ],
)
def test_a_word_after_emoji_and_accents_has_its_offsets_in_code_points(
    desk: Desk,
    project: Project,
    annotator_a: Person,
    text: str,
    keys: int,
    span: tuple[int, int],
) -> None:
    page, seat = _open(desk, project, annotator_a, text)
    press(page, *["ArrowRight"] * keys)
    mark(page, "r", 1)
    assert _span(seat) == span
    seat.request.refresh_from_db()
    assert seat.request.text == text


# A letter as Unicode's text segmentation (UAX 29) has it: lengths in code points.
@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("👩🏽‍🔬 hours", 4),
        ("🇨🇭 law", 2),
        ("e\u0301tat", 2),
        ("नमस्ते", 1),
        ("1️⃣ first", 3),
        ("\u1100\u1161\u11a8 won", 3),
    ],
)
def test_a_step_by_letters_takes_a_whole_letter(
    desk: Desk, project: Project, annotator_a: Person, text: str, length: int
) -> None:
    page, seat = _open(desk, project, annotator_a, text)
    press(page, "ArrowRight", *["Alt+ArrowLeft"] * 12)
    mark(page, "r", 1)
    assert _span(seat) == (0, length)


def test_both_ends_move_by_letters(desk: Desk, project: Project, annotator_a: Person) -> None:
    page, seat = _open(desk, project, annotator_a, "the overbooking fee")
    press(page, "ArrowRight", "ArrowRight", *["Alt+Shift+ArrowRight"] * 4, *["Alt+ArrowLeft"] * 3)
    expect(page.locator("#selected")).to_have_text("“book”")
    press(page, "Alt+Shift+ArrowLeft", "Alt+ArrowRight")
    expect(page.locator("#selected")).to_have_text("“rbooki”")
    mark(page, "r", 1)
    assert _span(seat) == (7, 13)


def test_arrows_follow_the_eye_in_a_turn_from_right_to_left(
    desk: Desk, project: Project, annotator_a: Person
) -> None:
    # "What are the fees of parcels": five words, written from the right.
    page, seat = _open(desk, project, annotator_a, "ما هي رسوم الطرود 2024")
    press(page, "ArrowLeft", "ArrowLeft", "ArrowLeft", "Shift+ArrowLeft", "Alt+ArrowRight")
    mark(page, "r", 1)
    assert _span(seat) == (6, 16)


def test_words_without_blanks_between_them_are_found(
    desk: Desk, project: Project, annotator_a: Person
) -> None:
    page, seat = _open(desk, project, annotator_a, "小包の料金はいくらですか")  # 小包|の|料金|は|…
    press(page, "ArrowRight", "ArrowRight", "ArrowRight")
    mark(page, "r", 1)
    assert _span(seat) == (3, 5)


def test_a_selection_by_mouse_never_cuts_a_letter(
    desk: Desk, project: Project, annotator_a: Person
) -> None:
    page, seat = _open(desk, project, annotator_a, "cafe\u0301 👩🏽‍🔬 menu")
    page.evaluate(  # from between e and its accent to the middle of the emoji, in UTF-16 units
        """() => { const text = document.querySelector('[data-turn="0"]').firstChild;
        getSelection().setBaseAndExtent(text, 4, text, 9); }"""
    )
    page.click("[data-mark=referent]")
    expect(page.locator("#c1-name")).to_be_focused()
    assert _span(seat) == (3, 10)


def test_a_letter_that_turns_the_words_is_named_and_changes_no_offset(
    desk: Desk, project: Project, annotator_a: Person
) -> None:
    page, seat = _open(desk, project, annotator_a, "fees \u202e2024\u202c paid")
    named = page.locator("#work .turns")
    expect(named).to_have_count(2)
    expect(named.first).to_have_attribute("data-name", "U+202E")
    press(page, *["ArrowRight"] * 3)
    mark(page, "r", 1)
    start, end = _span(seat)
    assert seat.request.text[start:end] == "paid"
