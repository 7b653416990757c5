"""A whole adjudication in real Chromium, with the keyboard alone."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from annotation.models import Person, Project
from contracts.models import Adjudication, Contract
from contracts.services import sheets
from contracts.services.bench import approving, deciding, returning, rows
from tests.contracts.conftest import BEFORE, UNTIL, Edits, Sealer
from tests.contracts.desk_browser import Desk, press

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EXTRA = ("polarity", "excluding one-off items", {"mode": "exclude", "target": "one-off items"})
ALIASES: Edits = [
    ("referent", "its parent", {"name": "Harbor Holdings", "aliases": ["HH"]}), UNTIL[1],
]  # fmt: skip


@pytest.fixture
def at_bench(
    desk: Desk, seal: Sealer, annotator_a: Person, annotator_b: Person, adjudicator: Person
) -> Page:
    """Three differences: aliases of the referent, the time, and a polarity that one alone has."""
    seal(annotator_a, [*BEFORE, EXTRA])
    seal(annotator_b, ALIASES)
    page = desk.tab(desk.sign_in(adjudicator), "/p/study/bench/")
    expect(page.locator("[autofocus]")).to_be_focused()
    press(page, "Enter")
    page.wait_for_url("**/p/study/bench/*/")
    return page


def test_a_whole_adjudication_by_keyboard(
    at_bench: Page, desk: Desk, annotator_a: Person, project: Project
) -> None:
    page = at_bench
    rows, said = page.locator(".pair[data-item]"), page.locator("#undecided")
    expect(rows.nth(0)).to_be_focused()
    press(page, "Shift+A")
    expect(said).to_have_text("all differences are decided")
    press(page, "z")  # one step
    expect(said).to_have_text("3 differences are undecided")
    expect(rows.nth(0)).to_be_focused()
    press(page, "m")
    expect(rows.nth(1)).to_be_focused()
    press(page, "g")  # for the merge just made
    expect(rows.nth(0).locator('[data-reason="g"]')).to_have_attribute("aria-pressed", "true")
    expect(rows.nth(1)).to_be_focused()
    press(page, "m")
    expect(rows.nth(1).locator(".settled")).to_contain_text("exclude each other")
    press(page, "a")
    expect(rows.nth(2)).to_be_focused()
    press(page, "r")
    expect(rows.nth(1).locator('[data-reason="r"]')).to_have_attribute("aria-pressed", "true")
    press(page, "n")
    expect(rows.nth(2).locator(".settled")).to_contain_text("no such constraint")
    press(page, "s", "i")
    page.keyboard.type("Only an example.")
    press(page, "Enter")
    _send_back(page, annotator_a)
    _seal_again(desk, annotator_a, project)
    page.reload()
    expect(said).to_have_text("1 difference is undecided")
    expect(rows.nth(1)).to_be_focused()
    press(page, "c")
    expect(said).to_have_text("all differences are decided")
    press(page, "Control+Enter")
    page.wait_for_url("**/p/study/bench/")
    expect(page.get_by_text("The contract of r1 is approved.")).to_have_count(1)
    referent, _time = Contract.objects.get().terms.constraints
    assert referent.value["aliases"] == ["HH"]
    decisions = Adjudication.objects.get().decisions
    assert set(decisions.values_list("reason", flat=True)) == {"gap", "reading", "slip"}
    assert decisions.get(reason="slip").note == "Only an example."


def test_a_note_written_while_the_server_is_slow_is_stored(at_bench: Page) -> None:
    page, held = at_bench, list[Route]()
    rows = page.locator(".pair[data-item]")
    press(page, "a")
    expect(rows.nth(1)).to_be_focused()
    page.route("**/reason/", lambda route: held.append(route))
    press(page, "s", "k", "i")
    page.keyboard.type("Only an example.")
    press(page, "Enter", "j", "i")
    page.keyboard.type("Not yet decid")
    _wait_for(page, held, 0)
    held[0].continue_()
    expect(rows.nth(0).locator('[data-reason="s"]')).to_have_attribute("aria-pressed", "true")
    expect(rows.nth(1).locator("input.note")).to_be_focused()
    page.keyboard.type("ed.")
    press(page, "Enter", "b")
    expect(page.locator("#undecided")).to_have_text("1 difference is undecided")
    notes = Adjudication.objects.get().decisions.values_list("note", flat=True)
    assert set(notes) == {"Only an example.", "Not yet decided."}


def test_keys_ahead_of_the_server_are_done_one_after_the_other(at_bench: Page) -> None:
    page, held = at_bench, list[Route]()
    page.route("**/decide/", lambda route: held.append(route))
    press(page, "a", "b", "n", "Control+Enter")
    for number in range(3):
        _wait_for(page, held, number)
        held[number].continue_()
    page.wait_for_url("**/p/study/bench/")
    takes = Adjudication.objects.get().decisions.order_by("decided_at").values_list("take")
    assert [take for (take,) in takes] == ["a", "b", "reject"]


def _wait_for(page: Page, held: list[Route], number: int) -> None:
    """Wait until the page has sent the call of this number."""
    for _tried in range(2_000):
        if len(held) > number:
            return
        page.wait_for_timeout(10)
    raise AssertionError(f"The page sent {len(held)} calls and no more.")


def _send_back(page: Page, annotator: Person) -> None:
    """The sheet of the person goes back: its place is found in the row of the polarity."""
    place = "a" if Adjudication.objects.get().sheet_a.annotator_id == annotator.pk else "b"
    press(page, "w")
    expect(page.locator("#back-a")).to_be_focused()
    press(page, "Space" if place == "a" else "ArrowDown", "Tab")
    page.keyboard.type("Look at the time again.")
    press(page, "Control+Enter")
    expect(page.locator("#waits")).to_contain_text(f"waiting for Reviewer {place.upper()}")


def _seal_again(desk: Desk, annotator: Person, project: Project) -> None:
    """Its reviewer is told, changes the time, and seals anew."""
    own = desk.tab(desk.sign_in(annotator), "/p/study/desk/")
    expect(own.get_by_text("Look at the time again.")).to_be_visible()
    own.get_by_role("button", name="Look at it again").press("Enter")
    own.wait_for_url("**/desk/sheet/*/")
    expect(own.get_by_text("Look at the time again.")).to_be_visible()
    seat = project.seats.get(holder=annotator)
    (time,) = (c for c in sheets.drafted(seat).constraints if c.kind == "time")
    own.locator(f"#row-{time.id} summary").press("Enter")
    own.locator(f"#{time.id}-relation").select_option("by")
    expect(own.locator("[data-dirty]")).to_have_count(0)
    press(own, "Control+Enter")
    own.wait_for_url("**/p/study/desk/")
    own.close()


def test_the_keys_of_the_bench_are_shown(at_bench: Page) -> None:
    press(at_bench, "?")
    expect(at_bench.locator("#keys")).to_contain_text("guideline gap, slip, reading, other")
    press(at_bench, "Escape", "l")
    at_bench.wait_for_url("**/p/study/bench/")
    expect(at_bench.get_by_role("button", name="Take over")).to_be_visible()


def test_the_pages_fit_and_axe_finds_nothing(
    at_bench: Page, desk: Desk, owner: Person, adjudicator: Person, annotator_a: Person
) -> None:
    opened = Adjudication.objects.get()
    item = rows.undecided(opened)[0].item
    deciding.decide(actor=adjudicator, adjudication=opened, item=item, take="merge", note="Both.")
    deciding.give_reason(actor=adjudicator, adjudication=opened, item=item, reason="gap")
    returning.send_back(actor=adjudicator, adjudication=opened, side="a", words="Look again.")
    there = f"/p/study/bench/{opened.pk}/"
    found = _looked(desk, adjudicator, "/p/study/bench/", there)
    found += _looked(desk, owner, "/p/study/bench/gaps/")
    returning.take_as_it_was(actor=adjudicator, adjudication=opened)
    deciding.take_all(actor=adjudicator, adjudication=opened, side="b")
    approving.approve(actor=adjudicator, adjudication=opened)
    seat = annotator_a.seats.get()
    own = f"/p/study/desk/settled/{seat.public_id}/"
    assert found + _looked(desk, annotator_a, "/p/study/desk/settled/", own) == []


def _looked(desk: Desk, person: Person, *addresses: str) -> list[tuple[str, str]]:
    """What is wider than the page, and what axe finds, at two widths in two themes."""
    found = []
    for width, scheme in ((1440, "light"), (375, "dark")):
        context = desk.sign_in(
            person, viewport={"width": width, "height": 900}, color_scheme=scheme
        )
        for address in addresses:
            page = desk.tab(context, address)
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append((address, f"wider than {width}"))
            found += [(address, fault["id"]) for fault in Axe().run(page).response["violations"]]
        context.close()
    return found


def test_letters_of_a_note_never_act_when_the_focus_is_lost(at_bench: Page) -> None:
    page = at_bench
    page.keyboard.press("a")
    expect(page.locator("#undecided")).to_have_text("2 differences are undecided")
    press(page, "k", "i")
    page.keyboard.type("On")
    page.evaluate("document.activeElement.blur()")  # as when what had the focus is replaced
    page.keyboard.type("ly an example.")
    press(page, "Enter")
    expect(page.locator(".pair[data-item]").nth(0)).to_be_focused()
    expect(page.locator(".pair[data-item] input.note").nth(0)).to_have_value("Only an example.")
