"""The report in one HTML file: all of the page, nothing from outside, and no text that does
anything.
"""

import re
from html.parser import HTMLParser

import pytest
from django.utils import translation
from django.utils.html import escape

from annotation.models import Person, Project
from evaluation.models import Run, Verdict
from evaluation.reports.exports import as_html as module
from evaluation.reports.exports.as_html import html_report, report_context
from evaluation.reports.exports.as_json import report_head
from tests.evaluation.runs.pair_study import CONTROLS
from tests.evaluation.runs.small_study import take_in
from tests.evaluation.views.worlds import KEPT, LOSSY, fill_wide, run_with


class Read(HTMLParser):
    """What a browser would fetch, run or follow, and the ids."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.targets: list[str] = []
        self.events: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name in ("href", "src", "action", "xlink:href", "srcset", "data", "poster"):
                self.targets.append(value or "")
            if name.startswith("on") or name == "style":
                self.events.append(name)
            if name == "id":
                self.ids.append(value or "")


def read(text: str) -> Read:
    found = Read()
    found.feed(text)
    return found


@pytest.fixture
def two(study: Project, engineer: Person) -> Run:
    """A run with two candidates, controls, a twin pair and markup in a rewrite."""
    take_in(study, "twins", CONTROLS)
    hostile = '<script>alert(1)</script><img src=x onerror="alert(2)"> ={{ 7|add:7 }} 2021'
    return run_with(engineer, study, {"cand": LOSSY, "other": {**KEPT, "a": hostile}})


def test_nothing_is_fetched_or_run_and_links_stay_in_the_page(two: Run) -> None:
    found = read(html_report(two))
    assert found.tags.isdisjoint({"script", "link", "iframe", "object", "form", "base", "img"})
    assert found.events == []
    assert all(target.startswith("#") for target in found.targets)
    assert {target[1:] for target in found.targets} <= set(found.ids)
    assert "url(h" not in html_report(two) and "@import" not in html_report(two)


def test_no_id_stands_twice(two: Run) -> None:
    ids = read(html_report(two)).ids
    assert sorted(ids) == sorted(set(ids))


def test_markup_in_a_rewrite_is_text(two: Run) -> None:
    text = html_report(two)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "<script" not in text and "<img" not in text


def test_every_candidate_stands_there_with_every_class_and_every_rule(two: Run) -> None:
    text = html_report(two)
    verdicts = Verdict.objects.current(two)
    assert verdicts.count() == 4
    for verdict in verdicts:
        assert escape(verdict.content["sentence"]) in text
        for rule in verdict.content["rules"]:
            assert escape(rule["sentence"]) in text
    scopes = [
        table.scope
        for part in report_context(two)["parts"]
        for table in (part.table, *part.by_class)
    ]
    assert scopes == ["all", "dated-fact", "follow-up"] * 2


def test_the_page_begins_with_the_answer_for_every_class_and_candidate(two: Run) -> None:
    text = html_report(two)
    table = text[text.index('id="answers"') : text.index('id="contents"')]
    assert table.count('<span class="word ') == 4
    assert table.count(" of 2 classes") == 2
    assert "complete in 1 of 1" in table
    places = [f'id="{name}"' for name in ("answers", "contents", "c1", "c2", "negatives", "again")]
    assert sorted(places, key=text.index) == places


def test_candidates_stand_in_the_order_of_the_page(two: Run) -> None:
    names = [part.report.candidate.name for part in report_context(two)["parts"]]
    assert names == [arm.name for arm in two.arms.all() if arm.is_candidate]


def test_the_scorecards_of_single_classes_stand_at_the_end(two: Run) -> None:
    text = html_report(two)
    assert text.index('id="c2-scope-1"') < text.index('id="again"') < text.index('id="c1-scope-2"')
    assert 'href="#c2-classes"' in text


def test_the_lead_says_how_much_of_the_judge_is_checked(two: Run) -> None:
    lead = html_report(two).partition('id="answers"')[0]
    assert re.search(r"0 of \d+ judgements by people; 0 of \d+ drawn checks done: the judge", lead)


def test_the_page_is_made_of_what_the_json_holds(two: Run) -> None:
    head, context = report_head(two), report_context(two)
    assert context["counts"] == {name: head["facts"][name] for name in ("cases", "requests")}
    assert context["void"] == head["void"]
    for part in context["parts"]:
        assert part.report.waiting == head["facts"]["waiting"][part.report.candidate.name]
        assert part.report.requests == head["facts"]["requests"]


def test_all_the_conditions_hashes_and_the_command_stand_there(two: Run) -> None:
    text = html_report(two)
    for sha256 in (two.conditions.sha256, two.result_sha256):
        assert sha256 in text
    assert "python manage.py report --verify study-run-1.json" in text


def test_equal_runs_give_equal_pages(two: Run) -> None:
    assert html_report(two) == html_report(two)


def test_the_page_says_its_language(two: Run) -> None:
    with translation.override("de"):
        assert '<html lang="de">' in html_report(two)
    assert '<html lang="en">' in html_report(two)


def test_what_is_too_long_for_paper_says_how_much_is_shown(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_LOST", 3)
    run = run_with(engineer, study, {"cand": fill_wide(study, 5)})
    text = html_report(run)
    assert re.search(r"3 of 5 lost constraints are shown", text)
    assert text.count('class="case"') == 3


def test_a_run_without_a_candidate_is_a_page_too(study: Project, engineer: Person) -> None:
    run = run_with(engineer, study, {})
    assert "This run has no candidate" in html_report(run)
