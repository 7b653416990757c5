"""D16, D43, D44: words that a file brought are words on every page, in every file that goes out and
in the log.
"""

import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client

from annotation.exporting.cells import harmless
from annotation.models import Person, Project
from annotation.services.exports import begin_export
from annotation.services.imports import import_file
from tests.annotation.conftest import lines

HARM = (
    '<img src=x onerror=alert(1)>"><script>alert(1)</script>{{ 7*7 }}{% load x %}${7*7}'
    "![x](http://evil.example/x.png)[y](javascript:alert(1))"
)
WORDS = f"=Norrby \u202eevil\u202c {HARM}\r\nSet-Cookie: harm=1"
KEY = f"k{HARM}"
RAW = ("<img src=x", "<script>alert", "onerror=alert(1)>", "<img", 'href="javascript', "evil</")
MOST_PAGES = 150


def constraint(**changed: Any) -> dict[str, Any]:
    value = {"name": WORDS, "aliases": [WORDS], "from_turn": None, "unresolved": False}
    span = {"turn": 0, "start": 1, "end": 7}
    return {"id": "c1", "kind": "referent", "materiality": "critical", "span": span,
            "value": value, "admissible": [WORDS], **changed}  # fmt: skip


DOUBT = {"unresolved": False, "readings": []}
FILES: list[tuple[str, dict[str, Any]]] = [
    ("corpus", {"_id": KEY, "title": WORDS, "text": WORDS, "metadata": {WORDS: WORDS}}),
    ("requests", {"id": KEY, "class": "<b>{{7*7}}</b>", "text": WORDS, "answers": [WORDS],
                  "evidence": [[KEY]], "turns": [{"role": "user", "text": WORDS}], WORDS: WORDS}),
    ("requests", {"id": f"open {HARM}", "class": "<b>{{7*7}}</b>", "text": WORDS}),
    ("sheets", {"request": KEY, "annotator": "annotator-b", "constraints": [constraint()],
                "ambiguity": {"unresolved": True, "readings": [WORDS, "x"]}}),
    ("contracts", {"request": KEY, "constraints": [constraint()], "ambiguity": DOUBT}),
    ("standalone", {"request": KEY, "text": WORDS, "author": "annotator-a"}),
    ("rewrites", {"request": KEY, "kind": "standalone", "queries": [WORDS],
                  "filters": {WORDS: WORDS}}),
]  # fmt: skip


@pytest.fixture
def hostile(project: Project) -> Project:
    for n, (kind, row) in enumerate(FILES):
        import_file(
            actor=project.created_by, project=project, kind=kind, filename=f"{n}{HARM}.jsonl",
            data=lines([row]), target="cand",
        )  # fmt: skip
    return project


class Overridden(HTMLParser):
    """The texts of a page with an override that stand among somebody's words: how many there are,
    and where nothing isolates them.
    """

    VOID = ("br", "img", "input", "link", "meta")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.count = 0
        self.loose: list[str] = []
        self._within: list[tuple[str, bool, bool]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            given = dict(attrs)
            is_words = (given.get("class") or "").startswith("words")
            self._within.append((tag, is_words, tag != "html" and "dir" in given))

    def handle_endtag(self, tag: str) -> None:
        while self._within and self._within.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "\u202e" in data and any(is_words for _tag, is_words, _own in self._within):
            self.count += 1
            if not any(own_direction for _tag, _is_words, own_direction in self._within):
                self.loose.append("/".join(tag for tag, *_rest in self._within))


def crawled(browser: Client, start: list[str]) -> dict[str, str]:
    """Every page of the study that links lead to, by its address."""
    found: dict[str, str] = {}
    waiting = list(start)
    while waiting and len(found) < MOST_PAGES:
        path = waiting.pop()
        if path in found:
            continue
        answer = browser.get(path, follow=True)
        found[path] = b"".join(answer).decode() if answer.status_code == 200 else ""
        for link in re.findall(r'href="(/p/study/[^"#]*)', found[path]):
            waiting.append(link.replace("&amp;", "&"))
    return found


def taken_by(browser: Client) -> list[str]:
    """The desks of the work that is given to who asks for it."""
    kinds = ("sheet", "standalone")
    answers = [browser.post(f"/p/study/desk/next/{kind}/") for kind in kinds]
    return [answer["Location"] for answer in answers if "Location" in answer]


@pytest.mark.parametrize("name", ["owner", "engineer", "adjudicator", "annotator_a"])
def test_no_page_that_links_lead_to_runs_or_loads_what_a_file_brought(
    name: str,
    hostile: Project,
    client_of: Callable[[Person], Client],
    request: pytest.FixtureRequest,
) -> None:
    browser = client_of(request.getfixturevalue(name))
    pages = crawled(browser, ["/", "/p/study/", *taken_by(browser)])
    assert any("{{ 7*7 }}" in page for page in pages.values()), sorted(pages)
    for path, page in pages.items():
        assert [raw for raw in RAW if raw in page] == [], path
        assert not re.search(r'(src|href|action)="http://evil', page), path


@pytest.mark.parametrize("name", ["engineer", "adjudicator", "annotator_a"])
def test_words_are_isolated_from_the_direction_of_what_stands_around_them(
    name: str,
    hostile: Project,
    client_of: Callable[[Person], Client],
    request: pytest.FixtureRequest,
) -> None:
    """HTML isolates an element with `dir`: an override in it ends with it (HTML 15.3.5)."""
    browser = client_of(request.getfixturevalue(name))
    pages = crawled(browser, ["/p/study/", *taken_by(browser)])
    found = {path: Overridden(page) for path, page in pages.items()}
    assert sum(page.count for page in found.values()) > 0
    assert {path: page.loose for path, page in found.items() if page.loose} == {}


@pytest.mark.parametrize("kind", ["requests", "sheets", "contracts", "standalone"])
def test_the_lines_of_an_export_hold_the_words_exactly(
    kind: str, hostile: Project, owner: Person
) -> None:
    export = begin_export(actor=owner, project=hostile, kind_name=kind, form="jsonl")
    text = b"".join(export.pieces()).decode()
    assert HARM.replace('"', '\\"') in text and len(text.splitlines()) == text.count("\n")


def test_a_table_for_a_spreadsheet_runs_no_formula(hostile: Project, owner: Person) -> None:
    export = begin_export(actor=owner, project=hostile, kind_name="requests", form="csv")
    text = b"".join(export.pieces()).decode()
    assert harmless(WORDS).replace('"', '""') in text and ',"=' not in text and ",=" not in text


def test_nothing_of_a_file_is_in_the_log(
    hostile: Project, engineer: Person, client_of: Callable[[Person], Client], caplog: Any
) -> None:
    browser = client_of(engineer)
    crawled(browser, ["/p/study/"])
    browser.get("/p/study/requests/a%0d%0aINJECTED/")
    assert all("evil" not in line and "\nINJECTED" not in line for line in caplog.messages)
