"""The charts of the verdict page in real Chromium: light and dark, wide and narrow, by keyboard, on
paper.
"""

import re
import zlib
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project
from evaluation.models import Run
from evaluation.reports.exports.as_html import html_report
from evaluation.runs.tasks import draw_charts, work_on_run
from tests.contracts.desk_browser import Desk, desk_at
from tests.evaluation.runs import fixtures
from tests.evaluation.views.worlds import LOSSY, run_with

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

study = fixtures.study
LETTERS = """[...document.querySelectorAll('.chart-svg text')].map(
    (text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"""
CUT_OFF = """[...document.querySelectorAll('.chart-svg text')].filter((text) => {
    const [box, all] = [text.getBoundingClientRect(), text.ownerSVGElement.getBoundingClientRect()];
    return box.left < all.left - 1 || box.right > all.right + 1;
}).map((text) => text.textContent)"""


@pytest.fixture
def desk(live_server: LiveServer) -> Iterator[Desk]:
    """Whatever the console says is a fault, so what the policy refuses is one."""
    with desk_at(live_server) as made:
        yield made


@pytest.fixture(autouse=True)
def finished(study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_on_run, "delay", lambda run_id: None)
    monkeypatch.setattr(draw_charts, "delay", lambda run_id: None)
    run_with(engineer, study, {"cand": LOSSY})


def drawings(pdf: bytes) -> list[bytes]:
    """What is drawn on each sheet of a file that Chromium wrote, in its order."""
    objects = {
        int(number): body for number, body in re.findall(rb"(?ms)^(\d+) 0 obj\s(.*?)\nendobj", pdf)
    }
    found = []
    for body in objects.values():
        if re.search(rb"/Type\s*/Page\b", body) and (drawn := re.search(rb"/Contents (\d+)", body)):
            content = objects[int(drawn[1])].partition(b"stream\n")[2].rpartition(b"\nendstream")[0]
            found.append(zlib.decompress(content))
    return found


def page_at(desk: Desk, person: Person, width: int, scheme: str = "light") -> Page:
    context = desk.sign_in(person, viewport={"width": width, "height": 900}, color_scheme=scheme)
    return desk.tab(context, "/p/study/runs/1/")


def test_letters_can_be_read_and_none_is_cut_off_at_any_width(engineer: Person, desk: Desk) -> None:
    for width in (375, 1440):
        page = page_at(desk, engineer, width)
        assert min(page.evaluate(LETTERS)) >= 11
        assert page.evaluate(CUT_OFF) == []


def test_the_letters_of_the_report_can_be_read_on_a_phone(desk: Desk) -> None:
    page = desk.browser.new_page(viewport={"width": 375, "height": 900})
    page.set_content(html_report(Run.objects.get()))
    assert min(page.evaluate(LETTERS.replace(".chart-svg", ".chart svg"))) >= 11
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_the_number_of_a_constraint_can_be_read(engineer: Person, desk: Desk) -> None:
    for width in (375, 1440):
        page = page_at(desk, engineer, width)
        page.goto(f"{desk.server.url}/p/study/runs/1/cases/a/")
        sizes = page.evaluate("""[...document.querySelectorAll('mark sup')].map(
            (one) => parseFloat(getComputedStyle(one).fontSize))""")
        assert sizes and min(sizes) >= 11


def test_every_text_of_the_key_stands_right_of_its_look(engineer: Person, desk: Desk) -> None:
    """Entries of one line do not run into each other."""
    page = page_at(desk, engineer, 375)
    over = page.evaluate("""[...document.querySelectorAll('.chart-svg')].flatMap((svg) => {
        const texts = [...svg.querySelectorAll('text')].map((one) => one.getBoundingClientRect());
        return texts.flatMap((one, n) => texts.slice(n + 1).filter((other) =>
            one.left < other.right - 1 && other.left < one.right - 1 &&
            one.top < other.bottom - 4 && other.top < one.bottom - 4));
    }).length""")
    assert over == 0


def test_on_paper_charts_stand_in_one_column_and_their_closed_tables_stay_away(
    engineer: Person, desk: Desk
) -> None:
    page = page_at(desk, engineer, 703)
    page.emulate_media(media="print")
    lefts = page.evaluate("""[...document.querySelectorAll('.chart')].map(
        (one) => one.getBoundingClientRect().left)""")
    assert len(lefts) > 1 and len(set(lefts)) == 1
    assert not page.locator(".chart table").first.is_visible()
    page.emulate_media(media="screen")
    page.locator("#chart-kinds summary").click()
    page.emulate_media(media="print")
    expect(page.locator("#chart-kinds table")).to_be_visible()


def test_on_paper_only_a_verdict_a_drawing_and_a_row_are_kept_whole(
    engineer: Person, desk: Desk
) -> None:
    page = page_at(desk, engineer, 703)
    page.emulate_media(media="print")
    whole = """(names) => names.map(
        (name) => getComputedStyle(document.querySelector(name)).breakInside)"""
    assert page.evaluate(whole, [".card.verdict", ".chart-drawn", "tr"]) == ["avoid"] * 3
    assert page.evaluate(whole, ["#charts", ".card:not(.verdict)", ".chart"]) == ["auto"] * 3


def test_on_paper_nothing_is_cut_off_at_the_right(engineer: Person, desk: Desk) -> None:
    """A4 less its margins is 703 pixels wide."""
    page = page_at(desk, engineer, 703)
    page.emulate_media(media="print")
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    out = page.evaluate("""[...document.querySelectorAll('main *')].filter(
        (one) => one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.tagName)""")
    assert out == []


def test_the_printed_page_has_no_sheet_of_a_heading_alone(engineer: Person, desk: Desk) -> None:
    """Each sheet of the file has more to draw than a heading and the frame of its card."""
    page = page_at(desk, engineer, 1440)
    sheets = [len(one) for one in drawings(page.pdf(format="A4"))]
    assert 2 <= len(sheets) <= 12 and min(sheets) > 1200


def test_a_bar_has_the_accent_of_the_scheme(engineer: Person, desk: Desk) -> None:
    inks = set()
    for scheme in ("light", "dark"):
        page = page_at(desk, engineer, 1440, scheme)
        fill = "getComputedStyle(document.querySelector('.c-fill-accent')).fill"
        accent = """(() => { const link = document.querySelector('main a.btn.main');
            return getComputedStyle(link).backgroundColor; })()"""
        assert page.evaluate(fill) == page.evaluate(accent)
        inks.add(page.evaluate(fill))
    assert len(inks) == 2


def test_a_reader_of_the_screen_hears_title_and_description(engineer: Person, desk: Desk) -> None:
    page = page_at(desk, engineer, 1440)
    chart = page.get_by_role("img", name="Constraints kept, by kind and arm: all classes")
    expect(chart).to_have_accessible_name(re.compile("Under cand: .*time 1 of 2"))


def test_the_table_behind_a_chart_opens_by_keyboard(engineer: Person, desk: Desk) -> None:
    page = page_at(desk, engineer, 375)
    figure = page.locator("#chart-kinds")
    expect(figure.locator("table")).to_be_hidden()
    figure.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(figure.locator("table")).to_be_visible()
    page.keyboard.press("Tab")
    expect(figure.locator(".scroll")).to_be_focused()
