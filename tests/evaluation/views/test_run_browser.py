"""The verdict page of twin pairs and controls, and the page before it, in real Chromium."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project
from annotation.services.projects import set_member
from evaluation.models import Run
from evaluation.runs.tasks import work_on_run
from tests.contracts.desk_browser import Desk, desk_at
from tests.evaluation.runs import fixtures, small_study
from tests.evaluation.runs.pair_study import CONTROLS, SWAPPED
from tests.evaluation.runs.small_study import begin, finish, take_in, upload
from tests.evaluation.views.worlds import LOSSY, run_with

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

study = fixtures.study


@pytest.fixture
def desk(live_server: LiveServer) -> Iterator[Desk]:
    with desk_at(live_server) as made:
        yield made


@pytest.fixture(autouse=True)
def no_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages to workers go nowhere; the tests work themselves."""
    monkeypatch.setattr(work_on_run, "delay", lambda run_id: None)


def lose_one(run: Run) -> None:
    """Request b failed under the human reference, and so did the run."""
    finish(run)
    run.cases.filter(arm__name="human", request__key="b").update(
        state="failed", status="timed_out", error="The endpoint did not answer within 60 seconds."
    )
    Run.objects.filter(pk=run.pk).update(state="failed", error="The endpoint did not answer.")


def faults(desk: Desk, person: Person, *addresses: str) -> list[tuple[str, str]]:
    """What is wrong with pages of runs, with everything on them opened."""
    return desk.faults(person, *(f"/p/study/runs/{end}" for end in addresses), opened=True)


def test_pairs_controls_and_near_misses_fit_and_axe_finds_nothing(
    study: Project, engineer: Person, desk: Desk
) -> None:
    take_in(study, "twins", CONTROLS)
    upload(study, "swapped", SWAPPED)
    run = finish(begin(engineer, study, ["original", "swapped"]))
    request = study.requests.order_by("key")[0].key
    assert faults(desk, engineer, "1/", "1/matrix/?lost=near", f"1/cases/{request}/") == []
    page = desk.tab(desk.sign_in(engineer), f"/p/study/runs/{run.number}/")
    expect(page.locator("#families tr.whole")).to_contain_text("all families")


def test_the_caption_of_a_wide_table_is_read_without_scrolling_it(
    study: Project, engineer: Person, desk: Desk
) -> None:
    run_with(engineer, study, {"cand": LOSSY})
    context = desk.sign_in(engineer, viewport={"width": 375, "height": 900})
    page = desk.tab(context, "/p/study/runs/1/")
    said = page.locator("#families caption span").first.bounding_box()
    assert said is not None and said["x"] + said["width"] <= 375


def test_results_that_are_withheld_say_what_to_do(
    project: Project, engineer: Person, owner: Person, annotator_a: Person, desk: Desk
) -> None:
    small_study.fill(project)
    run: Run = run_with(engineer, project, {"cand": LOSSY})
    Project.objects.filter(pk=project.pk).update(paraphrases_per_request=1)
    roles = ["annotator", "engineer"]
    set_member(actor=owner, project=project, person=annotator_a, roles=roles)
    assert faults(desk, annotator_a, "1/") == []
    page = desk.tab(desk.sign_in(annotator_a), f"/p/study/runs/{run.number}/")
    expect(page.get_by_role("heading", name="not shown to you yet")).to_be_visible()
    page.get_by_role("button", name="Give it up and show the results").press("Enter")
    expect(page.locator("#scorecard")).to_be_visible()


def test_the_pages_of_runs_without_a_result_fit_and_axe_finds_nothing(
    study: Project, engineer: Person, desk: Desk
) -> None:
    lose_one(begin(engineer, study, ["original", "human"]))
    for k, state in enumerate(("paused", "cancelled", "running"), start=2):
        run = begin(engineer, study, ["original", "human", "keywords"], k=k)
        run.cases.filter(request__key="a").update(state="done", stages_done=4)
        Run.objects.filter(pk=run.pk).update(state=state, notice="The model is away.")
    waiting = ("2/", "2/cancel/", "3/", "4/")
    assert faults(desk, engineer, "1/", "1/conclude/", "1/extend/", *waiting) == []


def test_a_run_is_paused_resumed_and_cancelled_by_keyboard(
    study: Project, engineer: Person, desk: Desk
) -> None:
    begin(engineer, study, ["original", "human"])
    page = desk.tab(desk.sign_in(engineer), "/p/study/runs/1/")
    state = page.locator("#progress-state")
    page.get_by_role("button", name="Pause").press("Enter")
    expect(state).to_have_text("paused")
    page.get_by_role("button", name="Resume").press("Enter")
    expect(state).to_have_text("waiting for a worker")
    page.get_by_role("link", name="Cancel the run…").press("Enter")
    page.get_by_role("button", name="Cancel the run").press("Enter")
    expect(state).to_have_text("cancelled")


def test_the_page_follows_a_run_to_its_verdict_by_itself(
    study: Project, engineer: Person, desk: Desk
) -> None:
    upload(study, "cand", LOSSY)
    run = begin(engineer, study, ["original", "cand"])
    page = desk.tab(desk.sign_in(engineer), "/p/study/runs/1/")
    page.get_by_role("button", name="Pause").focus()
    run.cases.filter(request__key="a").update(state="done", stages_done=4)
    expect(page.locator(".run-count")).to_contain_text("2 of 6 cases closed")
    expect(page.get_by_role("status")).to_contain_text("2 of 6 cases closed.")
    expect(page.get_by_role("button", name="Pause")).to_be_focused()
    run.cases.filter(request__key="a").update(state="pending", stages_done=0)
    finish(run)
    expect(page.get_by_role("heading", name="May cand ship?")).to_be_visible()


def test_a_page_of_a_run_that_was_paused_elsewhere_stops_asking(
    study: Project, engineer: Person, desk: Desk
) -> None:
    run = begin(engineer, study, ["original"])
    page = desk.tab(desk.sign_in(engineer), "/p/study/runs/1/")
    Run.objects.filter(pk=run.pk).update(state="paused")
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    expect(page.locator("[hx-trigger]")).to_have_count(0)


def test_a_failed_run_is_concluded_without_its_failed_case_without_javascript(
    study: Project, engineer: Person, desk: Desk
) -> None:
    run = begin(engineer, study, ["original", "human"])
    lose_one(run)
    page = desk.tab(desk.sign_in(engineer, java_script_enabled=False), "/p/study/runs/1/")
    page.get_by_role("link", name="Conclude without the 1 failed of 6…").click()
    page.get_by_label("Why may it be concluded without them?").fill("One of six is little.")
    page.get_by_role("button", name="Conclude without the 1 failed").click()
    expect(page.locator("#progress-state")).to_have_text("waiting for a worker")
    finish(run)
    page.reload()
    expect(page.locator(".run-coverage")).to_contain_text("1 of 6 cases has no result.")
