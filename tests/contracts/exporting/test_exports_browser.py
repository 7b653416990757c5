"""The exports in real Chromium: downloads with the keyboard alone, at both widths, without a word
in the console.
"""

from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project
from tests.annotation.test_settings_browser import browser

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")


def faults(page: Page) -> list[str]:
    """What axe finds, and whether the page is wider than the screen."""
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run().then(r => r.violations.map(v => v.id + ': ' + v.help))")
    wide = page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    return [*found, *(["wider than the screen"] if wide else [])]


@pytest.mark.parametrize("width", [375, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_pages_are_sound_at_both_widths(
    width: int, scheme: str, worked: Project, owner: Person, annotator_a: Person,
    live_server: LiveServer,
) -> None:  # fmt: skip
    look = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    for person, address in ((owner, "exports/"), (annotator_a, "exports/mine/")):
        with browser(live_server, person, f"/p/study/{address}", bypass_csp=True, **look) as page:
            for summary in page.locator("summary").all():
                summary.press("Enter")
            assert faults(page) == []


def test_a_file_is_taken_out_with_the_keyboard_alone(
    worked: Project, owner: Person, live_server: LiveServer
) -> None:
    with browser(live_server, owner, "/p/study/exports/") as page:
        page.locator("#file-annotations summary").focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Space")  # with user names
        page.keyboard.press("Tab")
        with page.expect_download() as download:
            page.keyboard.press("Enter")
        found = download.value
        assert found.suggested_filename == "study-annotations.csv"
        text = Path(found.path()).read_text(encoding="utf-8")
        assert text.startswith("request,class,person,role") and "annotator-a" in text
