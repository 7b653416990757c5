"""The verdict page of twin pairs and controls, and the page before it, in real Chromium."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project
from annotation.services.projects import set_member
from evaluation.models import Run
from tests.contracts.desk_browser import Desk, desk_at
from tests.evaluation.runs import fixtures, small_study
from tests.evaluation.runs.pair_study import CONTROLS, SWAPPED
from tests.evaluation.runs.small_study import begin, finish, take_in, upload
from tests.evaluation.views.worlds import LOSSY, run_with

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

study = fixtures.study
WIDTHS = ((1440, "light"), (1440, "dark"), (375, "light"), (375, "dark"))


@pytest.fixture
def desk(live_server: LiveServer) -> Iterator[Desk]:
    with desk_at(live_server) as made:
        yield made


def faults(desk: Desk, person: Person, *addresses: str) -> list[tuple[str, str]]:
    """What is wider than its page, and what axe finds, with everything on it opened."""
    found = []
    for width, scheme in WIDTHS:
        size = {"width": width, "height": 900}
        context = desk.sign_in(person, viewport=size, color_scheme=scheme)
        for address in addresses:
            page = desk.tab(context, f"/p/study/runs/{address}")
            page.evaluate(
                "document.querySelectorAll('details').forEach((one) => (one.open = true))"
            )
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append((address, f"wider than {width}"))
            found += [(address, fault["id"]) for fault in Axe().run(page).response["violations"]]
        context.close()
    return found


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
