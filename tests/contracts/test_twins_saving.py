"""The draft of a twin saves itself in real Chromium: nothing typed is lost."""

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from annotation.models import Person, Project
from contracts.models import Contract, TwinDraft
from contracts.services.twins import drafting
from tests.contracts.desk_browser import Desk, press
from tests.contracts.twins_made import CORPUS, proposed, saved, take_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

STATE = "#save-state"


@pytest.fixture
def draft(project: Project, contract: Contract, engineer: Person) -> TwinDraft:
    take_in(project, "corpus", CORPUS)
    return drafting.begin(actor=engineer, contract=contract, constraint="c2", flip=None)


@pytest.fixture
def tab(desk: Desk, engineer: Person) -> BrowserContext:
    return desk.sign_in(engineer)


def shown(desk: Desk, tab: BrowserContext, draft: TwinDraft) -> Page:
    return desk.tab(tab, f"/p/study/twins/drafts/{draft.public_id}/")


def saved_answers(draft: TwinDraft) -> list[str]:
    draft.refresh_from_db()
    found: list[str] = draft.answers
    return found


def test_whoever_was_logged_out_keeps_their_words_and_goes_on_after_logging_in(
    draft: TwinDraft, desk: Desk, tab: BrowserContext, engineer: Person
) -> None:
    page = shown(desk, tab, draft)
    tab.clear_cookies(name="sessionid")
    page.locator("#id_answers").fill("EUR 7")
    expect(page.locator(STATE)).to_contain_text("you were logged out")
    expect(page.locator("#beside")).to_contain_text("Contract, from the base to the twin")
    expect(page.locator("#id_answers")).to_have_value("EUR 7")
    desk.log_in(tab, engineer)
    expect(page.locator(STATE)).to_contain_text("saved at")
    assert saved_answers(draft) == ["EUR 7"]


def test_a_search_by_whoever_was_logged_out_shows_no_log_in_page(
    draft: TwinDraft, desk: Desk, tab: BrowserContext
) -> None:
    page = shown(desk, tab, draft)
    tab.clear_cookies(name="sessionid")
    page.locator("#find").fill("Accounts")
    expect(page.locator(STATE)).to_contain_text("you were logged out")
    expect(page.locator("#found")).to_be_empty()


def test_what_was_never_saved_comes_back_with_the_page(
    draft: TwinDraft, desk: Desk, tab: BrowserContext
) -> None:
    page = shown(desk, tab, draft)
    tab.route("**/save/", lambda route: route.abort("connectionreset"))
    page.locator("#id_answers").fill("EUR 8")
    expect(page.locator(STATE)).to_contain_text("not saved")
    page.once("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(page.locator("#id_answers")).to_have_value("EUR 8")
    tab.unroute("**/save/")
    expect(page.locator(STATE)).to_contain_text("saved at")
    assert saved_answers(draft) == ["EUR 8"]


def test_words_typed_just_before_leaving_are_saved(
    draft: TwinDraft, desk: Desk, tab: BrowserContext
) -> None:
    page = shown(desk, tab, draft)
    page.locator("#id_answers").fill("EUR 9")
    page.goto(f"{desk.server.url}/p/study/twins/")
    page.goto(f"{desk.server.url}/p/study/twins/drafts/{draft.public_id}/")
    expect(page.locator("#id_answers")).to_have_value("EUR 9")


def test_a_save_while_a_button_has_the_focus_does_not_do_what_the_button_does(
    draft: TwinDraft, desk: Desk, tab: BrowserContext
) -> None:
    page = shown(desk, tab, draft)
    page.locator("#id_answers").fill("EUR 10")
    page.get_by_role("button", name="Delete the draft").focus()
    expect(page.locator(STATE)).to_contain_text("saved at")
    with page.expect_response(lambda answer: answer.request.method == "POST") as sent:
        page.locator("#draft").dispatch_event("change")
    assert sent.value.url.endswith("/save/")
    assert saved_answers(draft) == ["EUR 10"] and draft.deleted_at is None


def test_to_propose_while_a_save_is_under_way_waits_for_it(
    draft: TwinDraft, desk: Desk, tab: BrowserContext
) -> None:
    saved(draft, texts=(*draft.texts[:-1], "And its parent since 2021, excluding one-off items?"))
    page = shown(desk, tab, draft)
    held: list[Route] = []
    page.route("**/save/", lambda route: held.append(route), times=1)
    with page.expect_request("**/save/"):
        page.locator("#id_answers").fill("EUR 11")
    page.keyboard.type(" billion")
    press(page, "Control+Enter")
    assert page.url.endswith(f"{draft.public_id}/")  # it has not been sent yet
    held[0].continue_()
    expect(page.get_by_text("It cannot be proposed yet")).to_be_visible()
    assert saved_answers(draft) == ["EUR 11 billion"]
    page.locator("#id_answers").fill("EUR 12")  # the page that came is no stale one
    expect(page.locator(STATE)).to_contain_text("saved at")
    expect(page.locator("#conflict")).to_be_empty()


def test_a_draft_that_was_proposed_in_another_tab_says_so_and_keeps_the_words(
    project: Project, contract: Contract, engineer: Person, desk: Desk, tab: BrowserContext
) -> None:
    take_in(project, "corpus", CORPUS)
    draft = drafting.take_back(actor=engineer, draft=proposed(contract, engineer))
    page = shown(desk, tab, draft)
    drafting.propose_for_approval(actor=engineer, draft=draft)
    page.locator("#id_answers").fill("EUR 13")
    expect(page.locator("#conflict")).to_contain_text("not open any more")
    expect(page.locator("#conflict button")).to_have_count(0)
    expect(page.locator("#id_answers")).to_have_value("EUR 13")


def test_a_reason_stays_when_its_fault_goes_for_a_while(
    draft: TwinDraft, desk: Desk, tab: BrowserContext
) -> None:
    saved(draft, evidence=(("d17",),), answers=())
    page = shown(desk, tab, draft)
    reason = page.locator("#reason-answers_missing")
    held: list[Route] = []
    page.route("**/save/", lambda route: held.append(route), times=1)
    with page.expect_request("**/save/"):
        page.locator("#id_answers").fill("EUR 14")
    reason.fill("Nobody knows.")
    held[0].continue_()
    expect(reason).to_have_count(0)
    page.locator("#id_answers").fill("")
    expect(reason).to_have_value("Nobody knows.")


def test_a_found_document_is_taken_out_again_by_undo(
    draft: TwinDraft, desk: Desk, tab: BrowserContext
) -> None:
    page = shown(desk, tab, draft)
    press(page, "Escape", "/")
    page.keyboard.type("from 2022")
    page.locator('[data-add="d18"]').press("Enter")
    expect(page.locator("#id_evidence")).to_have_value("d18")
    press(page, "Control+z")
    expect(page.locator("#id_evidence")).to_have_value("")
