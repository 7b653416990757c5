"""A run over variation sets from its form to its result, in real Chromium."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project
from evaluation.models import SuiteRun
from evaluation.suites.tasks import work_on_suite
from tests.contracts.desk_browser import Desk, desk_at
from tests.evaluation.runs import fixtures
from tests.evaluation.suites.worlds import begin, finish, nested

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

study = fixtures.study
RUNS = "/p/study/suites/variations/runs/"


@pytest.fixture
def desk(live_server: LiveServer) -> Iterator[Desk]:
    with desk_at(live_server) as made:
        yield made


@pytest.fixture(autouse=True)
def no_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages to workers go nowhere; the tests work themselves."""
    monkeypatch.setattr(work_on_suite, "delay", lambda run_id: None)


def test_a_run_is_started_by_keyboard_and_its_page_follows_it_to_the_result(
    study: Project, engineer: Person, desk: Desk
) -> None:
    nested(study)
    page = desk.tab(desk.sign_in(engineer), f"{RUNS}new/")
    page.get_by_label("typos 25").press("Space")
    page.get_by_label("typos 50").press("Space")
    page.get_by_label("rewritten:keywords").press("Space")
    page.get_by_label("Tell apart what is read").press("Space")
    page.get_by_role("button", name="Start the run").press("Enter")
    expect(page.locator("#suite-state")).to_have_text("waiting for a worker")
    expect(page.locator(".run-count")).to_contain_text("0 of 20 rows are there")
    finish(SuiteRun.objects.get())
    expect(page.get_by_role("heading", name="What do typing errors cost here?")).to_be_visible()
    expect(page.locator("#charts svg")).to_have_count(3)
    expect(page.locator("[hx-trigger]")).to_have_count(0)


def test_the_pages_of_runs_over_sets_fit_and_axe_finds_nothing(
    study: Project, engineer: Person, desk: Desk
) -> None:
    finish(begin(engineer, study, four_conditions=True))
    waiting = begin(engineer, study)
    SuiteRun.objects.filter(pk=waiting.pk).update(notice="The model is away.")
    pages = [f"{RUNS}{end}" for end in ("new/", "1/", "1/?measure=recall", "2/", "2/cancel/")]
    assert desk.faults(engineer, *pages, opened=True) == []
