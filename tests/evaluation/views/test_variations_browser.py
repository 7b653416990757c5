"""Reviewing variations in real Chromium: two keys each, at both widths, with nothing for axe."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project
from evaluation.models import VariationReview, VariationSet
from evaluation.services.variation_reviews import review
from tests.contracts.desk_browser import LOOKS, Desk, desk_at
from tests.evaluation.runs import fixtures
from tests.evaluation.varied import made, makers

__all__ = ["makers"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("makers"),
]

study = fixtures.study
REVIEW, LIST = "/p/study/suites/variations/review/", "/p/study/suites/variations/"
SET, NEW = f"{LIST}sets/1/", f"{LIST}new/"
LONG_DEAF = """
const soon = window.setTimeout;
window.setTimeout = (act, ms, ...more) => soon(act, ms === 350 ? 600000 : ms, ...more);
"""


@pytest.fixture
def desk(live_server: LiveServer) -> Iterator[Desk]:
    with desk_at(live_server) as started:
        yield started


@pytest.fixture
def set_(study: Project, engineer: Person) -> VariationSet:
    return made(engineer, study, {"loud": 2, "picky": 1})


def hears(page: Page) -> str:
    """Wait until the page hears keys, and return the address that the next answers go to."""
    form = page.locator("form[data-review][data-hears]")
    expect(form).to_be_attached()
    return form.get_attribute("action") or ""


def answered(page: Page, keys: str) -> str:
    there = hears(page)
    for key in keys:
        page.keyboard.press(key)
    expect(page.locator(f"form[data-review][action='{there}']")).to_have_count(0)
    return there


def said() -> list[tuple[bool, bool]]:
    rows = VariationReview.objects.order_by("pk")
    return list(rows.values_list("meaning_kept", "category_right"))


def test_two_keys_review_one_and_one_takes_it_back(
    study: Project, engineer: Person, adjudicator: Person, desk: Desk
) -> None:
    made(engineer, study)
    page = desk.tab(desk.sign_in(adjudicator), REVIEW)
    answered(page, "yy")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    second = answered(page, "yn")
    expect(page.get_by_role("status")).to_contain_text("category wrong")
    assert said() == [(True, True), (True, False)]
    hears(page)
    page.keyboard.press("z")
    expect(page.locator(f"form[data-review][action='{second}']")).to_be_attached()
    expect(page.get_by_role("status")).to_contain_text("Taken back")
    answered(page, "ny")
    answered(page, "yy")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Nothing waits")
    assert said() == [(True, True), (False, True), (True, True)]
    assert page.url.endswith(REVIEW)


def test_a_first_answer_can_be_taken_away_and_a_note_holds_letters(
    set_: VariationSet, adjudicator: Person, desk: Desk
) -> None:
    page = desk.tab(desk.sign_in(adjudicator), REVIEW)
    there = hears(page)
    page.keyboard.press("n")
    expect(page.locator(".question.open legend")).to_contain_text("category")
    page.keyboard.press("Backspace")
    expect(page.locator(".question.open legend")).to_contain_text("meaning")
    page.keyboard.press("c")
    page.keyboard.type("yn? another year")
    page.keyboard.press("Escape")
    page.keyboard.press("y")
    page.keyboard.press("y")
    expect(page.locator(f"form[data-review][action='{there}']")).to_have_count(0)
    assert VariationReview.objects.get().note == "yn? another year" and said() == [(True, True)]


def test_keys_that_come_too_soon_answer_nothing(
    set_: VariationSet, adjudicator: Person, desk: Desk
) -> None:
    context = desk.sign_in(adjudicator)
    context.add_init_script(LONG_DEAF)
    page = desk.tab(context, REVIEW)
    answered(page, "yy")
    for key in "nn":
        page.keyboard.press(key)
    page.get_by_role("button", name="Keep and go on").click()
    expect(page.locator("form[data-review] :checked")).to_have_count(0)
    page.reload()
    hears(page)
    assert said() == [(True, True)]


def test_without_script_buttons_do_the_same(
    set_: VariationSet, adjudicator: Person, desk: Desk
) -> None:
    page = desk.tab(desk.sign_in(adjudicator, java_script_enabled=False), REVIEW)
    page.get_by_role("group", name="Is the meaning kept?").get_by_label("yes").check()
    page.get_by_role("group", name="Is the category right?").get_by_label("no").check()
    page.get_by_role("button", name="Keep and go on").click()
    page.get_by_role("button", name="Take back my last review").click()
    expect(page.get_by_text("it counts nowhere").first).to_be_visible()
    assert not VariationReview.objects.exists()


def test_the_form_says_at_once_how_many_there_will_be(
    set_: VariationSet, engineer: Person, desk: Desk
) -> None:
    page = desk.tab(desk.sign_in(engineer), NEW)
    expect(page.locator("#counts")).to_contain_text("1 of 3")
    page.get_by_label("Requests that are varied, in %").fill("100")
    page.get_by_label("loud").fill("5")
    expect(page.locator("#counts")).to_contain_text("Varied: 3 of 3 requests.")


def test_the_pages_fit_and_axe_finds_nothing(
    set_: VariationSet, engineer: Person, owner: Person, adjudicator: Person, desk: Desk
) -> None:
    for item in set_.items.filter(sampled=True):
        review(actor=adjudicator, item=item, meaning_kept=True, category_right=True)
        review(actor=owner, item=item, meaning_kept=True, category_right=False)
    pages = ("/p/study/suites/", LIST, NEW, SET, f"{SET}?show=failed")
    assert desk.faults(engineer, *pages, opened=True) == []


def test_the_page_of_reviews_fits_and_axe_finds_nothing(
    set_: VariationSet, adjudicator: Person, desk: Desk
) -> None:
    found = []
    for width, scheme in LOOKS:
        size = {"width": width, "height": 900}
        page = desk.tab(desk.sign_in(adjudicator, viewport=size, color_scheme=scheme), REVIEW)
        hears(page)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"wider than {width}")
        found += [fault["id"] for fault in Axe().run(page).response["violations"]]
        page.keyboard.press("?")
        found += [fault["id"] for fault in Axe().run(page).response["violations"]]
        page.context.close()
    assert found == []
