"""Runs over variation sets as pages: started, watched, read, exported, and who may."""

import csv
import io
import json
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Person, Project
from annotation.services.projects import set_member
from annotation.services.still_open import still_open_to
from evaluation.models import SuiteRow, SuiteRun
from evaluation.suites.tasks import work_on_suite
from tests.evaluation.suites.worlds import begin, finish, nested

ClientOf = Callable[[Person], Client]


@pytest.fixture(autouse=True)
def no_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages to workers go nowhere; the tests work themselves."""
    monkeypatch.setattr(work_on_suite, "delay", lambda run_id: None)


def at(act: str = "", *more: Any) -> str:
    return reverse(f"suite-run-{act}" if act else "suite-run", args=["study", 1, *more])


def words(response: Any) -> str:
    body = b"".join(response.streaming_content) if response.streaming else response.content
    return " ".join(unescape(body.decode()).split())


def new() -> str:
    return reverse("suite-run-new", args=["study"])


def test_the_form_offers_made_sets_and_says_why_a_pipeline_cannot_be_had(
    study: Project, engineer: Person, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.offered.described_generator", lambda: None)
    nested(study)
    page = words(client_of(engineer).get(new()))
    assert "typos 25" in page and "typos 50" in page
    assert 'value="standard" checked disabled' in page
    assert 'value="hyde" disabled' in page and "needs a language model, and none is set" in page
    assert 'value="rewritten:keywords"' in page


def test_without_a_made_set_the_page_says_what_to_do(
    study: Project, engineer: Person, client_of: ClientOf
) -> None:
    page = words(client_of(engineer).get(new()))
    assert "No set is made yet" in page and reverse("variation-set-new", args=["study"]) in page


def test_the_form_starts_a_run_of_what_was_chosen(
    study: Project, engineer: Person, client_of: ClientOf
) -> None:
    sets = [one.pk for one in nested(study)]
    sent = {
        "sets": sets,
        "pipelines": ["rewritten:keywords"],
        "k": 2,
        "four_conditions": "on",
        "reader": "extractive",
        "reader-extractive-min_share": "0.1",
    }
    answer = client_of(engineer).post(new(), sent)
    assert answer.status_code == 302 and answer.url == at()
    content = SuiteRun.objects.get().content
    labels = [one["label"] for one in content["pipelines"]]
    assert labels == ["standard", "rewritten:keywords"]
    assert (content["k"], content["four_conditions"]) == (2, True)
    assert content["reader"]["parameters"]["min_share"] == 0.1


def test_a_form_without_a_set_is_422_and_starts_nothing(
    study: Project, engineer: Person, client_of: ClientOf
) -> None:
    nested(study)
    answer = client_of(engineer).post(new(), {"k": 3})
    assert answer.status_code == 422 and "Choose at least one set." in words(answer)
    assert not SuiteRun.objects.exists()


def test_the_parameters_of_another_part_are_shown_without_javascript(
    study: Project, engineer: Person, client_of: ClientOf
) -> None:
    (one, _two) = nested(study)
    client = client_of(engineer)
    answer = client.post(new(), {"sets": [one.pk], "reader": "extractive", "show": "reader"})
    page = words(client.get(answer.url))
    assert f'value="{one.pk}" checked' in page


def test_a_finished_run_begins_with_what_the_errors_cost(
    study: Project, engineer: Person, client_of: ClientOf
) -> None:
    finish(begin(engineer, study, four_conditions=True))
    page = words(client_of(engineer).get(at()))
    assert "What do typing errors cost here?" in page
    assert "With typing errors in 50 % of the questions (typos 50), standard" in page
    assert "points of F1" in page and "n = 3" in page
    assert "1 of 4 requests has no gold answer" in page
    assert "Read or searched" in page and page.count("<svg") == 3
    recall = words(client_of(engineer).get(at() + "?measure=recall"))
    assert "points of recall of evidence" in recall


def test_a_project_without_answers_is_told_of_recall_alone(
    study: Project, engineer: Person, client_of: ClientOf
) -> None:
    study.requests.update(answers=None)
    finish(begin(engineer, study))
    page = words(client_of(engineer).get(at()))
    assert "No request has a gold answer, so answers are not measured" in page
    assert "recall of evidence" in page and "measure=f1" not in page


def test_progress_asks_again_while_it_runs_and_ends_when_it_is_over(
    study: Project, engineer: Person, client_of: ClientOf
) -> None:
    run = begin(engineer, study)
    client = client_of(engineer)
    page = words(client.get(at()))
    assert 'hx-trigger="every 2s"' in page and "0 of 6 rows are there" in page
    fragment = words(client.get(at("progress"), HTTP_HX_REQUEST="true"))
    assert 'hx-trigger="every 2s"' in fragment and "<html" not in fragment
    finish(run)
    ended = client.get(at("progress"), HTTP_HX_REQUEST="true")
    assert ended["HX-Refresh"] == "true"
    assert client.get(at("progress")).url == at()
    assert "every 2s" not in words(client.get(at()))


def test_cancelling_asks_first(study: Project, engineer: Person, client_of: ClientOf) -> None:
    run = begin(engineer, study)
    client = client_of(engineer)
    assert "Cancel run 1 for good?" in words(client.get(at("cancel")))
    client.post(at("cancel"))
    run.refresh_from_db()
    assert run.state == "cancelled"
    page = words(client.get(at()))
    assert "This run ended for good and has no result." in page and at("export", "csv") in page


def test_failed_rows_are_counted_and_can_be_tried_again(
    study: Project, engineer: Person, client_of: ClientOf
) -> None:
    run = begin(engineer, study)
    content = {"status": "failed", "error": "The model is gone.", "what": "EndpointError"}
    request = study.requests.get(key="a")
    SuiteRow.objects.create(run=run, request=request, key="standard|clean|clean", content=content)
    finish(run)
    client = client_of(engineer)
    page = words(client.get(at()))
    assert "1 of them failed" in page and "The model is gone." in page
    client.post(at("resume"))
    run = finish(run)
    assert run.result["coverage"]["failed"] == 0


def test_the_table_of_rows_has_every_row_with_its_scores(
    study: Project, engineer: Person, client_of: ClientOf
) -> None:
    run = finish(begin(engineer, study))
    body = b"".join(client_of(engineer).get(at("export", "csv")).streaming_content).decode()
    rows = list(csv.DictReader(io.StringIO(body)))
    assert len(rows) == run.total
    clean = next(r for r in rows if (r["request"], r["shown"]) == ("a", "clean"))
    assert (clean["pipeline"], clean["status"], clean["recall"]) == ("standard", "ok", "1.0")
    assert clean["documents"] == "d1"


def test_the_document_has_everything_that_the_result_is_computed_from(
    study: Project, engineer: Person, client_of: ClientOf
) -> None:
    run = finish(begin(engineer, study))
    body = b"".join(client_of(engineer).get(at("export", "json")).streaming_content)
    told = json.loads(body)
    assert told["result_sha256"] == run.result_sha256 and told["content"] == run.content
    assert len(told["rows"]) == run.total and {
        row["outcome"]["status"] for row in told["rows"]
    } <= {"ok", "abstained"}


def test_a_run_that_is_not_over_has_no_file(
    study: Project, engineer: Person, client_of: ClientOf
) -> None:
    begin(engineer, study)
    assert client_of(engineer).get(at("export", "json")).status_code == 404


def test_whoever_may_still_annotate_its_requests_is_not_shown_the_result(
    study: Project, engineer: Person, owner: Person, client_of: ClientOf
) -> None:
    finish(begin(engineer, study))
    Project.objects.filter(pk=study.pk).update(paraphrases_per_request=1)
    both = Person.objects.create_user("both")
    set_member(actor=owner, project=study, person=both, roles=["annotator", "engineer"])
    client = client_of(both)
    page = words(client.get(at()))
    assert "Its results are not shown to you yet" in page and "What do typing errors" not in page
    assert client.get(at("export", "csv")).status_code == 403


def test_whoever_gives_their_work_up_is_shown_the_result_and_annotates_none_of_it(
    study: Project, engineer: Person, owner: Person, client_of: ClientOf
) -> None:
    finish(begin(engineer, study))
    Project.objects.filter(pk=study.pk).update(paraphrases_per_request=1)
    both = Person.objects.create_user("both")
    set_member(actor=owner, project=study, person=both, roles=["annotator", "engineer"])
    client = client_of(both)
    assert "Give it up and show the results" in words(client.get(at()))
    assert client.post(at()).status_code == 302
    assert "What do typing errors cost here?" in words(client.get(at()))
    assert client.get(at("export", "csv")).status_code == 200
    assert not still_open_to(person=both, project=study).exists()


def test_the_parameters_of_a_pipeline_are_set_without_json(
    study: Project, engineer: Person, client_of: ClientOf
) -> None:
    nested(study)
    client = client_of(engineer)
    sets = list(study.variation_sets.values_list("pk", flat=True))
    sent = {"sets": sets, "pipelines": ["rewritten:keywords"], "k": 1}
    wrong = client.post(new(), {**sent, "rewritten-keywords-max_words": "none"})
    assert wrong.status_code == 422 and "Enter a whole number" in words(wrong)
    client.post(new(), {**sent, "rewritten-keywords-max_words": "2"})
    told = [one["label"] for one in SuiteRun.objects.get().content["pipelines"]]
    assert told == ["standard", "rewritten:keywords(max_words=2)"]


def test_a_rewriter_without_what_it_needs_says_so_and_may_be_given_it(
    study: Project, engineer: Person, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    nested(study)
    monkeypatch.delenv("INTACT_CORRECTOR", raising=False)
    page = client_of(engineer).get(new()).content.decode()
    assert "needs a trained corrector: set INTACT_CORRECTOR" in page
    assert 'name="rewritten-ra_qcg-path"' in page


def test_an_owner_reads_and_does_nothing(
    study: Project, engineer: Person, owner: Person, client_of: ClientOf
) -> None:
    finish(begin(engineer, study))
    client = client_of(owner)
    assert client.get(at()).status_code == 200
    assert [client.get(new()).status_code, client.post(at("cancel")).status_code] == [403, 403]
