"""The protocol's form: sentences in, the shape of protocol.json out."""

import json
from collections.abc import Callable
from typing import Any

from django.test import Client
from django.urls import reverse

from annotation.models import Person, Project
from evaluation.models import Run
from tests.evaluation.runs.small_study import register

NEW = reverse("protocol-new", args=["study"])
# class0 is the default, then the classes by name: class1 dated-fact, class2 follow-up
FILLED = {
    "name": "q3-gate", "judging": "human_for_critical", "alpha": "0.05", "test": "mcnemar_exact",
    "correction": "holm", "resamples": "2000", "seed": "7",
    "class0-completeness_floor": "90", "class0-regression_ceiling": "5",
    "class0-min_requests": "60",
    "class1-completeness_floor": "95.5", "class1-regression_ceiling": "3",
    "class1-min_requests": "40", "class1-date_rate": "20", "class1-date_pairs": "5",
}  # fmt: skip
CONTENT = {
    "name": "q3-gate", "judging": "human_for_critical", "alpha": 0.05, "test": "mcnemar_exact",
    "correction": "holm", "resamples": 2000, "seed": 7,
    "classes": {
        "*": {"completeness_floor": 0.9, "regression_ceiling": 0.05, "min_requests": 60,
              "families": {}},
        "dated-fact": {"completeness_floor": 0.955, "regression_ceiling": 0.03, "min_requests": 40,
                       "families": {"date": {"max_failure_rate": 0.2, "min_pairs": 5}}},
    },
}  # fmt: skip


def post(
    client_of: Callable[[Person], Client], person: Person, data: dict[str, Any]
) -> tuple[int, str]:
    response = client_of(person).post(NEW, data)
    return response.status_code, response.content.decode()


def test_the_form_registers_the_protocol_that_it_says(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    assert post(client_of, engineer, FILLED)[0] == 302
    assert study.protocols.get().content == CONTENT


def test_a_registered_protocol_fills_the_form_again_with_the_same_rules(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    post(client_of, engineer, FILLED)
    page = client_of(engineer).get(NEW, {"from": study.protocols.get().pk})
    values = {}
    for part in (page.context["form"], *(row["form"] for row in page.context["rows"])):
        values |= {field.html_name: str(field.value() or "") for field in part}
    assert {name: values[name] for name in FILLED} == FILLED


def test_a_pasted_protocol_is_registered(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    assert post(client_of, engineer, {"pasted": json.dumps(CONTENT)})[0] == 302
    assert study.protocols.get().content == CONTENT


def test_faults_of_a_pasted_protocol_are_told_and_nothing_is_registered(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    status, page = post(client_of, engineer, {"pasted": json.dumps({**CONTENT, "alpha": 2})})
    assert status == 422
    assert "alpha must be a number between 0 and 1" in page
    assert not study.protocols.exists()


def test_a_half_filled_class_is_refused_at_the_field_that_is_missing(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    client = client_of(engineer)
    response = client.post(NEW, {**FILLED, "class2-min_requests": "5"})
    assert response.status_code == 422
    third = response.context["rows"][2]["form"]
    assert set(third.errors) == {"completeness_floor", "regression_ceiling"}


def test_the_page_says_that_runs_stood_before_the_rules(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    client = client_of(engineer)
    client.post(NEW, FILLED)
    late = run.project.protocols.get(name="q3-gate")
    page = client.get(reverse("protocol", args=["study", late.pk])).content.decode()
    assert "1 run existed in this project before these rules were registered" in page


def test_a_superseded_protocol_says_so_on_its_page_and_on_its_runs(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    register(engineer, run.project, judging="human_for_all")
    client = client_of(engineer)
    for page in (
        reverse("protocol", args=["study", run.protocol_id]),
        reverse("run", args=["study", 1]),
    ):
        assert "Superseded by version 2" in client.get(page).content.decode()
