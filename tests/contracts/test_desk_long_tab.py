"""One tab for a long day: nothing of an item, and nothing of an act, stays behind in it."""

import pytest
from playwright.sync_api import expect

from annotation.models import Person, Project
from contracts.models import Sheet
from tests.bench.long_tab import begin, eyes, held, mark_and_seal
from tests.contracts.conftest import make_request
from tests.contracts.desk_browser import Desk, address_of, mark, press, sheet_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
EARLY, LATE = 4, 12
COUNTED = ("Nodes", "JSEventListeners", "Documents")
WORDS = "Harbor Rail revenue before 2021?"


def test_a_tab_holds_no_more_at_the_twelfth_item_than_at_the_fourth(
    desk: Desk, project: Project, annotator_a: Person
) -> None:
    for number in range(LATE + 1):
        make_request(project, f"r{number:02}", WORDS)
    page = desk.tab(desk.sign_in(annotator_a), "/p/study/desk/")
    looks, found = eyes(page), {}
    begin(page)
    for number in range(1, LATE + 1):
        mark_and_seal(page)
        if number in (EARLY, LATE):
            page.wait_for_load_state("networkidle")  # the suggestions are there too
            found[number] = held(looks)
    assert Sheet.objects.count() == LATE
    assert all(found[LATE][name] <= found[EARLY][name] for name in COUNTED), found


@pytest.mark.parametrize("counted", ["Nodes", "JSEventListeners"])
def test_marking_and_undoing_again_and_again_leaves_nothing_behind(
    desk: Desk, project: Project, annotator_a: Person, counted: str
) -> None:
    page = desk.tab(desk.sign_in(annotator_a), address_of(sheet_of(annotator_a, project, WORDS)))
    looks, found = eyes(page), []
    for _again in range(LATE):
        press(page, "ArrowRight")
        mark(page, "r", 1)
        press(page, "Escape", "Control+z")
        expect(page.locator("#row-c1")).to_have_count(0)
        found.append(held(looks)[counted])
    # The suggestions come when they come, so some of these looks see them twice.
    assert min(found[-EARLY:]) <= max(found[:EARLY]), found
