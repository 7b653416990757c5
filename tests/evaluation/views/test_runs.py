"""From frozen conditions to the verdict page."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Person, Project
from evaluation.models import Case, Run
from evaluation.reports.exports.as_json import report_json
from evaluation.reports.verdict.report import registered_sentence
from evaluation.runs.tasks import work_on_run
from tests.evaluation.runs.small_study import begin, register

PROGRESS = reverse("run-progress", args=["study", 1])
HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture(autouse=True)
def no_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages to workers go nowhere; the tests work themselves."""
    monkeypatch.setattr(work_on_run, "delay", lambda run_id: None)


def words(response) -> str:  # type: ignore[no-untyped-def]
    return " ".join(unescape(response.content.decode()).split())


def test_freezing_and_starting_lead_to_the_run(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    client = client_of(engineer)
    protocol = register(engineer, study)
    frozen = client.post(
        reverse("conditions-new", args=["study"]),
        {"retriever": "bm25", "k": 2, "reader": "extractive", "original": "last",
         "token_budget": 100, "support": "sentences"},
    )  # fmt: skip
    started = client.post(frozen.url, {"protocol": protocol.pk, "arms": ["human", "keywords"]})
    run = study.runs.get()
    assert started.url == reverse("run", args=["study", run.number])
    assert set(run.arm_content) == {"original", "human", "keywords"}


def test_the_page_of_conditions_shows_its_hash_and_every_arm_that_can_run(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    page = words(client_of(engineer).get(reverse("conditions", args=["study", run.conditions_id])))
    shown = (run.conditions.sha256, "cand", "keywords", "One query of the request's keywords")
    assert [text for text in shown if text not in page] == []


def test_conditions_that_cannot_be_frozen_are_422_with_a_sentence(
    project: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    response = client_of(engineer).post(
        reverse("conditions-new", args=["study"]),
        {"retriever": "bm25", "k": 2, "reader": "extractive", "original": "last",
         "token_budget": 100, "support": "sentences"},
    )  # fmt: skip
    assert response.status_code == 422
    assert "Import a corpus first" in words(response)


def test_the_progress_of_an_open_run_asks_for_itself_again(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    begin(engineer, study, ["original", "keywords"])
    page = words(client_of(engineer).get(PROGRESS, **HTMX))
    assert f'hx-get="{PROGRESS}?told=0" hx-trigger="every 2s"' in page
    assert "0 of 6 cases closed" in page


ENDS = [Run.State.FINISHED, Run.State.FAILED, Run.State.PAUSED, Run.State.CANCELLED]


@pytest.mark.parametrize("state", ENDS)
def test_the_progress_of_a_run_that_nobody_works_on_ends_the_polling(
    state: str, study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    run = begin(engineer, study, ["original", "keywords"])
    Run.objects.filter(pk=run.pk).update(state=state)
    response = client_of(engineer).get(PROGRESS, **HTMX)
    assert response["HX-Refresh"] == "true"
    assert b"hx-trigger" not in response.content


@pytest.mark.parametrize("state", ENDS[1:])
def test_the_page_of_a_run_that_nobody_works_on_asks_for_nothing(
    state: str, study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    run = begin(engineer, study, ["original", "keywords"])
    Run.objects.filter(pk=run.pk).update(state=state)
    assert "hx-trigger" not in words(client_of(engineer).get(reverse("run", args=["study", 1])))


def test_what_is_said_aloud_is_sent_only_when_it_is_news(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    begin(engineer, study, ["original", "keywords"])
    client = client_of(engineer)
    same, news = (words(client.get(PROGRESS, {"told": told}, **HTMX)) for told in ("0", "x"))
    said = 'id="run-said" hx-swap-oob="innerHTML">0 of 6 cases closed.'
    assert (said in same, said in news) == (False, True)


def test_the_progress_shows_each_arm_at_each_stage_and_what_the_run_waits_for(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    run = begin(engineer, study, ["original", "keywords"])
    run.cases.filter(arm__name="keywords").update(stages_done=2)
    Run.objects.filter(pk=run.pk).update(state="running", notice="The model is away.")
    page = words(client_of(engineer).get(PROGRESS))
    assert "The model is away." in page
    shown = ("all arms, retrieval", "keywords, retrieval", "original, retrieval")
    found = [re.search(f'max="(.)" value="(.)" aria-label="{label}"', page) for label in shown]
    assert [match and match.groups() for match in found] == [("6", "3"), ("3", "3"), ("3", "0")]


def test_a_run_that_nobody_took_says_how_to_start_a_worker_after_five_seconds(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    run = begin(engineer, study, ["original"])
    client = client_of(engineer)
    sentence = "No worker has taken this run yet"
    fresh = sentence in words(client.get(PROGRESS))
    Run.objects.filter(pk=run.pk).update(created_at=timezone.now() - timedelta(seconds=6))
    assert (fresh, sentence in words(client.get(PROGRESS))) == (False, True)


def test_a_failed_run_shows_its_sentence_and_retries_what_failed(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    run = begin(engineer, study, ["original"])
    Run.objects.filter(pk=run.pk).update(state=Run.State.FAILED, error="The endpoint is gone.")
    run.cases.update(state=Case.State.FAILED)
    client = client_of(engineer)
    page = words(client.get(reverse("run", args=["study", 1])))
    client.post(reverse("run-retry", args=["study", 1]))
    run.refresh_from_db()
    assert "The endpoint is gone." in page and "Retry the 3 failed" in page
    assert (run.state, run.cases.filter(state=Case.State.PENDING).count()) == ("queued", 3)


def test_the_verdict_page_says_the_same_sentences_as_the_gate(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("gate", "study/1", stdout=out)
    told = [line.partition(": ")[2] for line in out.getvalue().splitlines()]
    page = words(client_of(engineer).get(reverse("run", args=["study", 1])))
    assert len(told) == 2
    assert [sentence for sentence in told if sentence not in page] == []


def test_the_verdict_page_has_the_numbers_of_the_json_report(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    report = report_json(run)
    row = next(
        row
        for row in report["result"]["scorecard"]["arms"]
        if (row["arm"], row["scope"]) == ("cand", "all")
    )
    response = client_of(engineer).get(reverse("run", args=["study", 1]))
    table = response.context["report"].table
    shown = table.five[0].cells[table.arms.index("cand")]
    estimate = row["scores"]["constraint_preservation"]["estimate"]
    assert (estimate["numerator"], estimate["n"]) == (4, 5)
    assert (shown.text, shown.of) == ("80.0 %", "4 of 5")
    assert "80.0 %" in words(response)


def test_the_verdict_page_says_that_a_logged_arm_has_the_latency_of_its_pipeline(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    sentence = "its latency is that of the whole pipeline"
    client, page = client_of(engineer), reverse("run", args=["study", 1])
    before = words(client.get(page))
    content = run.arm_content
    content["cand"]["runs"] = "0" * 64
    Run.objects.filter(pk=run.pk).update(arm_content=content)
    assert (sentence in before, sentence in words(client.get(page))) == (False, True)


def test_nothing_on_the_verdict_page_is_nan(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    client = client_of(engineer)
    pages = (client.get(reverse("run", args=["study", 1]), {"class": c}) for c in ("", "follow-up"))
    assert not any("nan" in words(page).lower().split() for page in pages)


def test_the_list_says_the_verdicts_of_each_run_in_a_line(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    page = words(client_of(engineer).get(reverse("runs", args=["study"])))
    assert "<b>cand</b>: 2 release" in page


def test_an_empty_list_of_runs_says_what_comes_first(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    page = words(client_of(engineer).get(reverse("runs", args=["study"])))
    assert "Register a protocol" in page


def test_the_page_answers_its_title_and_says_that_the_judge_is_unchecked(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    page = words(client_of(engineer).get(reverse("run", args=["study", 1])))
    lead = page[page.index("</h1>") : page.index('class="verdicts"')]
    assert "Yes in 2 of 2 classes (dated-fact, follow-up)." in lead
    assert re.search(r"\d of \d+ judgements? by people; .*the judge(&#x27;|')s error", lead)


def test_a_class_that_must_ask_says_not_to_ship_and_leads_to_the_requests(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    verdict = run.verdicts.first()
    assert verdict is not None
    clarify = {"request": "a", "asked": False}
    verdict.content |= {"outcome": "clarify", "deciding": "clarification", "clarify": [clarify]}
    verdict.content |= {"unresolved": 1, "asked": 0}
    type(verdict).objects.filter(pk=verdict.pk).update(content=verdict.content)
    page = words(client_of(engineer).get(reverse("run", args=["study", 1])))
    assert "Do not ship for this class until it asks in 1 of 1." in page
    assert f'It did not ask in <a href="{reverse("case", args=["study", 1, "a"])}">a</a>.' in page
    assert "only if it asks in 1 (" in page


def test_rules_registered_seconds_before_a_run_are_not_0_minutes_old(run: Run) -> None:
    assert run.protocol is not None
    assert registered_sentence(run, run.protocol) == (
        "Registered less than a minute before this run started."
    )
    run.created_at = run.protocol.registered_at + timedelta(minutes=3)
    assert "3\xa0minutes before" in registered_sentence(run, run.protocol)
