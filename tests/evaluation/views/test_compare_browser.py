"""Comparing two sides in real Chromium: widths, schemes, the keyboard alone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project
from tests.contracts.desk_browser import Desk, desk_at
from tests.evaluation.runs import fixtures
from tests.evaluation.runs.small_study import begin, finish
from tests.evaluation.views.worlds import LOSSY, run_with

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

study = fixtures.study


@pytest.fixture
def desk(live_server: LiveServer) -> Iterator[Desk]:
    with desk_at(live_server) as made:
        yield made


def test_from_the_runs_to_the_words_that_lost_a_constraint_by_keyboard(
    study: Project, engineer: Person, desk: Desk
) -> None:
    run_with(engineer, study, {"cand": LOSSY})
    page = desk.tab(desk.sign_in(engineer), "/p/study/runs/")
    page.get_by_role("link", name="Compare runs").press("Enter")
    page.locator("select[name=a]").select_option("1:human")
    page.locator("select[name=b]").select_option("1:cand")
    page.get_by_role("button", name="Compare").press("Enter")
    change = page.locator(".changes > li")
    expect(change).to_have_count(1)
    expect(change).to_contain_text("critical")
    expect(change.locator(".one-side").nth(1).locator("ins", has_text="2021")).to_be_visible()
    page.locator("select[name=show]").select_option("better")
    expect(page.locator("#compared")).to_contain_text("No request matches")
    page.get_by_role("link", name="Swap A and B").press("Enter")
    expect(page.locator(".changes > li")).to_contain_text("gained")
    page.locator(".changes h3 a").press("Enter")
    expect(page.get_by_role("heading", name="a", exact=True)).to_be_visible()


def test_the_comparison_and_its_refusal_fit_and_axe_finds_nothing(
    study: Project, engineer: Person, desk: Desk
) -> None:
    run_with(engineer, study, {"cand": LOSSY})
    finish(begin(engineer, study, ["original", "cand"], k=1))
    chosen = ("", "?a=1:human&b=1:cand", "?a=1:cand&b=2:cand")
    assert desk.faults(engineer, *(f"/p/study/runs/compare/{sides}" for sides in chosen)) == []


def test_a_choice_keeps_the_focus_says_how_many_and_back_undoes_it(
    study: Project, engineer: Person, desk: Desk
) -> None:
    run_with(engineer, study, {"cand": LOSSY})
    page = desk.tab(desk.sign_in(engineer), "/p/study/runs/compare/?a=1:human&b=1:cand")
    asked: list[str] = []
    page.on("request", lambda r: asked.append(r.url) if r.headers.get("hx-request") else None)
    show = page.locator("select[name=show]")
    show.focus()
    show.select_option("better")
    expect(page.get_by_role("status")).to_have_text("0 requests are listed.")
    expect(show).to_be_focused()
    assert len(asked) == 1
    page.go_back()
    expect(page.get_by_role("status")).to_have_text("1 request is listed.")
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.locator(".changes > li")).to_have_count(1)
