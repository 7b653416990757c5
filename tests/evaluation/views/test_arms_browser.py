"""Arms, parts and conditions in real Chromium: with keys alone, in every width and light."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project
from evaluation.services.arms import make_arm
from tests.contracts.desk_browser import Desk, desk_at
from tests.evaluation.runs import fixtures
from tests.evaluation.runs.small_study import REFERENCES, freeze, register, upload

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

study = fixtures.study
NEW = "/p/study/runs/conditions/new/"


@pytest.fixture
def desk(live_server: LiveServer) -> Iterator[Desk]:
    with desk_at(live_server) as made:
        yield made


def tab_to(page: Page, selector: str) -> None:
    for _key in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
            return
    raise AssertionError(f"{selector} cannot be reached with the key Tab")


def write(page: Page, words: str) -> None:
    page.keyboard.press("Control+A")
    page.keyboard.type(words)


def test_another_retriever_is_chosen_and_set_with_keys_alone(
    desk: Desk, study: Project, engineer: Person
) -> None:
    page = desk.tab(desk.sign_in(engineer), NEW)
    tab_to(page, "[name=retriever]")
    for _key in range(3):  # bm25, dense, http, hybrid
        page.keyboard.press("ArrowDown")
    expect(page.locator("[name='retriever-hybrid-constant']")).to_have_value("60")
    expect(page.locator("[name=retriever][value=hybrid]")).to_be_focused()
    tab_to(page, "[name='retriever-hybrid-dense_weight']")
    write(page, "0")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/conditions/\d+/"))
    assert study.conditions.get().content["retriever"]["parameters"]["dense_weight"] == 0.0


def test_an_arm_is_made_with_keys_alone(desk: Desk, study: Project, engineer: Person) -> None:
    page = desk.tab(desk.sign_in(engineer), "/p/study/arms/")
    tab_to(page, "main a[href$='/arms/new/']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/arms/new/")
    tab_to(page, "main a[href$='rewriter=keywords']")
    page.keyboard.press("Enter")
    page.wait_for_url("**rewriter=keywords")
    tab_to(page, "[name=name]")
    page.keyboard.type("short")
    tab_to(page, "[name='set-max_words']")
    write(page, "8")
    page.keyboard.press("Enter")
    expect(page.locator("#arm-short")).to_contain_text("max_words = 8 instead of 32")


def test_no_page_has_a_fault_that_axe_finds_or_is_wider_than_the_screen(
    desk: Desk, study: Project, engineer: Person
) -> None:
    register(engineer, study)
    upload(study, "cand", REFERENCES)
    make_arm(
        actor=engineer, project=study, name="a-rather-long-name-of-an-arm", rewriter="keywords",
        parameters={"max_words": 8, "carry": "user"},
    )  # fmt: skip
    frozen = freeze(engineer, study, retriever_parameters={"k1": 0.9})
    new = "/p/study/arms/new/"
    pages = (
        "/p/study/arms/", new, f"{new}?rewriter=keywords", "/p/study/parts/", NEW,
        f"/p/study/runs/conditions/{frozen.pk}/",
    )  # fmt: skip
    assert desk.faults(engineer, *pages) == []
