"""The desk stays as fast as it was: the same few queries for the first item and for the last."""

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Person, Project, Request, Seat
from annotation.services import free_seats
from tests.contracts.conftest import make_request

Clients = Callable[[Person], Client]
MOST = 12
# Not questions to the database; tests run in a transaction that has savepoints instead.
CONTROL = re.compile("SAVEPOINT|RELEASE|BEGIN|COMMIT")

pytestmark = pytest.mark.django_db


def cost(act: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as captured:
        act()
    return sum(not CONTROL.match(query["sql"]) for query in captured)


def next_and_page(client: Client) -> tuple[int, int]:
    """What the next item and its page cost; the item is sealed afterwards."""
    costs = cost(lambda: client.post("/p/study/desk/next/sheet/"))
    seat = Seat.objects.get(state=Seat.State.HELD)
    address = f"/p/study/desk/sheet/{seat.public_id}/"
    return_cost = cost(lambda: client.get(address))
    Seat.objects.filter(pk=seat.pk).update(state=Seat.State.SUBMITTED)
    return costs, return_cost


@pytest.fixture
def sixty(project: Project) -> Project:
    for n in range(60):
        make_request(project, f"r{n}", "What was it?", (("user", "Before?"),))
    return project


def test_the_next_item_and_its_page_cost_few_queries_however_many_came_before(
    sixty: Project, annotator_a: Person, client_of: Clients
) -> None:
    client = client_of(annotator_a)
    costs = [next_and_page(client) for _item in range(60)]
    assert len(set(costs)) == 1
    assert max(costs[0]) <= MOST, costs[0]


def test_a_far_item_costs_few_queries_too(
    sixty: Project, annotator_a: Person, client_of: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(free_seats, "NEAR", (5,))
    Request.objects.filter(project=sixty).exclude(key="r0").update(position=30_000)
    client = client_of(annotator_a)
    next_and_page(client)
    assert max(next_and_page(client)) <= MOST


def test_finding_nothing_costs_few_queries(
    project: Project, annotator_a: Person, client_of: Clients
) -> None:
    client = client_of(annotator_a)
    assert cost(lambda: client.post("/p/study/desk/next/sheet/")) <= MOST


@pytest.mark.parametrize("address", ["/p/study/desk/", "/p/study/"])
def test_the_pages_of_the_desk_and_the_study_cost_the_same_for_any_number_of_items(
    address: str, sixty: Project, annotator_a: Person, client_of: Clients
) -> None:
    client = client_of(annotator_a)
    next_and_page(client)
    before = cost(lambda: client.get(address))
    for _item in range(10):
        next_and_page(client)
    assert cost(lambda: client.get(address)) == before
