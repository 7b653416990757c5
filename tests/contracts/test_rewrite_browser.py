"""Writing rewordings in real Chromium, with the keyboard alone, also from right to left."""

from pathlib import Path

import axe_playwright_python
import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import HumanRewrite, Person, Project, Request, Seat
from annotation.services import ledger
from contracts.models import Contract
from contracts.terms import Ambiguity, ConstraintTerms, ContractTerms
from tests.contracts.conftest import make_request, take
from tests.logged_in import browser

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
ASKED = "ما هي أرباح شركة Siemens قبل 2021؟"  # “What were Siemens's profits before 2021?”


@pytest.fixture
def asked(project: Project) -> Request:
    """A request that is read from right to left, with a Latin name, and its contract."""
    asked = make_request(project, "r1", ASKED)
    asked.answers = ["4 مليار"]  # “4 billion”
    asked.save()
    value = {"relation": "before", "start": None, "end": "2021", "calendar": "calendar"}
    terms = ContractTerms(
        (ConstraintTerms("c1", "time", "critical", value),),
        Ambiguity(True, ("before tax", "after tax")),
    )
    Contract.objects.create(
        request=asked, version=1, content=terms.to_json(), sha256=terms.sha256, unresolved=True,
        adjudicator=project.created_by, approved_at=timezone.now(),
    )  # fmt: skip
    project.paraphrases_per_request = 1
    project.save()
    return asked


def at(seat: Seat) -> str:
    return f"/p/study/desk/{seat.kind}/{seat.public_id}/"


def direction(page: Page) -> str:
    return str(page.locator("#id_text").evaluate("one => getComputedStyle(one).direction"))


def codes(page: Page) -> list[str]:
    found = page.locator("#checks li").evaluate_all("all => all.map(one => one.dataset.code)")
    return list(found)


def test_a_whole_paraphrase_from_right_to_left_with_the_keyboard_alone(
    live_server: LiveServer, asked: Request, annotator_a: Person
) -> None:
    seat = take(annotator_a, asked.project, "paraphrase")
    with browser(live_server, annotator_a, at(seat)) as page:
        expect(page.get_by_text("4 مليار")).to_be_visible()
        expect(page.locator("#id_text")).to_be_focused()
        page.keyboard.type("كم ربحت Siemens")
        assert direction(page) == "rtl"
        expect(page.locator("#checks li")).to_have_count(1)
        expect(page.locator("#id_text")).to_be_focused()
        page.keyboard.press("Control+Enter")
        expect(page.locator("#meant-drops-number")).to_be_focused()
        expect(page.locator("#save-state")).to_have_text("not sealed")
        page.keyboard.press("Space")
        page.keyboard.press("Control+Enter")
        page.wait_for_url("**/p/study/desk/")
        expect(page.get_by_text("Sealed r1")).to_have_count(1)
    sealed = HumanRewrite.objects.get()
    assert (sealed.kind, sealed.text) == ("paraphrase", "كم ربحت Siemens")
    assert sealed.warnings == [{"code": "drops-number", "words": ["2021"], "meant": True}]
    assert ledger.first_altered(asked.project) is None


def test_the_box_comes_right_after_the_text_and_has_a_key(
    live_server: LiveServer, asked: Request, annotator_a: Person
) -> None:
    seat = take(annotator_a, asked.project, "standalone")
    with browser(live_server, annotator_a, at(seat)) as page:
        page.keyboard.type("Profits, 4 مليار")
        expect(page.locator("#checks li")).to_have_count(3)
        assert codes(page) == ["names-answer", "drops-number", "drops-name"]
        expect(page.get_by_text("before tax")).to_be_visible()
        page.keyboard.press("Tab")
        expect(page.locator("#meant-names-answer")).to_be_focused()
        page.keyboard.press("2")
        expect(page.locator("#meant-drops-number")).to_be_checked()
        expect(page.locator("[data-dirty]")).to_have_count(0)
        page.reload()
        expect(page.locator("#meant-drops-number")).to_be_checked()
        expect(page.locator("#meant-names-answer")).not_to_be_checked()


def test_a_box_ticked_while_a_save_is_under_way_stays_ticked(
    live_server: LiveServer, asked: Request, annotator_a: Person
) -> None:
    seat = take(annotator_a, asked.project, "standalone")
    with browser(live_server, annotator_a, at(seat)) as page:
        page.keyboard.type("Profits of Siemens")
        expect(page.locator("#meant-drops-number")).to_be_visible()

        def late(route: Route) -> None:
            page.locator("#meant-drops-number").check()
            route.continue_()

        page.route("**/save/", late, times=1)
        page.locator("#id_text").press("End")
        page.keyboard.type(" 4 مليار")
        expect(page.locator("#checks li")).to_have_count(2)
        expect(page.locator("#meant-drops-number")).to_be_checked()
        expect(page.locator("[data-dirty]")).to_have_count(0)
    seat.refresh_from_db()
    assert [mark.split(":")[0] for mark in seat.draft["meant"]] == ["drops-number"]


def test_two_presses_of_seal_give_one_paraphrase(
    live_server: LiveServer, asked: Request, annotator_a: Person
) -> None:
    seat = take(annotator_a, asked.project, "paraphrase")
    with browser(live_server, annotator_a, at(seat)) as page:
        page.keyboard.type("Siemens 2021 profit")
        page.get_by_role("button", name="Seal").dblclick()
        page.wait_for_url("**/p/study/desk/")
    assert HumanRewrite.objects.count() == 1


@pytest.mark.parametrize("width, scheme", [(1440, "light"), (375, "dark")])
@pytest.mark.parametrize("kind", ["paraphrase", "standalone"])
def test_the_pages_fit_and_are_accessible(
    kind: str,
    width: int,
    scheme: str,
    live_server: LiveServer,
    asked: Request,
    annotator_a: Person,
) -> None:
    seat = take(annotator_a, asked.project, kind)
    more = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    with browser(live_server, annotator_a, at(seat), bypass_csp=True, **more) as page:
        page.keyboard.type("x" * 200)
        expect(page.locator("#checks li")).to_have_count(2)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.add_script_tag(path=AXE)
        result = page.evaluate("axe.run()")
        assert [violation["id"] for violation in result["violations"]] == []
