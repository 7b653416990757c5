"""Two worlds that differ only in what annotator A did: annotator B's answers are the same to the
byte, on every address that is theirs, with status, headers and the number of queries.
"""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Person
from annotation.services import seats
from annotation.services.projects import set_member
from contracts.services.bench import opening
from tests.api.routes import api_routes
from tests.api.test_map import TABLE, takes_slug
from tests.api.world import SHEET, World, filled, sealed, taken
from tests.evaluation.runs import small_study

pytestmark = pytest.mark.django_db
STUDY = "/api/v1/projects/study/"
FILTERS = ("", "?limit=1", "?state=held", "?kind=sheet", "?kind=standalone", "?class=follow-up",
           "?annotated_count=1", "?has_disagreement=1", "?expand=all")  # fmt: skip


@pytest.fixture
def b(world: World) -> Client:
    """Annotator B, at work on an item, as a program."""
    person = world.people["annotator-a"]
    filled(taken(world, person))
    client = Client(headers={"Authorization": f"Bearer {world.tokens['annotator-a']}"})
    client.get("/api/v1/me/")  # the first use of the token is noted
    return client


def addresses(world: World, person: Person) -> list[str]:
    """Every GET of the API with B's own ids, A's ids and ids that nobody has."""
    own = seats.Seat.objects.get(holder=person, state="held")
    ids = [str(own.public_id), *(str(s.public_id) for s in world.seats.values())]
    found = []
    for route, verbs in TABLE.items():
        if "GET" not in verbs or route == "api-schema":
            continue
        named = [n for n in api_routes()[route].pattern.converters if n != "slug"]
        whole = path_of(route)
        values = ids if "seat_id" in named else ["w1", "a", "nothing"]
        if not named:
            found += [whole + query for query in FILTERS]
        else:
            found += [re.sub(r"<[^>]+>", value, whole) for value in values]
    return found


def path_of(route: str) -> str:
    pattern = str(api_routes()[route].pattern)
    if not takes_slug(route):
        return "/api/v1/" + pattern
    return STUDY + pattern


def told(client: Client, address: str) -> tuple[Any, ...]:
    with CaptureQueriesContext(connection) as seen:
        answer = client.get(address)
    return answer.status_code, answer.content, sorted(answer.headers.items()), len(seen)


def a_seals(world: World) -> None:
    person = world.people["annotator"]
    seats.give_back(actor=person, seat=world.seats["held"])
    sealed(world, person)


def a_retracts(world: World) -> None:
    seats.retract(actor=world.people["annotator"], seat=world.seats["sealed"])


def a_gives_up(world: World) -> None:
    seats.cannot_judge(
        actor=world.people["annotator"], seat=world.seats["held"], reason="SECRET reason"
    )


def a_leaves_a_draft(world: World) -> None:
    filled(world.seats["held"])


def others_seal_and_it_is_adjudicated(world: World) -> None:
    owner, adjudicator = world.people["owner"], world.people["adjudicator"]
    for name in ("third", "fourth"):
        person = Person.objects.create_user(name)
        set_member(actor=owner, project=world.project, person=person, roles=["annotator"])
        seat = sealed(world, person)
    opening.open_adjudication(actor=adjudicator, request=seat.request)


def an_answer_is_approved_as_contract(world: World) -> None:
    row = {"request": "w5", "constraints": [{**SHEET["constraints"][0], "admissible": []}]}
    small_study.take_in(world.project, "contracts", [row])


@pytest.mark.parametrize(
    "happens",
    [
        a_seals,
        a_retracts,
        a_gives_up,
        a_leaves_a_draft,
        others_seal_and_it_is_adjudicated,
        an_answer_is_approved_as_contract,
    ],
)
def test_what_others_do_changes_no_byte_for_me(world: World, b: Client, happens: Any) -> None:
    there = addresses(world, world.people["annotator-a"])
    before = {address: told(b, address) for address in there}
    happens(world)
    after = {address: told(b, address) for address in there}
    assert [a for a in there if before[a] != after[a]] == []
    assert sum(status == 200 for status, *_rest in before.values()) >= 10


def test_a_leak_would_be_found(world: World, b: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from annotation.api import whose

    monkeypatch.setattr("contracts.api.sheets.sees_others", lambda *rest: True)
    assert whose.sees_others(world.people["annotator-a"], world.project) is False
    before = told(b, STUDY + "sheets/")
    a_seals(world)
    assert told(b, STUDY + "sheets/") != before


def test_an_annotator_sees_nothing_of_others_anywhere(world: World, b: Client) -> None:
    bodies = b"".join(b.get(a).content for a in addresses(world, world.people["annotator-a"]))
    ids = [str(seat.public_id).encode() for seat in world.seats.values()]
    for word in (b"EUR 10 million", b"Ministry", b"excludes", *ids):
        assert word not in bodies
