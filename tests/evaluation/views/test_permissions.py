"""Who may open which page: strangers 404, members without the role 403."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Person
from evaluation.models import Run

PAGES = (
    "protocols", "protocol", "protocol-new", "runs", "conditions-new", "conditions", "run",
    "run-progress", "matrix", "case", "judgements", "judgement-next",
)  # fmt: skip


def address(page: str, run: Run) -> str:
    more = {
        "protocol": [run.protocol_id],
        "conditions": [run.conditions_id],
        "run": [run.number],
        "run-progress": [run.number],
        "matrix": [run.number],
        "case": [run.number, "a"],
    }
    return reverse(page, args=["study", *more.get(page, [])])


def test_the_whole_map_of_pages_and_personas(
    run: Run,
    owner: Person,
    annotator_a: Person,
    adjudicator: Person,
    engineer: Person,
    stranger: Person,
    client_of: Callable[[Person], Client],
) -> None:
    people = (owner, annotator_a, adjudicator, engineer, stranger)
    found = {
        page: tuple(client_of(person).get(address(page, run)).status_code for person in people)
        for page in PAGES
    }
    results = (200, 403, 403, 200, 404)
    assert found == {
        **dict.fromkeys(PAGES, results),
        "run-progress": (302, 403, 403, 302, 404),
        "conditions-new": (403, 403, 403, 200, 404),
        "judgements": (403, 403, 200, 403, 404),
        "judgement-next": (403, 403, 200, 403, 404),
    }


@pytest.mark.parametrize("page", ["conditions", "run-resume"])
def test_an_owner_who_is_no_engineer_starts_and_resumes_nothing(
    page: str, run: Run, owner: Person, client_of: Callable[[Person], Client]
) -> None:
    number = run.conditions_id if page == "conditions" else run.number
    assert client_of(owner).post(reverse(page, args=["study", number])).status_code == 403


def test_the_first_visit_of_results_is_recorded_once(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    client = client_of(engineer)
    for page in ("run", "matrix", "run"):
        client.get(address(page, run))
    entries = run.project.ledger.filter(kind="exposed", actor=engineer, subject="run 1")
    assert [entry.content for entry in entries] == [{"what": "results"}]
