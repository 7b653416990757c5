"""Nothing that a person typed at the desk is lost: no network, lost answers, reloads, two tabs, a
lease that ran out.
"""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.models import Person, Project, Seat
from annotation.services import seats
from annotation.services.drafts import Sent
from annotation.services.projects import set_member
from contracts.models import Sheet
from contracts.services import sheets
from tests.contracts.conftest import marked, take
from tests.contracts.desk_browser import (
    Desk,
    address_of,
    mark,
    press,
    rows_of,
    saved,
    sheet_of,
    without_answer,
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
    opened = desk.tab(desk.sign_in(annotator_a), address_of(seat))
    opened.on("dialog", lambda dialog: dialog.accept())  # “Leave the page?”
    return opened


def _type(page: Page, text: str, row: int = 1, name: str = "name") -> None:
    page.locator(f"#what-c{row}").click()
    page.locator(f"#c{row}-{name}").fill(text)


def _name(seat: Seat) -> str:
    return str(rows_of(seat)[0]["value"]["name"])


def _kept(page: Page) -> int:
    """How many pages of work the tab keeps words of."""
    return int(
        page.evaluate("Object.keys(sessionStorage).filter((one) => one.startsWith('desk:')).length")
    )


def test_a_pause_saves_and_the_line_says_when_by_the_servers_clock(page: Page, seat: Seat) -> None:
    _type(page, "parcels")
    expect(page.locator("#save-state")).to_have_text("not saved yet")
    saved(page)
    assert _name(seat) == "parcels"
    assert seat.draft_saved_at is not None
    machine = f"{seat.draft_saved_at:%Y-%m-%dT%H:%M:%S}"
    assert machine in str(page.locator("#save-state time").get_attribute("datetime"))


def test_words_typed_without_a_network_arrive_when_it_is_back(page: Page, seat: Seat) -> None:
    page.context.set_offline(True)
    _type(page, "parcels")
    expect(page.locator("#save-state")).to_contain_text("the server cannot be reached")
    page.context.set_offline(False)
    saved(page)
    assert _name(seat) == "parcels"


def test_a_save_whose_answer_was_lost_is_sent_again_and_written_once(
    page: Page, seat: Seat
) -> None:
    without_answer(page, "**/value/")
    _type(page, "parcels")
    expect(page.locator("#save-state")).to_contain_text("the server cannot be reached")
    page.locator("#c1-name").press_sequentially(" and letters")  # typed on top of the lost answer
    saved(page)
    written = [draft["constraints"][0]["value"]["name"] for draft in _drafts(seat)]
    assert written[-2:] == ["parcels", "parcels and letters"]
    assert written.count("parcels") == 1
    assert not seat.revisions.filter(aside=True).exists()


def _drafts(seat: Seat) -> list[dict[str, list[dict[str, dict[str, str]]]]]:
    return list(seat.revisions.filter(version__gt=1, aside=False).values_list("draft", flat=True))


def test_acts_pressed_without_a_network_are_done_in_their_order(page: Page, seat: Seat) -> None:
    page.context.set_offline(True)
    press(page, "ArrowRight", "ArrowRight", "s", "Escape", "2", "1")
    expect(page.locator("#save-state")).to_contain_text("the server cannot be reached")
    page.context.set_offline(False)
    expect(page.locator("#materiality-c1")).to_contain_text("minor")
    found = [(row["kind"], row["materiality"]) for row in rows_of(seat)]
    assert found == [("referent", "minor"), ("time", "minor"), ("status", "critical")]


def test_what_was_not_saved_survives_a_reload_of_the_tab(page: Page, seat: Seat) -> None:
    page.route("**/value/", lambda route: route.abort())
    _type(page, "parcels")
    expect(page.locator("#save-state")).to_contain_text("the server cannot be reached")
    page.reload()
    expect(page.locator("#c1-name")).to_have_value("parcels")
    page.unroute("**/value/")
    saved(page)
    assert (_name(seat), _kept(page)) == ("parcels", 0)


def test_what_is_typed_right_before_leaving_is_saved(page: Page, seat: Seat) -> None:
    _type(page, "parcels")
    page.goto(page.url.replace(f"sheet/{seat.public_id}/", ""))
    page.goto(page.url + f"sheet/{seat.public_id}/")
    expect(page.locator("#summary-c1")).to_contain_text("parcels")
    assert _name(seat) == "parcels"


def test_what_a_tab_kept_never_overrides_a_newer_draft_silently(page: Page, seat: Seat) -> None:
    page.route("**/value/", lambda route: route.abort())
    _type(page, "older words")
    expect(page.locator("#save-state")).to_contain_text("the server cannot be reached")
    seat.refresh_from_db()
    sheets.change_constraint(
        seat=seat,
        key="c1",
        value={"name": "newer words"},
        admissible=[],
        sent=Sent(seat.draft_version),
    )
    page.unroute("**/value/")
    page.reload()
    box = page.locator("#conflict-box")
    expect(box).to_contain_text("older words")
    expect(box).to_contain_text("newer words")
    assert _name(seat) == "newer words"


def test_the_newest_draft_is_shown_wherever_it_is_opened(
    desk: Desk, page: Page, seat: Seat, annotator_a: Person
) -> None:
    _type(page, "parcels")
    saved(page)
    elsewhere = desk.tab(desk.sign_in(annotator_a), address_of(seat))
    expect(elsewhere.locator("#c1-name")).to_have_value("parcels")


def _two_versions(desk: Desk, page: Page, seat: Seat) -> Page:
    """This tab wrote “mine”, another “theirs” before it; the time of this one waits unsaved."""
    other = desk.tab(page.context, address_of(seat))
    _type(other, "theirs")
    saved(other)
    _type(page, "mine")
    box = page.locator("#conflict-box")
    expect(box).to_be_focused()
    expect(box).to_contain_text("theirs")
    expect(box).to_contain_text("mine")
    return page


def test_a_stale_tab_gets_both_versions_and_keeps_its_own_by_keyboard(
    desk: Desk, page: Page, seat: Seat
) -> None:
    _two_versions(desk, page, seat)
    press(page, "Tab", "Enter")
    expect(page.locator("#conflict-box")).to_have_count(0)
    expect(page.locator("#c1-name")).to_have_value("mine")
    assert _name(seat) == "mine"
    press(page, "Control+z")
    expect(page.locator("#c1-name")).to_have_value("theirs")


def test_a_stale_tab_takes_the_other_version_by_keyboard_and_keeps_what_else_was_typed(
    desk: Desk, page: Page, seat: Seat
) -> None:
    _two_versions(desk, page, seat)
    _type(page, "2020", row=2, name="end")
    expect(page.locator("#save-state")).to_contain_text("choose one of the two versions")
    page.locator("#conflict-box").focus()
    press(page, "Tab", "Tab", "Enter")
    expect(page.locator("#c1-name")).to_have_value("theirs")
    saved(page)
    rows = rows_of(seat)
    assert (rows[0]["value"]["name"], rows[1]["value"]["end"]) == ("theirs", "2020")


def test_words_of_a_row_that_is_gone_in_the_chosen_version_are_shown(
    desk: Desk, page: Page, seat: Seat
) -> None:
    other = desk.tab(page.context, address_of(seat))
    other.locator("#row-c2 [data-remove] button").click()
    expect(other.locator("#row-c2")).to_have_count(0)
    page.bring_to_front()
    _type(page, "mine")
    expect(page.locator("#conflict-box")).to_be_focused()
    _type(page, "2020", row=2, name="end")
    page.locator("#conflict-box").get_by_text("Go on with the other").press("Enter")
    expect(page.locator(".orphan")).to_contain_text("2020")


def test_no_key_is_a_shortcut_while_two_versions_wait(desk: Desk, page: Page, seat: Seat) -> None:
    _two_versions(desk, page, seat)
    press(page, *"rtu1l", "Delete")
    expect(page.locator("#conflict-box")).to_be_focused()
    assert len(rows_of(seat)) == 2


def test_a_late_save_after_sealing_in_another_tab_gets_a_calm_notice(
    page: Page, seat: Seat, annotator_a: Person
) -> None:
    seat.refresh_from_db()
    sheets.seal_sheet(actor=annotator_a, seat=seat)
    _type(page, "too late")
    expect(page.locator("#conflict-box")).to_contain_text("sealed or given up elsewhere")
    expect(page.locator("#conflict-box")).to_contain_text("too late")
    assert Sheet.objects.get().terms.constraints[0].value["name"] == "parcel"


def test_a_double_click_on_seal_gives_one_record_and_the_next_item(
    desk: Desk, project: Project, annotator_a: Person
) -> None:
    seat = marked(sheet_of(annotator_a, project, "parcel fees before 2021?", "more"), [PARCEL])
    page = desk.tab(desk.sign_in(annotator_a), address_of(seat))
    page.locator("[data-final]").dblclick()
    expect(page.locator("h1")).to_have_text("What does r2 ask?")
    assert Sheet.objects.count() == 1


def test_a_seal_whose_answer_was_lost_goes_on_to_the_next_item(
    desk: Desk, project: Project, annotator_a: Person
) -> None:
    seat = marked(sheet_of(annotator_a, project, "parcel fees before 2021?", "more"), [PARCEL])
    page = desk.tab(desk.sign_in(annotator_a), address_of(seat))
    without_answer(page, "**/seal/")
    press(page, "Control+Enter")
    expect(page.locator("h1")).to_have_text("What does r2 ask?")
    assert Sheet.objects.count() == 1


def test_what_cannot_be_saved_is_not_left_behind_by_later(page: Page, seat: Seat) -> None:
    page.evaluate("document.querySelector('[data-turn]').focus()")
    press(page, "ArrowRight", "ArrowRight")
    mark(page, "q", 3)
    page.locator("#c3-value").fill("12 e")
    expect(page.locator("#faults")).to_contain_text("write a number such as 4.1")
    press(page, "Escape", "l")
    expect(page.locator("#save-state")).to_have_text("not saved: mend this field first")
    seat.refresh_from_db()
    assert seat.state == "held"


def _run_out(seat: Seat) -> None:
    Seat.objects.update(leased_until=timezone.now() - timedelta(minutes=1))
    seats.return_expired(project=seat.project)


def test_a_seat_that_ran_out_is_taken_up_again_with_the_words(page: Page, seat: Seat) -> None:
    _run_out(seat)
    _type(page, "parcels")
    expect(page.locator("#save-state")).to_contain_text("it is yours again")
    assert (_name(seat), seat.state) == ("parcels", "held")


def test_words_for_a_seat_that_others_took_are_kept_and_the_page_says_so(
    page: Page, seat: Seat, annotator_b: Person, engineer: Person, owner: Person
) -> None:
    set_member(actor=owner, project=seat.project, person=engineer, roles=["annotator"])
    _run_out(seat)
    for person in (annotator_b, engineer):
        take(person, seat.project)
    _type(page, "parcels")
    notice = page.locator("#conflict [role=alert]")
    expect(notice).to_contain_text("What you typed is kept in your draft.")
    assert (_name(seat), seat.state) == ("parcels", "returned")


def test_whoever_logged_in_again_elsewhere_goes_on_saving(
    desk: Desk, page: Page, seat: Seat, annotator_a: Person
) -> None:
    page.context.clear_cookies()
    _type(page, "parcels")
    expect(page.locator("#save-state")).to_contain_text("you were logged out")
    desk.log_in(page.context, annotator_a)
    other = desk.tab(page.context, "/account/")  # sets the new token
    other.close()
    page.bring_to_front()
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    saved(page)
    assert _name(seat) == "parcels"


def test_logging_out_leaves_nothing_in_the_tab(page: Page, seat: Seat) -> None:
    page.route("**/value/", lambda route: route.abort())
    _type(page, "a secret")
    expect(page.locator("#save-state")).to_contain_text("the server cannot be reached")
    assert _kept(page) == 1
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url("**/log-in/")
    assert _kept(page) == 0


def test_another_account_in_the_same_tab_finds_nothing(
    desk: Desk, page: Page, seat: Seat, annotator_b: Person
) -> None:
    page.route("**/value/", lambda route: route.abort())
    _type(page, "a secret")
    expect(page.locator("#save-state")).to_contain_text("the server cannot be reached")
    page.context.clear_cookies()  # the session ended without logging out
    desk.log_in(page.context, annotator_b)
    page.goto(f"{desk.server.url}{address_of(take(annotator_b, seat.project))}")
    expect(page.locator("#c1-name")).to_have_count(0)
    assert _kept(page) == 0


def test_a_session_that_ended_loses_nothing_of_its_own_account(
    desk: Desk, page: Page, seat: Seat, annotator_a: Person
) -> None:
    page.route("**/value/", lambda route: route.abort())
    _type(page, "parcels")
    expect(page.locator("#save-state")).to_contain_text("the server cannot be reached")
    page.unroute("**/value/")
    page.context.clear_cookies()
    page.goto(f"{desk.server.url}/log-in/")
    desk.log_in(page.context, annotator_a)
    page.goto(f"{desk.server.url}{address_of(seat)}")
    saved(page)
    assert _name(seat) == "parcels"
