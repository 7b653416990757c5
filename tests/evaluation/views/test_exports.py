"""The page of a run's files, and the downloads."""

import json
from typing import Any

import pytest
from django.http import StreamingHttpResponse
from django.test import Client

from annotation.models import Person
from annotation.services.exposure import exposures
from evaluation.models import Protocol, Run
from evaluation.reports.exports.forms import FORMS
from evaluation.scoring.recomputing import recompute

PAGE = "/p/study/runs/1/export/"


@pytest.fixture
def client(client: Client, engineer: Person) -> Client:
    client.force_login(engineer)
    return client


def body(response: Any) -> bytes:
    assert isinstance(response, StreamingHttpResponse)
    return b"".join(response)  # type: ignore[arg-type]


def test_the_page_lists_every_file_and_how_to_compute_it_again(client: Client, run: Run) -> None:
    text = client.get(PAGE).content.decode()
    for form in FORMS:
        assert f'href="{PAGE}{form}/"' in text
    assert "python manage.py report --verify study-run-1.json" in text


def test_the_page_of_the_run_leads_there(client: Client, run: Run) -> None:
    assert f'href="{PAGE}"' in client.get("/p/study/runs/1/").content.decode()


@pytest.mark.parametrize(
    ("form", "content_type", "filename"),
    [
        ("html", "text/html; charset=utf-8", "study-run-1.html"),
        ("json", "application/json; charset=utf-8", "study-run-1.json"),
        ("csv", "text/csv; charset=utf-8; header=present", "study-run-1-constraints.csv"),
        ("csv-wide", "text/csv; charset=utf-8; header=present", "study-run-1-requests.csv"),
        ("junit", "application/xml; charset=utf-8", "study-run-1-junit.xml"),
    ],
)
def test_each_file_is_a_private_download_under_its_own_name(
    form: str, content_type: str, filename: str, client: Client, run: Run
) -> None:
    response = client.get(f"{PAGE}{form}/")
    assert body(response) == "".join(FORMS[form].pieces(run)).encode()
    assert response["Content-Type"] == content_type
    assert response["Content-Disposition"] == f'attachment; filename="{filename}"'
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Cache-Control"] == "private, no-store"


def test_the_downloaded_json_agrees_with_its_rows(client: Client, run: Run) -> None:
    assert recompute(json.loads(body(client.get(f"{PAGE}json/")))) == ()


def test_a_download_in_another_language_is_in_that_language(client: Client, run: Run) -> None:
    response = client.get(f"{PAGE}html/", headers={"accept-language": "de"})
    assert b'<html lang="de">' in body(response)


def test_a_form_that_does_not_exist_is_not_found(client: Client, run: Run) -> None:
    assert client.get(f"{PAGE}exe/").status_code == 404


@pytest.mark.parametrize("address", [PAGE, f"{PAGE}json/"])
def test_whoever_may_still_annotate_gets_nothing(address: str, client: Client, run: Run) -> None:
    annotator = Person.objects.get(username="annotator-a")
    client.force_login(annotator)
    assert client.get(address).status_code == 403


def test_that_the_results_were_shown_is_recorded_before_the_first_byte(
    client: Client, run: Run, engineer: Person
) -> None:
    client.get(f"{PAGE}json/")
    shown = exposures(person=engineer, project=run.project)
    assert shown.filter(subject="run 1").exists()


def test_a_run_that_is_not_finished_has_no_files(client: Client, run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(state=Run.State.RUNNING)
    assert client.get(f"{PAGE}json/").status_code == 404


def test_a_superseded_protocol_is_said_in_page_and_files(
    client: Client, run: Run, engineer: Person
) -> None:
    assert run.protocol
    newer = Protocol.objects.create(
        project=run.project,
        name=run.protocol.name,
        version=2,
        content={**run.protocol.content, "seed": 8},
        supersedes=run.protocol,
        registered_by=engineer,
    )
    said = {"version": 2, "registered_at": newer.registered_at.isoformat()}
    assert json.loads(body(client.get(f"{PAGE}json/")))["void"] == said
    assert b"Superseded by version 2" in body(client.get(f"{PAGE}junit/"))
    assert b'class="void"' in body(client.get(f"{PAGE}html/"))
    assert b"Superseded by version 2" in client.get(PAGE).content
