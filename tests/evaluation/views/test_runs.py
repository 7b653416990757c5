"""From frozen conditions to the verdict page."""

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
from evaluation.reports.export import report_json
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
         "token_budget": 100},
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
         "token_budget": 100},
    )  # fmt: skip
    assert response.status_code == 422
    assert "Import a corpus first" in words(response)


def test_the_progress_of_an_open_run_asks_for_itself_again(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    begin(engineer, study, ["original", "keywords"])
    page = words(client_of(engineer).get(PROGRESS, **HTMX))
    assert f'hx-get="{PROGRESS}" hx-trigger="every 1s"' in page
    assert "0 of 6 cases done" in page


@pytest.mark.parametrize("state", [Run.State.FINISHED, Run.State.FAILED])
def test_the_progress_of_a_run_that_is_over_ends_the_polling(
    state: str, study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    run = begin(engineer, study, ["original", "keywords"])
    Run.objects.filter(pk=run.pk).update(state=state)
    response = client_of(engineer).get(PROGRESS, **HTMX)
    assert response["HX-Refresh"] == "true"
    assert b"hx-trigger" not in response.content


def test_a_run_that_nobody_took_says_how_to_start_a_worker_after_five_seconds(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    run = begin(engineer, study, ["original"])
    client = client_of(engineer)
    sentence = "No worker has taken this run yet"
    fresh = sentence in words(client.get(PROGRESS))
    Run.objects.filter(pk=run.pk).update(created_at=timezone.now() - timedelta(seconds=6))
    assert (fresh, sentence in words(client.get(PROGRESS))) == (False, True)


def test_a_failed_run_shows_its_sentence_and_resumes(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    run = begin(engineer, study, ["original"])
    Run.objects.filter(pk=run.pk).update(state=Run.State.FAILED, error="The endpoint is gone.")
    run.cases.update(state=Case.State.FAILED)
    client = client_of(engineer)
    page = words(client.get(reverse("run", args=["study", 1])))
    client.post(reverse("run-resume", args=["study", 1]))
    run.refresh_from_db()
    assert "The endpoint is gone." in page and "hx-trigger" not in page
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
