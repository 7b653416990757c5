"""Settings, guidelines and invitations in real Chromium: what htmx swaps, at both widths."""

from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Guideline, Person, Project, Request, RequestClass
from annotation.services.guidelines import write_guideline
from annotation.services.projects import change_project
from tests.conftest import PASSWORD
from tests.logged_in import browser

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
PLACES = ("people/", "settings/", "guidelines/", "guidelines/general/",
          "guidelines/general/edit/", "consent/")  # fmt: skip


@pytest.fixture
def asked(project: Project) -> Project:
    of = RequestClass.objects.create(project=project, name="fact")
    Request.objects.create(
        project=project, key="r1", request_class=of, text="When?", sha256="0" * 64, position=1
    )
    return project


def test_a_guideline_is_previewed_while_it_is_written_and_saved(
    live_server: LiveServer, project: Project, owner: Person
) -> None:
    with browser(live_server, owner, "/p/study/guidelines/general/edit/") as page:
        page.fill("textarea[name=text]", "Mark **dates**. <img src=x onerror=alert(1)>")
        page.locator("textarea[name=text]").press("End")
        page.keyboard.type("!")
        expect(page.locator("#preview strong")).to_have_text("dates")
        expect(page.locator("#preview")).to_contain_text("<img src=x onerror=alert(1)>!")
        page.get_by_role("button", name="Save as a new version").press("Enter")
        page.wait_for_url("**/guidelines/general/")
        expect(page.get_by_text("Version 1 was saved.")).to_be_visible()
    assert Guideline.objects.get().text.startswith("Mark **dates**")


def test_settings_are_saved_in_place(
    live_server: LiveServer, asked: Project, owner: Person
) -> None:
    with browser(live_server, owner, "/p/study/settings/") as page:
        page.get_by_label("Contract sheet, class fact").fill("3")
        page.get_by_role("button", name="Save the table").click()
        expect(page.get_by_text("The settings were saved.")).to_be_visible()
        expect(page.get_by_label("Contract sheet, class fact")).to_have_value("3")
        page.get_by_label("Ids of requests").fill("r1")
        page.get_by_label("Seats", exact=True).fill("4")
        page.get_by_role("button", name="Save for these requests").click()
        expect(page.get_by_text("1 exception from the table above")).to_be_visible()
    assert sorted(asked.needs.values_list("seats", flat=True)) == [3, 4]


def test_the_link_appears_in_place_and_leads_a_newcomer_in(
    live_server: LiveServer, project: Project, owner: Person
) -> None:
    with browser(live_server, owner, "/p/study/people/") as page:
        page.locator("#invite_roles_0").check()
        page.get_by_role("button", name="Make the link").click()
        link = page.locator("code.link").inner_text()
        page.context.clear_cookies()
        page.goto(link)
        page.get_by_label("Username").fill("newcomer")
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_label("Password confirmation").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url("**/p/study/")
        expect(page.get_by_text("You are in the project now.")).to_be_visible()
    assert project.memberships.filter(person__username="newcomer").exists()


def test_a_topic_is_opened_beside_the_work_by_its_name(
    live_server: LiveServer, asked: Project, owner: Person, annotator_a: Person
) -> None:
    write_guideline(actor=owner, project=asked, topic="time", text="Give the day.", seen=0)
    with browser(live_server, annotator_a, "/p/study/desk/") as page:
        page.get_by_role("button", name="Take the next").first.press("Enter")
        page.wait_for_url("**/desk/sheet/*/")
        expect(page.get_by_text("Give the day.")).to_be_hidden()
        page.evaluate(
            "document.dispatchEvent(new CustomEvent('open-topic', {detail: {topic: 'time'}}))"
        )
        expect(page.get_by_text("Give the day.")).to_be_visible()


@pytest.mark.parametrize("width, scheme", [(1440, "light"), (375, "dark")])
def test_the_pages_fit_and_are_accessible(
    width: int, scheme: str, live_server: LiveServer, asked: Project, owner: Person
) -> None:
    change_project(actor=owner, project=asked, settings={"consent_text": "Read."})
    text = "## Examples\n\n#### One\n\n|a|b|\n|:-|-:|\n|c|" + "d" * 300 + "|\n"
    write_guideline(actor=owner, project=asked, topic="", text=text, seen=0)
    more = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    found = {}
    with browser(live_server, owner, "/p/study/", bypass_csp=True, **more) as page:
        for place in PLACES:
            page.goto(f"{live_server.url}/p/study/{place}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, place
            page.add_script_tag(path=AXE)
            result = page.evaluate("axe.run()")
            found[place] = [violation["id"] for violation in result["violations"]]
    assert found == {place: [] for place in PLACES}
