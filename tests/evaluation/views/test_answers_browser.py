"""Judging answers in real Chromium: by keys alone, at both widths, with nothing for axe to find."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project
from evaluation.models import AnswerJudgement, Run
from evaluation.runs.tasks import conclude_run
from tests.contracts.desk_browser import Desk, desk_at
from tests.evaluation.runs import fixtures
from tests.evaluation.services.test_answers import WRONG
from tests.evaluation.views.worlds import KEPT, run_with

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

study = fixtures.study
PAGE = "/p/study/runs/1/answers/"


@pytest.fixture
def desk(live_server: LiveServer) -> Iterator[Desk]:
    with desk_at(live_server) as made:
        yield made


@pytest.fixture
def run(study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Messages to workers go nowhere."""
    monkeypatch.setattr(conclude_run, "delay", lambda run_id: None)
    return run_with(engineer, study, {"kept": KEPT, "wrong": WRONG})


def test_an_answer_is_judged_and_taken_back_by_keys_alone(
    run: Run, adjudicator: Person, desk: Desk
) -> None:
    page = desk.tab(desk.sign_in(adjudicator), PAGE)
    first = page.locator("[name=answer]").get_attribute("value") or ""
    page.keyboard.press("n")
    page.keyboard.press("y")
    expect(page.get_by_role("button", name="Save, and the next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(f"[name=answer][value='{first}']")).to_have_count(0)
    judged = AnswerJudgement.objects.get()
    assert (judged.correct, judged.supported) == ("no", "yes")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.keyboard.press("u")
    expect(page.locator(f"[name=answer][value='{first}']")).to_have_count(1)
    assert desk.troubles == []


def test_keys_are_letters_in_the_note(run: Run, adjudicator: Person, desk: Desk) -> None:
    page = desk.tab(desk.sign_in(adjudicator), PAGE)
    page.get_by_label("Note").press_sequentially("any c")
    expect(page.get_by_label("Note")).to_have_value("any c")
    expect(page.locator(":checked")).to_have_count(0)


def test_the_pages_fit_and_axe_finds_nothing(run: Run, adjudicator: Person, desk: Desk) -> None:
    assert desk.faults(adjudicator, PAGE, "/p/study/judgements/", opened=True) == []
