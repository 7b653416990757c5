"""The desk and the bench in real Chromium, with the keyboard alone."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, Route, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project, Seat
from contracts.models import Adjudication, Contract, Sheet
from contracts.services.bench import opening
from contracts.services.sheets import drafted
from tests.chromium import ARGUMENTS, path
from tests.conftest import PASSWORD
from tests.contracts.conftest import BEFORE, UNTIL, Sealer, make_request
from tests.contracts.desk_browser import NOTED

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(live_server: LiveServer, project: Project, annotator_a: Person) -> Iterator[Page]:
    """A logged-in browser on the desk; a message in its console fails the test."""
    make_request(project, "r1", "📦parcel fees before 2021?", (("user", "Hello there"),))
    with _browser(live_server, annotator_a, "/p/study/desk/") as (shown, troubles):
        yield shown
    assert [said for said in troubles if not any(noted in said for noted in NOTED)] == []


@contextmanager
def _browser(
    live_server: LiveServer, person: Person, address: str
) -> Iterator[tuple[Page, list[str]]]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path(), args=ARGUMENTS)
        shown = browser.new_page()
        troubles: list[str] = []
        shown.on("console", lambda message: troubles.append(message.text))
        shown.on("pageerror", lambda error: troubles.append(str(error)))
        shown.goto(f"{live_server.url}/log-in/?next={address}")
        shown.fill("input[name=username]", person.username)
        shown.fill("input[name=password]", PASSWORD)
        shown.keyboard.press("Enter")
        shown.wait_for_url(f"{live_server.url}{address}")
        yield shown, troubles
        browser.close()


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


def _slow(page: Page, address: str = "**/mark/") -> None:
    """What is sent there takes 300 ms more, as over a far network."""

    def late(route: Route) -> None:
        page.wait_for_timeout(300)
        route.continue_()

    page.route(address, late)


def test_letters_typed_while_a_mark_is_on_its_way_go_into_its_first_field(page: Page) -> None:
    _take(page)
    _slow(page)
    _press(page, "ArrowRight", "ArrowRight", *"rruxton workx", "Backspace", "s")
    expect(page.locator("#c1-name")).to_have_value("ruxton works")
    expect(page.locator("#c1-name")).to_be_focused()
    page.keyboard.type(" ltd")
    expect(page.locator("#save-state")).to_contain_text("saved ")
    expect(page.locator("#summary-c1")).to_contain_text("ruxton works ltd")
    assert [(c["kind"], c["materiality"]) for c in _draft()] == [("referent", "critical")]
    assert not drafted(Seat.objects.get()).ambiguity.unresolved


def test_letters_typed_ahead_choose_in_a_list_as_they_do_in_the_list_itself(page: Page) -> None:
    _take(page)
    _slow(page)
    _press(page, "ArrowRight", "ArrowRight", *"tunt")
    expect(page.locator("#c1-relation")).to_have_value("until")
    expect(page.locator("[data-dirty]")).to_have_count(0)
    assert _draft()[0]["value"]["relation"] == "until"


def test_a_mark_that_waits_behind_another_save_is_not_lost(page: Page) -> None:
    _take(page)
    _press(page, "ArrowRight", "ArrowRight", "r")
    expect(page.locator("#c1-name")).to_be_focused()
    _slow(page, "**/materiality/")
    _press(page, "Escape", "ArrowRight", *"1srux")
    expect(page.locator("#c2-value")).to_have_value("rux")
    expect(page.locator("[data-dirty]")).to_have_count(0)
    assert [(c["kind"], c["materiality"]) for c in _draft()] == [
        ("referent", "minor"),
        ("status", "critical"),
    ]


def test_keys_are_shortcuts_again_after_a_mark_that_was_refused(page: Page) -> None:
    _take(page)
    page.evaluate("desk.version = 7")
    _slow(page)
    _press(page, "ArrowRight", "ArrowRight", *"rabc")
    expect(page.locator("#save-state")).to_contain_text("not saved")
    _press(page, "?")
    expect(page.locator("#keys")).to_be_visible()


def test_a_refused_seal_opens_the_row_and_focuses_the_field(page: Page) -> None:
    _take(page)
    _press(page, "ArrowRight", "ArrowRight", "r")
    expect(page.locator("#c1-name")).to_be_focused()
    _press(page, "Escape", "ArrowRight", "t")
    expect(page.locator("#c2-relation")).to_be_focused()
    _press(page, "Escape", "Control+Enter")
    expect(page.locator("#c2-relation")).to_be_focused()  # the words do not say it
    expect(page.locator("#save-state")).to_have_text("not sealed")
    expect(page.get_by_text("missing; give it.").filter(visible=True)).to_have_text(
        ["Row 2, Relation: missing; give it."]
    )
    page.keyboard.type("on")
    _press(page, "Enter")
    expect(page.locator("#c2-start")).to_be_focused()
    page.keyboard.type("2021")
    _press(page, "Control+Enter")
    page.wait_for_url("**/desk/")


def test_shortcuts_work_from_a_box_to_tick(page: Page) -> None:
    _take(page)
    _press(page, "u", "Escape")
    page.locator("#id_unresolved").focus()
    _press(page, "u")
    expect(page.locator("#id_unresolved")).not_to_be_checked()
    page.locator("#id_unresolved").focus()
    _press(page, "ArrowRight", "ArrowRight", "r")
    expect(page.locator("#c1-name")).to_be_focused()


def test_readings_are_there_again_when_the_mark_is(page: Page) -> None:
    _take(page)
    _press(page, "u")
    page.keyboard.type("the fee")
    _press(page, "Escape", "u")
    expect(page.locator("#id_readings")).to_be_hidden()
    expect(page.locator("[data-dirty]")).to_have_count(0)
    page.reload()
    _press(page, "u")
    expect(page.locator("#id_readings")).to_have_value("the fee")


def test_after_remove_the_row_beside_it_has_the_focus(page: Page) -> None:
    _take(page)
    for number, key in enumerate("rs", start=1):
        _press(page, "ArrowRight", "ArrowRight", key)
        expect(page.locator(f"#row-c{number} form.value :focus")).to_have_count(1)
        _press(page, "Escape")
    page.locator("#row-c2 [data-remove] button").press("Enter")
    expect(page.locator("#row-c1 summary")).to_be_focused()
    page.locator("#row-c1 [data-remove] button").press("Enter")
    expect(page.locator("[data-turn='1']")).to_be_focused()


def test_sealing_twice_gives_one_sheet_and_one_message(page: Page) -> None:
    _take(page)
    _press(page, "ArrowRight", "ArrowRight", "r")
    expect(page.locator("#c1-name")).to_be_focused()
    _press(page, "Escape", "Control+Enter", "Control+Enter")
    page.wait_for_url("**/desk/")
    expect(page.get_by_text("Sealed r1")).to_have_count(1)
    assert Sheet.objects.count() == 1


def test_a_text_area_is_dragged_larger_without_a_word_in_the_console(page: Page) -> None:
    _take(page)
    _press(page, "u")
    box = page.locator("#id_readings").bounding_box()
    assert box is not None
    corner = (box["x"] + box["width"] - 4, box["y"] + box["height"] - 4)
    page.mouse.move(*corner)
    page.mouse.down()
    page.mouse.move(corner[0], corner[1] + 60)
    page.mouse.up()
    page.locator("#id_readings").press("Escape")
    _press(page, "ArrowRight", "ArrowRight", "r")
    expect(page.locator("#c1-name")).to_be_focused()


EXTRA = ("polarity", "excluding one-off items", {"mode": "exclude", "target": "one-off items"})


@pytest.fixture
def at_bench(
    live_server: LiveServer,
    seal: Sealer,
    annotator_a: Person,
    annotator_b: Person,
    adjudicator: Person,
    project: Project,
) -> Iterator[Page]:
    """The bench of two sheets: the time differs, and one reviewer alone has a polarity."""
    seal(annotator_a, [*BEFORE, EXTRA])
    seal(annotator_b, UNTIL)
    opened = opening.open_adjudication(actor=adjudicator, request=project.requests.get())
    address = f"/p/study/bench/{opened.pk}/"
    with _browser(live_server, adjudicator, address) as (shown, troubles):
        yield shown
    assert [said for said in troubles if not any(noted in said for noted in NOTED)] == []


def _without(page: Page) -> str:
    """The key of the reviewer who has no polarity."""
    return "b" if Adjudication.objects.get().sheet_a.constraints.count() == 3 else "a"


def test_the_bench_leads_to_what_is_undecided_and_then_approves(at_bench: Page) -> None:
    rows = at_bench.locator(".pair[data-item]")
    expect(rows.nth(0)).to_be_focused()
    _press(at_bench, "a")
    expect(rows.nth(1)).to_be_focused()
    _press(at_bench, "k", "Control+Enter")
    expect(rows.nth(1)).to_be_focused()
    expect(rows.nth(1).locator(".settled")).to_have_text("1 difference is undecided")
    _press(at_bench, _without(at_bench))
    expect(rows.nth(1).locator(".settled")).to_contain_text("no such constraint")
    expect(at_bench.locator("#undecided")).to_have_text("all differences are decided")
    _press(at_bench, "Control+Enter", "Control+Enter")
    at_bench.wait_for_url("**/p/study/bench/")
    expect(at_bench.get_by_text("The contract of r1 is approved.")).to_have_count(1)
    assert [c.kind for c in Contract.objects.get().terms.constraints] == ["referent", "time"]
