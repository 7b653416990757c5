"""The page on which a person is erased, in real Chromium: at both widths, light and dark."""

from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project
from tests.conftest import PASSWORD
from tests.logged_in import browser

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")


@pytest.fixture
def root(db: None) -> Person:
    return Person.objects.create_superuser("root", password=PASSWORD)


def test_a_superuser_erases_with_the_keyboard_alone(
    live_server: LiveServer, project: Project, root: Person
) -> None:
    with browser(live_server, root, "/erase/") as page:
        page.get_by_label("Username").fill("annotator-a")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Erase annotator-a")).to_be_visible()
        page.get_by_label("Type the username to confirm").fill("annotator-b")
        page.keyboard.press("Enter")
        expect(page.get_by_text("nothing was erased")).to_be_visible()
        page.get_by_label("Type the username to confirm").fill("annotator-a")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Erased. The account stands as erased-")).to_be_visible()
    assert not Person.objects.filter(username="annotator-a").exists()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 375])
def test_the_page_has_no_fault_that_axe_finds_and_never_scrolls_sideways(
    live_server: LiveServer, project: Project, root: Person, width: int, scheme: str
) -> None:
    more = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    found = {}
    with browser(live_server, root, "/erase/", bypass_csp=True, **more) as page:
        for place in ("", "?person=annotator-a", "?person=owner", "?person=nobody"):
            page.goto(f"{live_server.url}/erase/{place}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, place
            page.add_script_tag(path=AXE)
            result = page.evaluate("axe.run()")
            found[place] = [violation["id"] for violation in result["violations"]]
    assert found == {place: [] for place in found}


def test_everybody_elses_own_page_has_no_fault_that_axe_finds(
    live_server: LiveServer, project: Project, annotator_a: Person
) -> None:
    with browser(live_server, annotator_a, "/erase/", bypass_csp=True) as page:
        page.add_script_tag(path=AXE)
        assert page.evaluate("axe.run()")["violations"] == []
