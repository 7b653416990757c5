"""That a newer registration voids a run is said wherever something of the run is shown."""

import csv
import json
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation.models import Person
from evaluation.models import Run
from evaluation.reports.exports.forms import FORMS
from evaluation.reports.protocol.voiding import void_stored
from tests.evaluation.runs.small_study import register
from tests.evaluation.services.test_extending import bring

pytestmark = pytest.mark.django_db
SAID = "Superseded by version 2, registered"
SIDES = ("study/1:original", "study/1:cand")


@pytest.fixture
def void_run(run: Run, engineer: Person) -> Run:
    """A newer version of the protocol of the run was registered."""
    bring(run.project)
    register(engineer, run.project, judging="human_for_all")
    return run


def table(run: Run, form: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO("".join(FORMS[form].pieces(run)))))


def told(command: str, *args: Any, **options: Any) -> str:
    out = StringIO()
    call_command(command, *args, stdout=out, **options)
    return out.getvalue()


def pages() -> dict[str, str]:
    sides = "a=1%3Aoriginal&b=1%3Acand"
    return {
        "matrix": reverse("matrix", args=["study", 1]),
        "case": reverse("case", args=["study", 1, "a"]),
        "compare": f"{reverse('compare', args=['study'])}?{sides}",
        "files": reverse("run-exports", args=["study", 1]),
    }


@pytest.mark.parametrize("page", ["matrix", "case", "compare", "files"])
def test_every_page_of_it_says_so_above_all_else(
    page: str, void_run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    shown = client_of(engineer).get(pages()[page]).content.decode()
    assert shown.count(SAID) == 1


@pytest.mark.parametrize("page", ["matrix", "case", "compare", "files"])
def test_while_its_decisions_stand_no_page_does(
    page: str, run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    response = client_of(engineer).get(pages()[page])
    assert response.status_code == 200 and "Superseded" not in response.content.decode()


@pytest.mark.parametrize("form", ["csv", "csv-wide"])
def test_every_line_of_a_table_has_it(form: str, void_run: Run) -> None:
    assert {row["void"] for row in table(void_run, form)} == {"version 2"}


@pytest.mark.parametrize("form", ["csv", "csv-wide"])
def test_while_decisions_stand_the_column_is_empty(form: str, run: Run) -> None:
    assert {row["void"] for row in table(run, form)} == {""}


def test_commands_say_it(void_run: Run) -> None:
    assert SAID in told("runs", "study", "1")
    assert told("compare", *SIDES).count(SAID) == 2
    void = json.loads(told("compare", *SIDES, json=True))["void"]
    assert (void["a"]["version"], void["b"]["version"]) == (2, 2)


def test_programs_are_told(
    void_run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    client = client_of(engineer)
    listed = client.get("/api/v1/projects/study/runs/").json()["results"]
    assert [row["void"]["version"] for row in listed] == [2]
    compared = client.get("/api/v1/projects/study/runs/compare/?a=1:original&b=1:cand").json()
    assert compared["void"]["a"]["version"] == 2


def test_a_list_of_runs_has_null_while_they_stand(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    listed = client_of(engineer).get("/api/v1/projects/study/runs/").json()["results"]
    assert [row["void"] for row in listed] == [None]


def test_files_and_commands_have_it_in_english(void_run: Run, settings: Any) -> None:
    settings.LANGUAGE_CODE = "de"
    assert void_stored(void_run).startswith(SAID)
