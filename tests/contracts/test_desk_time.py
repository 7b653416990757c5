"""Time at the desk is counted without idle time."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project, Seat
from tests.contracts.desk_browser import address_of, desk_at, sheet_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(live_server: LiveServer, project: Project, annotator_a: Person) -> Iterator[Page]:
    """A sheet under a clock that only the test moves."""
    with desk_at(live_server) as desk:
        context = desk.sign_in(annotator_a)
        context.clock.install()
        yield desk.tab(context, address_of(sheet_of(annotator_a, project)))


def _wait(page: Page, seconds: int) -> None:
    page.clock.fast_forward(seconds * 1000)


def _counted(page: Page) -> int:
    return int(page.evaluate("desk.takeActive()"))


def test_time_without_a_sign_of_somebody_stops_after_a_minute(page: Page) -> None:
    _counted(page)
    page.keyboard.press("ArrowRight")
    _wait(page, 600)
    assert _counted(page) == 60


def test_time_between_two_signs_within_a_minute_counts_whole(page: Page) -> None:
    page.keyboard.press("ArrowRight")
    _counted(page)
    for _again in range(5):
        _wait(page, 40)
        page.keyboard.press("ArrowRight")
    assert _counted(page) == 200


def test_selecting_and_scrolling_are_signs(page: Page) -> None:
    page.keyboard.press("ArrowRight")
    _counted(page)
    _wait(page, 50)
    page.evaluate("getSelection().selectAllChildren(document.getElementById('turn-0'))")
    page.wait_for_function("document.getElementById('selected').textContent.includes('2021')")
    _wait(page, 50)
    page.evaluate("document.dispatchEvent(new Event('scroll'))")
    _wait(page, 50)
    assert _counted(page) == 150


def test_time_while_the_page_cannot_be_seen_does_not_count(page: Page) -> None:
    page.keyboard.press("ArrowRight")
    _counted(page)
    _wait(page, 10)
    _see(page, "hidden")
    _wait(page, 30)
    _see(page, "visible")
    _wait(page, 5)
    # Ten seconds went to the server when the page was hidden.
    assert _counted(page) == 5


def _see(page: Page, how: str) -> None:
    page.evaluate(
        """(how) => { Object.defineProperty(document, "visibilityState",
          { configurable: true, get: () => how });
        document.dispatchEvent(new Event("visibilitychange")); }""",
        how,
    )


def test_what_was_counted_goes_with_the_next_save(page: Page) -> None:
    page.keyboard.press("ArrowRight")
    _counted(page)
    _wait(page, 30)
    with page.expect_request("**/ambiguity/") as sent:
        page.keyboard.press("u")
    assert 'name="active"' in str(sent.value.post_data) or "active=30" in str(sent.value.post_data)
    expect(page.locator("#save-state time")).to_be_visible()
    # The server counts no more than passed by its own clock since the seat was taken.
    assert Seat.objects.get().active_seconds < 30


def test_what_was_counted_goes_to_the_server_on_leaving(page: Page) -> None:
    page.keyboard.press("ArrowRight")
    _counted(page)
    _wait(page, 12)
    with page.expect_request("**/active/") as sent:
        _see(page, "hidden")
    assert "active=12" in str(sent.value.post_data)
