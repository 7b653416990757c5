"""Judging constraints in real Chromium: ten by ten keys, at both widths, with nothing for axe."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project
from evaluation.models import Judgement, Run, StageResult
from evaluation.runs.tasks import conclude_run
from tests.contracts.desk_browser import LOOKS, Desk, desk_at
from tests.evaluation.judging import draw, with_filters
from tests.evaluation.runs import fixtures
from tests.evaluation.views.worlds import KEPT, LOSSY, run_with

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

study = fixtures.study
PAGE = "/p/study/judgements/next/"
WORDS_SENT = "**/judgements/*/"
LONG_DEAF = """
const soon = window.setTimeout;
window.setTimeout = (act, ms, ...more) => soon(act, ms === 350 ? 600000 : ms, ...more);
"""


@pytest.fixture
def desk(live_server: LiveServer) -> Iterator[Desk]:
    with desk_at(live_server) as made:
        yield made


@pytest.fixture
def run(study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch) -> Run:
    """20 items wait; messages to workers go nowhere."""
    monkeypatch.setattr(conclude_run, "delay", lambda run_id: None)
    made = run_with(engineer, study, {"kept": KEPT, "lossy": LOSSY}, judging="human_for_all")
    draw(made)
    with_filters(made)
    return made


def hears(page: Page) -> str:
    """Wait until the page hears keys, and return the address that the next word goes to."""
    form = page.locator("form[data-judge][data-hears]").first
    expect(form).to_be_attached()
    return form.get_attribute("action") or ""


def test_ten_items_are_judged_with_ten_keys(run: Run, adjudicator: Person, desk: Desk) -> None:
    page = desk.tab(desk.sign_in(adjudicator), PAGE)
    asked = []
    for key in "1234123412":
        asked.append(hears(page))
        page.keyboard.press(key)
        expect(page.locator(f"form[action='{asked[-1]}']")).to_have_count(0)
    said = Judgement.objects.by_people().order_by("pk").values_list("judgement", flat=True)
    words = ["stated", "filtered", "altered", "dropped"]
    assert list(said) == [words[int(key) - 1] for key in "1234123412"]
    assert len(set(asked)) == 10
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.get_by_role("status")).to_contain_text("is filtered.")
    assert page.url.endswith(PAGE)


def test_one_key_takes_the_last_of_ten_words_back_and_another_word_is_given(
    run: Run, adjudicator: Person, desk: Desk
) -> None:
    page = desk.tab(desk.sign_in(adjudicator), PAGE)
    asked = []
    for key in "1234123412":
        asked.append(hears(page))
        page.keyboard.press(key)
        expect(page.locator(f"form[action='{asked[-1]}']")).to_have_count(0)
    hears(page)
    page.keyboard.press("z")
    expect(page.locator(f"form[action='{asked[-1]}']")).to_be_attached()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.get_by_role("status")).to_contain_text("Taken back")
    expect(page.locator(".choices .chosen")).to_contain_text("filtered")
    assert hears(page) == asked[-1]
    page.keyboard.press("4")
    expect(page.locator(f"form[action='{asked[-1]}']")).to_have_count(0)
    said = Judgement.objects.by_people().order_by("pk").values_list("judgement", flat=True)
    words = ["stated", "filtered", "altered", "dropped"]
    assert list(said) == [words[int(key) - 1] for key in "1234123414"]


def test_a_double_press_of_undo_takes_one_word_back(
    run: Run, adjudicator: Person, desk: Desk
) -> None:
    context = desk.sign_in(adjudicator)
    context.add_init_script(LONG_DEAF)
    page = desk.tab(context, PAGE)
    for _time in range(2):
        first = hears(page)
        page.keyboard.press("1")
        expect(page.locator(f"form[action='{first}']")).to_have_count(0)
        page.reload()
    hears(page)
    page.keyboard.press("z")
    expect(page.locator(f"form[action='{first}']")).to_be_attached()
    page.keyboard.press("z")
    page.reload()
    assert hears(page) == first
    assert Judgement.objects.by_people().count() == 1


def test_without_script_the_last_word_is_taken_back_with_a_button(
    run: Run, adjudicator: Person, desk: Desk
) -> None:
    page = desk.tab(desk.sign_in(adjudicator, java_script_enabled=False), PAGE)
    first = page.locator("form[data-judge]").first.get_attribute("action") or ""
    page.get_by_role("button", name="altered").click()
    page.get_by_role("button", name="Take back my last word").click()
    expect(page.locator(f"form[action='{first}']")).to_be_attached()
    expect(page.locator(".choices .chosen")).to_contain_text("altered")
    assert not Judgement.objects.by_people().exists()


def test_a_double_press_judges_one_item(run: Run, adjudicator: Person, desk: Desk) -> None:
    """The time in which a new item hears nothing is made so long that it does not end here."""
    context = desk.sign_in(adjudicator)
    context.add_init_script(LONG_DEAF)
    page = desk.tab(context, PAGE)
    first = hears(page)
    page.keyboard.press("1")
    expect(page.locator(f"form[action='{first}']")).to_have_count(0)
    page.keyboard.press("1")
    page.get_by_role("button", name="dropped").click()
    expect(page.locator("form[data-judge][data-hears]")).to_have_count(0)
    page.reload()
    hears(page)
    assert Judgement.objects.by_people().count() == 1


def test_a_note_goes_with_the_word_and_keys_are_letters_in_it(
    run: Run, adjudicator: Person, desk: Desk
) -> None:
    page = desk.tab(desk.sign_in(adjudicator), PAGE)
    first = hears(page)
    page.keyboard.press("n")
    expect(page.get_by_label("Note")).to_be_focused()
    page.keyboard.type("1s? other year")
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    expect(page.locator(f"form[action='{first}']")).to_have_count(0)
    assert [(j.judgement, j.why) for j in Judgement.objects.by_people()] == [
        ("altered", "1s? other year")
    ]
    expect(page.get_by_label("Note")).to_have_value("")


def test_later_and_help_have_keys_too(run: Run, adjudicator: Person, desk: Desk) -> None:
    page = desk.tab(desk.sign_in(adjudicator), PAGE)
    first = hears(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("s")
    expect(page.locator(f"form[action='{first}']")).to_have_count(0)
    expect(page.get_by_role("status")).to_contain_text("Put off")
    assert not Judgement.objects.by_people().exists()


def test_without_script_a_press_leads_to_the_next(
    run: Run, adjudicator: Person, desk: Desk
) -> None:
    page = desk.tab(desk.sign_in(adjudicator, java_script_enabled=False), PAGE)
    first = page.locator("form[data-judge]").first.get_attribute("action") or ""
    page.get_by_role("button", name="stated").click()
    expect(page.locator(f"form[action='{first}']")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_contain_text("still there?")
    assert Judgement.objects.by_people().get().judgement == "stated"


def held_back(context: BrowserContext) -> list[Route]:
    """What is sent is held from the first page on: a route that is laid later may come too late."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            held.append(route)
        else:
            route.continue_()

    context.route(WORDS_SENT, hold)
    return held


def next_of(held: list[Route], page: Page) -> Route:
    for _tenth in range(200):
        if held:
            break
        page.wait_for_timeout(100)
    return held.pop()


def test_what_could_not_be_sent_is_said(run: Run, adjudicator: Person, desk: Desk) -> None:
    context = desk.sign_in(adjudicator)
    held = held_back(context)
    page = desk.tab(context, PAGE)
    first = hears(page)
    page.keyboard.press("1")
    next_of(held, page).abort("internetdisconnected")
    expect(page.get_by_role("status")).to_contain_text("Not kept")
    page.keyboard.press("1")
    next_of(held, page).continue_()
    expect(page.locator(f"form[action='{first}']")).to_have_count(0)


def test_who_was_logged_out_loses_no_note_and_goes_on_after_logging_in(
    run: Run, adjudicator: Person, desk: Desk
) -> None:
    context = desk.sign_in(adjudicator)
    page = desk.tab(context, PAGE)
    first = hears(page)
    page.get_by_label("Note").fill("not that year")
    context.clear_cookies(name="sessionid")
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    expect(page.get_by_role("status")).to_contain_text("you were logged out")
    expect(page.get_by_label("Password")).to_have_count(0)
    expect(page.get_by_label("Note")).to_have_value("not that year")
    desk.log_in(context, adjudicator)
    desk.tab(context, "/p/study/judgements/next/").close()  # with a new token
    assert hears(page) == first
    page.keyboard.press("3")
    expect(page.locator(f"form[action='{first}']")).to_have_count(0)
    assert Judgement.objects.by_people().get().why == "not that year"


def test_a_slow_server_and_one_that_fails_are_told_apart(
    run: Run, adjudicator: Person, desk: Desk
) -> None:
    context = desk.sign_in(adjudicator)
    held = held_back(context)
    page = desk.tab(context, PAGE)
    hears(page)
    page.keyboard.press("1")
    expect(page.get_by_role("status")).to_contain_text("On its way")
    next_of(held, page).fulfill(status=500, body="")
    expect(page.get_by_role("status")).to_contain_text("the server answered with an error")
    desk.troubles[:] = [one for one in desk.troubles if "Status Error Code 500" not in one]
    assert not Judgement.objects.by_people().exists()


# Where the rewrite's first line ends, where the four words begin, and how high the window is.
READ_BEFORE = """() => {
    const first = document.createRange();
    first.selectNodeContents(document.querySelector('.decide > .card .words'));
    const bar = document.querySelector('.choices').getBoundingClientRect();
    return [first.getClientRects()[0].bottom, bar.top, innerHeight];
}"""
LONG_CONVERSATION = """(turns) => {
    const now = document.querySelector('.compared .turn.now, .compared .turn');
    for (let turn = 0; turn < turns; turn++) now.before(now.cloneNode(true));
}"""


@pytest.mark.parametrize("height", [667, 740])
def test_on_a_phone_the_rewrite_is_read_before_the_four_words(
    height: int, run: Run, adjudicator: Person, desk: Desk
) -> None:
    size = {"width": 375, "height": height}
    page = desk.tab(desk.sign_in(adjudicator, viewport=size), PAGE)
    line, bar, window = page.evaluate(READ_BEFORE)
    assert line <= bar and line <= window
    for word in ("stated", "filtered", "altered", "dropped"):
        expect(page.get_by_role("button", name=word)).to_be_in_viewport(ratio=1)
    first = hears(page)
    page.keyboard.press("s")
    expect(page.locator(f"form[action='{first}']")).to_have_count(0)
    line, bar, window = page.evaluate(READ_BEFORE)
    assert line <= bar and line <= window


def test_below_a_long_conversation_the_four_words_wait_for_the_rewrite(
    run: Run, adjudicator: Person, desk: Desk
) -> None:
    size = {"width": 375, "height": 667}
    page = desk.tab(desk.sign_in(adjudicator, viewport=size), PAGE)
    for turns in (2, 3, 4, 12):
        page.evaluate(LONG_CONVERSATION, turns)
        line, bar, _window = page.evaluate(READ_BEFORE)
        assert line <= bar
    page.locator(".decide > .card").scroll_into_view_if_needed()
    line, bar, _window = page.evaluate(READ_BEFORE)
    assert line <= bar
    expect(page.get_by_role("button", name="stated")).to_be_in_viewport(ratio=1)


def test_the_key_for_filtered_says_why_it_does_nothing(
    run: Run, adjudicator: Person, desk: Desk
) -> None:
    for row in StageResult.objects.filter(stage="rewrite"):
        row.content = {**row.content, "filters": {}}
        row.save(update_fields=["content"])
    page = desk.tab(desk.sign_in(adjudicator), PAGE)
    there = hears(page)
    expect(page.get_by_role("button", name="filtered")).to_be_disabled()
    page.keyboard.press("2")
    expect(page.get_by_role("status")).to_contain_text("the rewrite has no filter")
    assert hears(page) == there and not Judgement.objects.by_people().exists()
    assert Axe().run(page).response["violations"] == []


def test_the_pages_fit_and_axe_finds_nothing(run: Run, adjudicator: Person, desk: Desk) -> None:
    found = []
    for width, scheme in LOOKS:
        size = {"width": width, "height": 900}
        context = desk.sign_in(adjudicator, viewport=size, color_scheme=scheme)
        if not Judgement.objects.by_people().exists():  # the item that came back is looked at
            page = desk.tab(context, PAGE)
            first = hears(page)
            page.keyboard.press("3")
            expect(page.locator(f"form[action='{first}']")).to_have_count(0)
            hears(page)
            page.keyboard.press("z")
            expect(page.locator(".choices .chosen")).to_be_visible()
        for address in (PAGE, "/p/study/judgements/"):
            page = desk.tab(context, address)
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append((address, f"wider than {width}"))
            if address == PAGE:
                page.keyboard.press("?")
            found += [(address, fault["id"]) for fault in Axe().run(page).response["violations"]]
            page.keyboard.press("Escape")
            found += [(address, fault["id"]) for fault in Axe().run(page).response["violations"]]
        context.close()
    assert found == []
