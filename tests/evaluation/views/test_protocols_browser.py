"""The protocol's form in real Chromium: with keys alone, and with nothing for axe to find."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project
from tests.contracts.desk_browser import LOOKS, Desk, desk_at
from tests.evaluation.runs import fixtures
from tests.evaluation.runs.small_study import begin, finish, register
from tests.evaluation.services.test_extending import bring
from tests.evaluation.views.test_arms_browser import tab_to, write

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

study = fixtures.study
NEW = "/p/study/protocols/new/"


@pytest.fixture
def desk(live_server: LiveServer) -> Iterator[Desk]:
    with desk_at(live_server) as made:
        yield made


def test_rules_are_written_weighed_and_registered_with_keys_alone(
    desk: Desk, study: Project, engineer: Person
) -> None:
    page = desk.tab(desk.sign_in(engineer), NEW)
    for name, words in (("completeness_floor", "90"), ("regression_ceiling", "3")):
        tab_to(page, f"[name=class0-{name}]")
        write(page, words)
    tab_to(page, "[name=class0-min_requests]")
    write(page, "60")
    page.keyboard.press("Tab")
    shown = page.locator("#planned-class0")
    expect(shown).to_contain_text("takes 99 right answers of the original")
    page.keyboard.press("Shift+Tab")
    write(page, "99")
    page.keyboard.press("Tab")
    expect(shown).to_contain_text("at most 0 lost answers pass the ceiling of 3 %")
    tab_to(page, "form.stack .btn.main")
    page.keyboard.press("Enter")
    page.wait_for_url("**/protocols/*/")
    expect(page.locator("main")).to_contain_text("None of the 3 requests that they decide had a")
    assert study.protocols.get().content["classes"]["*"]["min_requests"] == 99


def test_what_rules_can_show_changes_while_typing_and_is_asked_for_once(
    desk: Desk, study: Project, engineer: Person
) -> None:
    page = desk.tab(desk.sign_in(engineer), NEW)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    shown = page.locator("#planned-class0")
    page.locator("[name=class0-completeness_floor]").press_sequentially("90")
    expect(shown).to_contain_text("“Resolved requests: at least”: Fill this in too")
    before = sent.count("POST")
    page.locator("[name=class0-regression_ceiling]").fill("3")
    page.locator("[name=class0-min_requests]").fill("99")
    expect(shown).to_contain_text("at most 0 lost answers pass the ceiling of 3 %")
    page.keyboard.press("Tab")  # leaving the field changes nothing and asks nothing
    page.locator("[name=class0-min_requests]").fill("98")
    expect(shown).to_contain_text("98 resolved requests")
    assert sent.count("POST") - before == 2


def test_a_refused_form_comes_back_with_the_focus_on_what_is_wrong(
    desk: Desk, study: Project, engineer: Person
) -> None:
    page = desk.tab(desk.sign_in(engineer), NEW)
    page.locator("[name=name]").fill("gate")
    page.locator("[name=class0-completeness_floor]").fill("90")
    page.locator("form.stack .btn.main").click()
    faults = page.locator("#faults")
    expect(faults).to_be_focused()
    faults.get_by_role("link", name="Resolved requests: at least").click()
    expect(page.locator("[name=class0-min_requests]")).to_be_focused()
    for width, _scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert Axe().run(page).response["violations"] == []


def test_no_page_of_rules_or_of_what_they_void_has_a_fault_or_is_too_wide(
    desk: Desk, study: Project, engineer: Person
) -> None:
    run = finish(begin(engineer, study, ["original", "human"]))
    bring(study)
    newer = register(engineer, study, judging="human_for_critical")
    pages = (
        f"{NEW}?from={newer.pk}", "/p/study/protocols/", "/p/study/runs/",
        f"/p/study/protocols/{run.protocol_id}/", f"/p/study/protocols/{newer.pk}/",
    )  # fmt: skip
    assert desk.faults(engineer, *pages) == []
