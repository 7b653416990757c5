"""The run as JSON: what it says, and to whom."""

from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import Person
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
    assert statuses == [403, 403]
    assert client_of(stranger).get(address(run)).status_code == 404
