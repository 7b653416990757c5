"""How the verdict page is laid out: its parts in order, the long ones closed, names for all."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project
from annotation.services.projects import set_member
from evaluation.models import Run
from tests.contracts.desk_browser import Desk, desk_at
from tests.evaluation.views.worlds import LOSSY, run_with

PAGE = "/p/study/runs/1/?arm=cand"


def test_the_contents_name_every_part_in_the_order_of_the_page(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    page = client_of(engineer).get(PAGE).content.decode()
    contents = page[page.index("onpage small contents") :].partition("</nav>")
    named = re.findall(r'href="#([\w-]+)"', contents[0])
    parts = re.findall(r'<(?:section class="card"|div) id="([\w-]+)"', contents[2])
    rules = re.compile(r"rules-")
    assert named == [part for part in parts if not rules.match(part)]


def test_every_link_to_rules_names_its_class(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    page = client_of(engineer).get(PAGE).content.decode()
    links = re.findall(r'<a href="#rules-[^"]+">(.*?)</a>', page)
    assert links and all('<span class="sr"> of ' in link for link in links)


def test_whatever_scrolls_by_keyboard_has_a_name() -> None:
    nameless = [
        (str(path), found)
        for path in Path(settings.BASE_DIR, "templates").rglob("*.html")
        for found in re.findall(r'<div class="scroll[^>]*tabindex="0"[^>]*>', path.read_text())
        if "aria-label" not in found or "role=" not in found
    ]
    assert nameless == []


def test_the_answers_are_a_part_of_judging_in_the_bar(
    run: Run, owner: Person, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    both = ["engineer", "adjudicator"]
    set_member(actor=owner, project=run.project, person=engineer, roles=both)
    page = client_of(engineer).get(reverse("answers", args=["study", 1])).content.decode()
    assert re.findall(r'aria-current="page">([^<]+)</a>', page) == ["Judgements"]


BACK = {"HX-Request": "true", "HX-History-Restore-Request": "true"}


@pytest.mark.parametrize("address", ["1/matrix/?lost=0", "compare/?a=1:human&b=1:cand"])
def test_back_is_answered_with_a_whole_page_that_no_cache_takes_for_the_fragment(
    run: Run, engineer: Person, client_of: Callable[[Person], Client], address: str
) -> None:
    client = client_of(engineer)
    whole = client.get(f"/p/study/runs/{address}", headers=BACK)
    part = client.get(f"/p/study/runs/{address}", headers={"HX-Request": "true"})
    assert b"<!doctype html>" in whole.content and b"<!doctype html>" not in part.content
    assert set(BACK) <= set(whole["Vary"].split(", "))


@pytest.fixture
def desk(study: Project, engineer: Person, live_server: LiveServer) -> Iterator[Desk]:
    run_with(engineer, study, {"cand": LOSSY})
    with desk_at(live_server) as made:
        yield made


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_on_a_narrow_screen_the_candidate_comes_first(desk: Desk, engineer: Person) -> None:
    narrow = desk.sign_in(engineer, viewport={"width": 375, "height": 800})
    page = desk.tab(narrow, PAGE)
    for name in ("cand", "cand − original"):
        head = page.locator("#scorecard .scores").first.get_by_role("columnheader", name=name)
        box = head.first.bounding_box()
        assert box and box["x"] + box["width"] <= 375, name
    page = desk.tab(narrow, "/p/study/runs/1/cases/a/?arm=cand&lost=1")
    boxes = {arm: page.locator(f"#arm-{arm}").bounding_box() for arm in ("original", "cand")}
    assert boxes["cand"] and boxes["original"] and boxes["cand"]["y"] < boxes["original"]["y"]
    expect(page.locator("#arm-cand .head")).to_contain_text("chosen in the matrix")


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_what_is_secondary_is_closed_and_printed(desk: Desk, engineer: Person) -> None:
    page = desk.tab(desk.sign_in(engineer), PAGE)
    beside = page.locator("#scores-beside table")
    expect(beside).to_be_hidden()
    page.emulate_media(media="print")
    expect(beside).to_be_visible()
