"""The run as JSON: what it says, and to whom."""

from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import Person
from annotation.services.tokens import create_token
from evaluation.models import Run
from evaluation.reports.summary import run_json

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/projects/{}/runs/{}/"


def address(run: Run) -> str:
    return ADDRESS.format(run.project.slug, run.number)


def test_the_run_is_told_with_its_verdicts_and_progress(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    told = client_of(engineer).get(address(run)).json()
    assert told["verdicts"] == run_json(run)["verdicts"]
    assert told["progress"]["done"] == told["progress"]["total"] > 0


def test_nobody_but_who_may_see_results_is_told_anything(
    run: Run,
    annotator_a: Person,
    stranger: Person,
    client_of: Callable[[Person], Client],
    client: Client,
) -> None:
    statuses = [one.get(address(run)).status_code for one in (client_of(annotator_a), client)]
    assert statuses == [403, 401]
    assert client_of(stranger).get(address(run)).status_code == 404


def test_that_results_were_shown_is_recorded(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    client_of(engineer).get(address(run))
    entry = run.project.ledger.get(kind="exposed", actor=engineer)
    assert (entry.subject, entry.content) == (f"run {run.number}", {"what": "results"})


def test_runs_are_listed_the_newest_first(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    told = client_of(engineer).get(ADDRESS.format(run.project.slug, "").removesuffix("/")).json()
    assert [(row["number"], row["state"]) for row in told["results"]] == [(1, "finished")]


def test_a_pipeline_waits_with_a_token(run: Run, engineer: Person) -> None:
    _token, text = create_token(actor=engineer, name="pipeline", scopes=["read"])
    pipeline = Client(headers={"Authorization": f"Bearer {text}"})
    assert pipeline.get(address(run)).json()["state"] == "finished"
