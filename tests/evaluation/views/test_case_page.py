"""The page of one case: what was searched, found, cited and measured, and what failed."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Person, Project
from evaluation.models import Case, Run
from tests.evaluation.generation.fake_endpoint import Reply, fake_endpoint
from tests.evaluation.runs.small_study import REQUESTS, begin, case_of, finish, upload
from tests.evaluation.views.worlds import LOSSY

TEXTS = {str(row["id"]): str(row["text"]) for row in REQUESTS}


def page_of(client: Client, request: str = "a") -> Any:
    response = client.get(reverse("case", args=["study", 1, request]))
    assert response.status_code == 200
    return response


def arm(response: Any, name: str) -> Any:
    return next(case for case in response.context["cases"] if case.arm.name == name)


@pytest.fixture
def client(engineer: Person, client_of: Callable[[Person], Client]) -> Client:
    return client_of(engineer)


@pytest.fixture
def fused(study: Project, engineer: Person) -> Run:
    upload(study, "cand", {**LOSSY, "a": "Lark Bakery"})
    return finish(begin(engineer, study, ("original", "cand"), retriever="rrf", k=3))


def test_it_says_what_was_searched_beside_the_rewrite_and_what_found_each_hit(
    fused: Run, client: Client
) -> None:
    response = page_of(client)
    shown = arm(response, "cand")
    assert [(q.text, q.added) for q in shown.searched] == [
        ("Lark Bakery", False),
        (TEXTS["a"], True),
    ]
    found = {hit.id: hit.found for hit in shown.hits}
    assert found["d4"] == ("query 1, rank 1 in bm25",)
    assert found["d1"] == ("the original request, rank 1 in bm25",)
    assert b"the original request, added by the retriever" in response.content
    assert arm(response, "original").searched == ()


def test_an_answer_links_what_it_cites_to_the_hit_and_marks_its_sentence(
    run: Run, client: Client
) -> None:
    response = page_of(client)
    shown = arm(response, "original")
    [(document, anchor)] = shown.citations
    hit = next(hit for hit in shown.hits if hit.id == document.id)
    assert (anchor, hit.cited) == (hit.anchor, True)
    page = response.content.decode()
    assert f'href="#{anchor}"' in page and f'id="{anchor}"' in page
    assert f"<mark>{document.sentence}</mark>" in page and document.sentence == shown.answer


def test_a_rewriter_that_fell_back_is_marked_and_is_no_success(
    study: Project, engineer: Person, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {"tokens": {"in": 7}, "cost_usd": 0.5}
    rows = [
        {"kind": "standalone", "queries": [], "fell_back": True},
        {"kind": "standalone", "queries": ["revenue"], **told},
        {"kind": "standalone", "queries": ["revenue"], **told},
    ]
    script = [Reply(body=json.dumps(row).encode()) for row in rows]
    with fake_endpoint(*script) as service:
        monkeypatch.setenv("INTACT_OUTBOUND_HOSTS", "127.0.0.1")
        monkeypatch.setenv("INTACT_REWRITER_URL", service.origin)
        run = finish(begin(engineer, study, ("original", "http")))
    pages = {key: page_of(client, key) for key in "abc"}
    fell = [key for key in "abc" if arm(pages[key], "http").shown.rewrite.fell_back]
    assert len(fell) == 1
    for key, response in pages.items():
        page = response.content.decode()
        mark = '<span class="state fell-back">fell back to the original</span>'
        assert (mark in page) == ("counts as no rewrite" in page) == (key in fell)
        measured = next(one for one in arm(response, "http").took if one.stage == "rewrite")
        assert ("7 tokens in" in measured.parts and "USD 0.500" in measured.parts) != (key in fell)
    row = next(
        row
        for row in run.result["scorecard"]["arms"]
        if (row["arm"], row["scope"]) == ("http", "all")
    )
    assert (row["rewriting"]["fell_back"], row["rewriting"]["rewritten"]) == (1, 2)
    assert row["measured"]["cost"]["n"] == 2
    verdict = client.get(reverse("run", args=["study", 1])).content.decode()
    assert "Fell back to the original" in verdict and "1 of 3" in verdict


@pytest.mark.parametrize(
    ("state", "status", "words"),
    [
        ("failed", "timed_out", "too slow: no answer within its time"),
        ("dead", "provider_error", "given up after 3 attempts: its service failed"),
        ("dead", "", "given up after 3 attempts"),
    ],
)
def test_a_case_without_a_result_says_so_in_words_with_its_sentence(
    run: Run, client: Client, state: str, status: str, words: str
) -> None:
    failed = case_of(run, "cand", "a")
    failed.stages.exclude(stage="rewrite").delete()
    failed.judgements.all().delete()
    Case.objects.filter(pk=failed.pk).update(
        state=state, status=status, error="service x was too slow.", attempts=3, outcome=None
    )
    response = page_of(client)
    shown = arm(response, "cand")
    assert (str(shown.status), shown.error) == (words, "service x was too slow.")
    assert (shown.hits, shown.answer, shown.no_answer) == ((), "", "No answer is on record.")
    page = response.content.decode()
    assert words in page and "Service x was too slow." in page
    # The two other arms have these parts; a case that never got there has none.
    assert page.count("<h3>Retrieved</h3>") == page.count("<h3>Answer</h3>") == 2


def test_an_abstention_is_said_and_cites_nothing(run: Run, client: Client) -> None:
    stage = case_of(run, "cand", "a").stages.get(stage="answer")
    stage.content |= {"answer": None, "citations": [], "status": "abstained"}
    stage.save(update_fields=["content"])
    assert arm(page_of(client), "cand").no_answer == "The reader abstained."


def test_a_cited_document_that_was_not_retrieved_is_named_as_such(run: Run, client: Client) -> None:
    stage = case_of(run, "cand", "a").stages.get(stage="answer")
    stage.content |= {"answer": "x", "citations": ["d4"]}
    stage.save(update_fields=["content"])
    response = page_of(client)
    [(document, anchor)] = arm(response, "cand").citations
    assert (document.id, document.rank, anchor) == ("d4", None, "")
    assert b"not retrieved" in response.content


def test_a_logged_run_without_its_hits_is_not_said_to_have_retrieved_nothing(
    run: Run, client: Client
) -> None:
    kept = {row.stage: row for row in case_of(run, "cand", "a").stages.all()}
    kept["retrieve"].content = {"hits": [], "note": "uploaded", "unlogged": True}
    kept["answer"].content |= {"answer": "x", "citations": ["d4"]}
    for row in kept.values():
        row.save(update_fields=["content"])
    page = page_of(client).content.decode()
    assert "What was retrieved is not on record." in page
    assert "not retrieved" not in page


def test_what_was_lost_first_is_said_in_the_words_that_were_asked(run: Run, client: Client) -> None:
    lost = case_of(run, "cand", "a")
    row = arm(page_of(client), "cand").judged[0].row
    why = f"The rewrite dropped {row.constraint} and altered unknown."
    outcome = {**(lost.outcome or {}), "first_lost": {"stage": "rewrite", "why": why}}
    Case.objects.filter(pk=lost.pk).update(outcome=outcome)
    shown = arm(page_of(client), "cand").shown
    assert shown.stage_why == f"The rewrite dropped “{row.phrase}” and altered unknown."
