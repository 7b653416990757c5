"""From registering a Protocol to the words of a lost constraint, in real Chromium: the rules are
written in the form, the run is the engine's own, and from its verdict three clicks lead there.
"""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project
from evaluation.models import Run
from evaluation.runs.tasks import conclude_run, work_on_run
from tests.contracts.desk_browser import LOOKS, Desk, desk_at
from tests.evaluation.runs import fixtures
from tests.evaluation.runs.small_study import finish, upload
from tests.evaluation.views.worlds import LOSSY

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

study = fixtures.study
LOST = "fiscal year 2021"  # where 2022 was asked
MOST_TABS = 120


@pytest.fixture
def desk(live_server: LiveServer) -> Iterator[Desk]:
    with desk_at(live_server) as made:
        yield made


@pytest.fixture(autouse=True)
def no_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages to workers go nowhere; the test works itself, with the workers' code."""
    monkeypatch.setattr(work_on_run, "delay", lambda run_id: None)
    monkeypatch.setattr(conclude_run, "delay", lambda run_id: None)


def verdict_of_a_run_by_hand(study: Project, page: Page) -> Run:
    """Register rules, freeze Conditions and start a run in the pages; let a worker finish it, and
    leave the page at its verdict.
    """
    upload(study, "cand", LOSSY)
    at = page.url
    page.goto(f"{at}protocols/new/")
    page.get_by_label("Name", exact=True).fill("gate")
    page.locator("input[name=judging][value=automatic]").check()
    page.locator("[name$=completeness_floor]").first.fill("90")
    page.locator("[name$=regression_ceiling]").first.fill("50")
    page.locator("[name$=min_requests]").first.fill("1")
    page.get_by_role("button", name="Register and seal").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("gate")
    page.goto(f"{at}runs/conditions/new/")
    page.get_by_role("button", name="Freeze").click()
    page.locator("input[name=arms][value=cand]").check()
    page.get_by_role("button", name="Start the run").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Run 1")
    page.goto("about:blank")  # whose page does not ask how far it is meanwhile
    run = finish(study.runs.get())
    assert run.state == Run.State.FINISHED
    page.goto(f"{at}runs/1/?arm=cand")
    return run


def test_from_registration_to_the_words_of_a_lost_constraint_in_three_clicks(
    study: Project, engineer: Person, desk: Desk
) -> None:
    page = desk.tab(desk.sign_in(engineer), "/p/study/")
    run = verdict_of_a_run_by_hand(study, page)
    assert run.protocol is not None and run.protocol.registered_at < run.created_at
    expect(page.get_by_role("heading", name="Fall back").first).to_be_visible()
    page.get_by_role("link", name="Constraint matrix").first.click()
    lost = page.locator("td.judged", has=page.locator(".j.altered"))
    expect(lost.first).to_contain_text(LOST)
    page.locator("table.matrix tbody th a").first.click()
    arm = page.get_by_role("region", name="cand")
    expect(arm.locator(".rewrite mark.altered").first).to_be_visible()
    expect(arm.locator(".judged")).to_contain_text(LOST)
    expect(page.locator("#trail")).to_contain_text("protocol registered")


def by_keys(page: Page, address: str) -> None:
    """Go on with the tabulator until the link that leads to the address has the focus; open it."""
    for _tab in range(MOST_TABS):
        page.keyboard.press("Tab")
        if address in (page.evaluate("document.activeElement.getAttribute('href')") or ""):
            page.keyboard.press("Enter")
            page.wait_for_url(lambda url: address in url)
            return
    raise AssertionError(f"No link to {address} within {MOST_TABS} tabs.")


def test_the_keyboard_alone_leads_from_the_verdict_to_the_words_and_on_to_the_ledger(
    study: Project, engineer: Person, desk: Desk
) -> None:
    page = desk.tab(desk.sign_in(engineer), "/p/study/")
    verdict_of_a_run_by_hand(study, page)
    by_keys(page, "/runs/1/matrix/?arm=cand")
    by_keys(page, "/runs/1/cases/a/?arm=cand")
    arm = page.get_by_role("region", name="cand")
    expect(arm.locator(".rewrite mark.altered").first).to_be_visible()
    by_keys(page, "/ledger/?page=1#entry-")
    expect(page.locator("tr:target")).to_be_visible()


def test_a_case_of_the_matrix_fits_every_width_and_axe_finds_nothing(
    study: Project, engineer: Person, desk: Desk
) -> None:
    context = desk.sign_in(engineer)
    page = desk.tab(context, "/p/study/")
    run = verdict_of_a_run_by_hand(study, page)
    row = run.cases.get(arm__name="cand", request__key="a").stages.get(stage="rewrite")
    row.content |= {"queries": ["Alder Foods revenue", "revenue fiscal year 2021"]}
    row.save(update_fields=["content"])
    found = []
    for width, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{desk.server.url}/p/study/runs/1/cases/a/?arm=cand&lost=1")
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        expect(page.locator(".queries > li")).to_have_count(2)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"wider than {width}")
        found += [fault["id"] for fault in Axe().run(page).response["violations"]]
    assert found == []
