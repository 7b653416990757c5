"""An import in real Chromium: a file in other words is mapped with the keyboard and comes in."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project, Request
from tests.chromium import ARGUMENTS, path
from tests.conftest import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FILE = "编号,类别,问题\nr1,fact,利润是多少？\nr2,fact,“=1+1”？\n"


def test_a_chinese_csv_is_mapped_checked_and_imported(
    live_server: LiveServer, project: Project, engineer: Person, tmp_path: Path
) -> None:
    file = tmp_path / "问题.csv"
    file.write_text(FILE, encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path(), args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 375, "height": 800})
        troubles: list[str] = []
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(f"{live_server.url}/log-in/?next=/p/study/import/")
        page.fill("input[name=username]", engineer.username)
        page.fill("input[name=password]", PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url("**/p/study/import/")
        page.set_input_files("input[name=file]", file)
        page.locator("main button.main").press("Enter")
        page.wait_for_url("**/import/*-*/")
        page.select_option("select[name=kind]", "corpus")
        expect(page.locator("select[name='column-_id']")).to_be_visible()
        page.select_option("select[name=kind]", "requests")
        expect(page.locator("select[name=column-class]")).to_be_visible()
        for name, number in (("id", "0"), ("class", "1"), ("text", "2")):
            page.select_option(f"select[name=column-{name}]", number)
        page.locator("button[value=check]").press("Enter")
        expect(page.locator("#job")).to_contain_text("2 rows, 0 faults")
        assert Axe().run(page).violations_count == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.locator("button[value=import]").press("Enter")
        expect(page.locator("#job")).to_contain_text("2 written of 2 rows read")
        browser.close()
    assert troubles == []
    assert sorted(Request.objects.values_list("key", flat=True)) == ["r1", "r2"]
