"""Near misses, paired accuracy and controls on the pages, in the exports and in the API."""

import csv
import io
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Person, Project
from evaluation.models import Run
from evaluation.reports.exports.as_csv import long_pieces
from evaluation.reports.exports.as_json import report_json
from evaluation.reports.verdict.tables import overall_ranking
from tests.evaluation.runs.pair_study import CONTROLS, SWAPPED
from tests.evaluation.runs.small_study import begin, finish, take_in, upload

Clients = Callable[[Person], Client]


@pytest.fixture
def swapped_run(study: Project, engineer: Person) -> Run:
    take_in(study, "twins", CONTROLS)
    upload(study, "swapped", SWAPPED)
    return finish(begin(engineer, study, ["original", "swapped"]))


def page(client: Client, name: str, *more: object, **given: str) -> str:
    response = client.get(reverse(name, args=["study", 1, *more]), given)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_the_verdict_page_shows_paired_accuracy_with_chance_beside_it(
    swapped_run: Run, engineer: Person, client_of: Clients
) -> None:
    text = page(client_of(engineer), "run")
    assert "Chance is 25 %." in text and '<td class="n soft">25 %</td>' in text
    assert "same document first on both sides" in text


def test_the_verdict_page_shows_false_rejections_with_the_rejected_text(
    swapped_run: Run, engineer: Person, client_of: Clients
) -> None:
    text = page(client_of(engineer), "run")
    assert "<h2>Controls</h2>" in text and "1 of 2" in text
    assert "Alder Foods revenue and sales" in text and "dropped c2" in text


def test_without_controls_the_limits_say_that_false_rejections_are_unknown(
    run: Run, engineer: Person, client_of: Clients
) -> None:
    text = page(client_of(engineer), "run")
    assert "The study has no controls" in text and "<h2>Controls</h2>" not in text


def test_the_scorecard_counts_near_misses_apart_from_missing_items(
    swapped_run: Run, engineer: Person, client_of: Clients
) -> None:
    response = client_of(engineer).get(reverse("run", args=["study", 1]))
    rows = response.context["report"].table.missed
    assert [[cell.of for cell in row.cells] for row in rows] == [
        ["0 of 3", "2 of 3"],
        ["1 of 3", "0 of 3"],
    ]


def test_the_matrix_filters_near_misses(
    swapped_run: Run, engineer: Person, client_of: Clients
) -> None:
    client = client_of(engineer)
    groups = client.get(reverse("matrix", args=["study", 1]), {"lost": "near"}).context["groups"]
    assert [group.request for group in groups] == ["a", "b"]
    assert [item.state for group in groups for item in group.case.evidence] == ["near-miss"] * 2


def test_the_case_names_the_twin_that_requires_the_document(
    swapped_run: Run, engineer: Person, client_of: Clients
) -> None:
    text = page(client_of(engineer), "case", "a")
    twin = reverse("case", args=["study", 1, "b"])
    assert f'near miss</span> <span class="soft">required by <a href="{twin}">b</a></span>' in text


def test_the_exports_have_near_misses_codes_and_controls(swapped_run: Run) -> None:
    rows = list(csv.DictReader(io.StringIO("".join(long_pieces(swapped_run)))))
    cells = {
        (row["near_misses"], row["first_lost"], row["failure_code"])
        for row in rows
        if (row["arm"], row["request"]) == ("swapped", "a")
    }
    assert cells == {("1", "rewrite", "rewrite")}
    result = report_json(swapped_run)["result"]
    assert {"codes", "rankings", "controls"} <= result.keys()


def test_a_result_of_an_earlier_version_shows_no_ranking() -> None:
    assert overall_ranking({"families": {}}, "cand") is None
