"""Guidelines: what Markdown becomes, versions, conflicts, and the aside beside the work."""

from collections.abc import Callable
from http import HTTPStatus

import pytest
from django.template import Context, Template
from django.test import Client

from annotation.desk import WORK_KINDS
from annotation.guidelines import all_topics, line_diff, rendered, topics_of_work
from annotation.models import Guideline, Person, Project
from annotation.services import ledger
from annotation.services.guidelines import GuidelineMoved, text_hash, write_guideline

ClientOf = Callable[[Person], Client]
HTMX = {"HX-Request": "true"}
PAYLOADS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](&#106;avascript:alert(1))",
    "[a](vbscript:x)",
    "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "[a](//evil.example/)",
    "<javascript:alert(1)>",
    "![x](https://evil.example/x.png)",
    "![x](x.svg)",
    '[a](https://e.example "x\\" onmouseover=alert(1)")',
    "|a|\n|:-:|\n|b|",
    '```"><script>\nx\n```',
]


@pytest.fixture
def browser(project: Project, owner: Person, client_of: ClientOf) -> Client:
    return client_of(owner)


def write(project: Project, owner: Person, text: str, topic: str = "", seen: int = 0) -> Guideline:
    return write_guideline(actor=owner, project=project, topic=topic, text=text, seen=seen)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_markdown_carries_no_markup_of_its_author(payload: str) -> None:
    html = rendered(payload).lower()
    for harm in ("<script", "<img", "<svg", " style=", 'href="javascript', 'href="vbscript',
                 'href="data', 'href="//', '" onmouseover'):  # fmt: skip
        assert harm not in html


def test_template_marks_in_a_guideline_stay_words(
    project: Project, owner: Person, browser: Client
) -> None:
    write(project, owner, "{{7*7}} {% url 'home' %}")
    page = browser.get("/p/study/guidelines/").content.decode()
    assert "{{7*7}} {% url 'home' %}" in page.replace("&#x27;", "'").replace("&#39;", "'")


def test_links_lead_to_the_web_to_mail_or_within_the_site() -> None:
    html = rendered("[a](https://e.example/) [b](mailto:a@e.example) [c](../x#y)")
    assert html.count("<a ") == html.count('rel="noopener"') == 3


def test_headings_go_under_those_of_the_page() -> None:
    html = rendered("## A\n\n#### B\n\n## C\n\n# D", 2)
    assert [html[html.index(f">{name}<") - 1] for name in "ABCD"] == ["3", "4", "4", "3"]


def test_a_diff_marks_lines_and_leaves_out_what_is_far_from_a_change() -> None:
    old = "a\nb\nc\nd\ne\nf\ng"
    found = line_diff(old, old.replace("a", "A").replace("g", "G"))
    assert [(line.sign, line.text) for line in found] == [
        ("-", "a"), ("+", "A"), ("", "b"), ("", "c"), ("…", ""),
        ("", "e"), ("", "f"), ("-", "g"), ("+", "G"),
    ]  # fmt: skip


def test_the_topics_are_for_all_then_each_kind_of_work_with_what_it_names() -> None:
    names = [topic.name for topic in all_topics()]
    assert names[0] == "" and len(names) == len(set(names))
    assert set(WORK_KINDS) <= set(names) and {"referent", "time", "evidence"} <= set(names)
    beside = [topic.name for topic in topics_of_work("sheet")]
    assert beside[:4] == ["", "sheet", "referent", "time"] and len(beside) == 9


def test_an_owner_writes_and_the_ledger_has_the_hash(
    project: Project, browser: Client, annotator_a: Person, client_of: ClientOf
) -> None:
    response = browser.post("/p/study/guidelines/time/edit/", {"text": "Mark *dates*.", "seen": 0})
    assert response["Location"] == "/p/study/guidelines/time/"
    entry = project.ledger.last()
    assert (entry.kind, entry.subject) == ("guideline.changed", "time")
    assert entry.content == {"version": 1, "sha256": text_hash("Mark *dates*.")}
    page = client_of(annotator_a).get("/p/study/guidelines/").content.decode()
    assert "<em>dates</em>" in page and "/edit/" not in page


def test_every_version_stays_readable_with_its_author_and_its_changes(
    project: Project, owner: Person, browser: Client
) -> None:
    write(project, owner, "One")
    write(project, owner, "Two", seen=1)
    first = browser.get("/p/study/guidelines/general/1/").content.decode()
    assert "<p>One</p>" in first and "Version 1 of 2" in first
    second = browser.get("/p/study/guidelines/general/").content.decode()
    assert "<del>" in second and "<ins>" in second and second.count("owner") >= 2


def test_the_same_text_again_is_no_new_version(project: Project, owner: Person) -> None:
    assert write(project, owner, "One") == write(project, owner, "One", seen=0)
    assert Guideline.objects.count() == 1


def test_a_change_on_top_of_an_older_version_shows_both_texts(
    project: Project, owner: Person, browser: Client
) -> None:
    write(project, owner, "Theirs")
    words = {"text": "Mine", "seen": 0}
    response = browser.post("/p/study/guidelines/general/edit/", words)
    page = response.content.decode()
    assert response.status_code == HTTPStatus.CONFLICT
    assert "<p>Theirs</p>" in page and "Mine</textarea>" in page and 'value="1"' in page
    assert Guideline.objects.count() == 1
    assert (
        browser.post("/p/study/guidelines/general/edit/", {"text": "Mine", "seen": 1}).status_code
        == 302
    )
    assert Guideline.objects.current(project).get().text == "Mine"


def test_of_two_writers_of_a_first_version_one_is_told(project: Project, owner: Person) -> None:
    write(project, owner, "One")
    with pytest.raises(GuidelineMoved, match="owner saved version 1"):
        write(project, owner, "Another")


def test_an_altered_guideline_is_noticed(project: Project, owner: Person) -> None:
    written = write(project, owner, "One", topic="time")
    assert ledger.first_altered(project) is None
    Guideline.objects.filter(pk=written.pk).update(text="Two")
    broken = ledger.first_altered(project)
    assert broken and "was changed after it was sealed" in broken.reason


@pytest.mark.parametrize(
    "text, status, shown",
    [("**b** <i>x</i>", 200, "<strong>b</strong> &lt;i&gt;x&lt;/i&gt;"),
     ("x" * 50_001, 422, "at most 50000")],
)  # fmt: skip
def test_a_preview_shows_the_text_as_others_will_read_it(
    text: str, status: int, shown: str, browser: Client
) -> None:
    words = {"text": text, "seen": 0}
    for where, headers in (("preview/", HTMX), ("edit/", {})):
        there = f"/p/study/guidelines/general/{where}"
        response = browser.post(there, {**words, "preview": "1"}, headers=headers)
        assert response.status_code == status and shown in response.content.decode()
    assert not Guideline.objects.exists()


@pytest.mark.parametrize("path", ["nothing/", "nothing/edit/", "general/7/"])
def test_a_topic_or_version_that_does_not_exist_is_not_there(path: str, browser: Client) -> None:
    assert browser.get(f"/p/study/guidelines/{path}").status_code == HTTPStatus.NOT_FOUND


def test_empty_guidelines_say_what_they_are_for(
    project: Project, browser: Client, annotator_a: Person, client_of: ClientOf
) -> None:
    assert "Write the first guideline" in browser.get("/p/study/guidelines/").content.decode()
    page = client_of(annotator_a).get("/p/study/guidelines/").content.decode()
    assert "Nothing is written yet" in page and "Write" not in page


def beside(project: Project, kind: str) -> str:
    page = Template("{% load guidelines %}{% guidelines_beside project kind %}")
    return page.render(Context({"project": project, "kind": kind}))


def test_the_aside_has_the_newest_texts_of_its_kind_of_work_only(
    project: Project, owner: Person
) -> None:
    write(project, owner, "Old")
    write(project, owner, "For all", seen=1)
    write(project, owner, "About dates", topic="time")
    write(project, owner, "About references", topic="standalone")
    page = beside(project, "sheet")
    assert "For all" in page and 'data-topic="time"' in page and 'id="guideline-time"' in page
    assert "Old" not in page and "About references" not in page


def test_the_aside_takes_one_query(
    project: Project, owner: Person, django_assert_num_queries: Callable[[int], object]
) -> None:
    write(project, owner, "For all")
    with django_assert_num_queries(1):  # type: ignore[attr-defined]
        beside(project, "sheet")


def test_an_aside_without_texts_says_who_writes_them(project: Project) -> None:
    assert "An owner of the project writes them" in beside(project, "sheet")
