"""The whole map of the API: every address × role × verb × carrier, from the URL resolver, against
one declared table. A new address without a line fails.
"""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import reverse

from annotation.api.operations import Operation
from annotation.models import Person
from tests.api.routes import api_routes
from tests.api.world import SHEET, World, build

pytestmark = pytest.mark.django_db
ROLES = ("owner", "engineer", "adjudicator", "annotator", "stranger")
VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
ALL = (200, 200, 200, 200, 404)
READERS = (200, 200, 200, 403, 404)
ENGINEERS = (200, 200, 403, 403, 404)
OWNERS = (200, 403, 403, 403, 404)
ANNOTATORS = (403, 403, 403, 200, 404)
OWN_JOB = (200, 404, 403, 403, 404)  # the owner's
ANYBODY = (200, 200, 200, 200, 200)

# The route and the verb → what each role gets, in the order of ROLES. Every other verb is a 405.
TABLE: dict[str, dict[str, tuple[int, ...]]] = {
    "api-me": {"GET": ANYBODY},
    "api-projects": {"GET": ANYBODY},
    "api-guard": {"POST": ANYBODY},
    "api-project": {"GET": ALL},
    "api-progress": {"GET": ALL},
    "api-requests": {"GET": READERS},
    "api-request": {"GET": READERS},
    "api-request-exposure": {"POST": READERS},
    "api-corpora": {"GET": ENGINEERS},
    "api-documents": {"GET": ENGINEERS},
    "api-document": {"GET": ENGINEERS},
    "api-guidelines": {"GET": ALL},
    "api-work-next": {"POST": ANNOTATORS},
    "api-seats": {"GET": ANNOTATORS},
    "api-seat": {"GET": ANNOTATORS},
    "api-draft": {"GET": ANNOTATORS, "PUT": ANNOTATORS},
    "api-seat-undo": {"POST": ANNOTATORS},
    "api-seat-redo": {"POST": (403, 403, 403, 422, 404)},
    "api-seat-seal": {"POST": ANNOTATORS},
    "api-seat-retract": {"POST": (403, 403, 403, 422, 404)},
    "api-seat-later": {"POST": ANNOTATORS},
    "api-seat-again": {"POST": ANNOTATORS},
    "api-seat-cannot-judge": {"POST": ANNOTATORS},
    "api-human-rewrites": {"GET": ALL},
    "api-imports": {"GET": ENGINEERS, "POST": (201, 201, 403, 403, 404)},
    "api-import": {"GET": OWN_JOB},
    "api-import-cancel": {"POST": OWN_JOB},
    "api-exports": {"GET": ALL},
    "api-export": {"POST": ENGINEERS},
    "api-people": {"GET": OWNERS},
    "api-member": {
        "GET": OWNERS,
        "PUT": OWNERS,
        "DELETE": (204, 403, 403, 403, 404),
    },
    "api-sheets": {"GET": ALL},
    "api-sheet": {"GET": ALL},
    "api-contracts": {"GET": READERS},
    "api-contract": {"GET": READERS},
    "api-twins": {"GET": READERS},
    "api-twin": {"GET": READERS},
    "api-controls": {"GET": READERS},
    "api-control": {"GET": READERS},
    "api-runs": {"GET": ENGINEERS},
    "api-run": {"GET": ENGINEERS},
    "api-variation-sets": {"GET": ENGINEERS},
    "api-variation-set": {"GET": ENGINEERS},
    "api-variation-rows": {"GET": ENGINEERS},
    "api-run-compare": {"GET": (422, 422, 403, 403, 404)},  # no sides are named
    "api-run-pause": {"POST": (403, 422, 403, 403, 404)},  # it is finished
    "api-run-resume": {"POST": (403, 200, 403, 403, 404)},
    "api-run-cancel": {"POST": (403, 422, 403, 403, 404)},
    "api-run-retry": {"POST": (403, 422, 403, 403, 404)},
    "api-run-conclude": {"POST": (422, 422, 403, 403, 404)},
    "api-run-extend": {"POST": (403, 201, 403, 403, 404)},
    "api-schema": {"GET": ANYBODY},
}
GUARDED = {"request": {"text": "Why?"}, "rewrite": {"queries": ["Why?"]}}
KEYS = {"api-document": "d1", "api-twin": "t1", "api-control": "x1"}  # of all others: a request
NOWHERE = "api-nowhere"  # what is no address: 401 to nobody, 404 to everybody


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """Made once; every request is rolled back."""
    with django_db_blocker.unblock(), undone():
        yield build()


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def address(world: World, route: str) -> str:
    if route == NOWHERE:
        return "/api/v1/nowhere/"
    seat = "sealed" if route == "api-sheet" else "held"
    known = {
        "slug": "study", "key": KEYS.get(route, "a"), "username": "annotator-a",
        "kind": "requests" if "export" in route else "sheet", "number": 1,
        "seat_id": world.seats[seat].public_id, "job_id": world.job.public_id,
    }  # fmt: skip
    pattern = api_routes()[route]
    named = set(pattern.pattern.converters) | ({"slug"} if takes_slug(route) else set())
    return reverse(route, kwargs={name: known[name] for name in named})


def takes_slug(route: str) -> bool:
    return route not in ("api-me", "api-projects", "api-guard", "api-schema", NOWHERE)


def body(world: World, route: str, verb: str) -> dict[str, Any]:
    """What a program sends, so that nothing but the permission decides."""
    version = world.seats["held"].draft_version
    if route == "api-imports":
        file = SimpleUploadedFile("requests.jsonl", b'{"id":"z","class":"x","text":"Why?"}')
        return {"data": {"kind": "requests", "file": file}}
    sent = {
        ("api-guard", "POST"): GUARDED,
        ("api-draft", "PUT"): {"version": version, "draft": SHEET},
        ("api-seat-undo", "POST"): {"version": version},
        ("api-seat-redo", "POST"): {"version": version},
        ("api-seat-seal", "POST"): {"version": version},
        ("api-seat-cannot-judge", "POST"): {"reason": "not my field"},
        ("api-member", "PUT"): {"roles": ["engineer"]},
        ("api-run-conclude", "POST"): {"reason": "two requests are outside the study"},
        ("api-run-extend", "POST"): {"arms": ["keywords"]},
    }.get((route, verb), {})
    return {"data": sent, "content_type": "application/json"}


def status(client: Client, world: World, route: str, verb: str, suffix: str = "") -> int:
    with undone():
        there = address(world, route) + suffix
        if verb in ("GET", "OPTIONS"):
            return int(getattr(client, verb.lower())(there).status_code)
        send = getattr(client, verb.lower())
        if route == "api-imports" and verb != "POST":
            return int(send(there).status_code)
        return int(send(there, **body(world, route, verb)).status_code)


def bearer(world: World, name: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {world.tokens[name]}"})


def session(world: World, name: str) -> Client:
    client = Client()
    client.force_login(world.people[name])
    return client


def declared(route: str, verb: str) -> tuple[int, ...]:
    if route == NOWHERE:
        return (404,) * len(ROLES)
    return TABLE[route].get(verb, (405,) * len(ROLES))


def operations() -> dict[tuple[str, str], Operation]:
    return {
        (name, verb): operation
        for name, pattern in api_routes().items()
        for verb, operation in getattr(pattern.callback.cls, "operations", {}).items()
    }


def test_every_address_has_its_line() -> None:
    assert set(api_routes()) == set(TABLE) | {NOWHERE}


def test_every_operation_has_its_line() -> None:
    lines = {(route, verb) for route, verbs in TABLE.items() for verb in verbs}
    assert set(operations()) == lines - {("api-schema", "GET")}


@pytest.mark.parametrize("carrier", [bearer, session])
@pytest.mark.parametrize("route", [*TABLE, NOWHERE])
def test_each_role_gets_what_the_table_says_with_every_verb(
    world: World, route: str, carrier: Any
) -> None:
    found = {
        verb: tuple(status(carrier(world, role), world, route, verb) for role in ROLES)
        for verb in VERBS
    }
    assert found == {verb: declared(route, verb) for verb in VERBS}


@pytest.mark.parametrize("route", [*TABLE, NOWHERE])
def test_no_other_carrier_lets_anybody_in(world: World, route: str) -> None:
    token = world.tokens["owner"]
    basic = base64.b64encode(f"owner:{token}".encode()).decode()
    in_cookie = Client()
    in_cookie.cookies["token"] = in_cookie.cookies["sessionid"] = token
    carriers = [
        (Client(), ""),
        (Client(headers={"X-API-Key": token}), ""),
        (Client(headers={"Authorization": f"Token {token}"}), ""),
        (Client(headers={"Authorization": token}), ""),
        (Client(headers={"Authorization": f"Basic {basic}"}), ""),
        (Client(headers={"Authorization": f"Bearer {token}x"}), ""),
        (Client(headers={"Authorization": f"Bearer {token} {token}"}), ""),
        (Client(headers={"Proxy-Authorization": f"Bearer {token}"}), ""),
        (in_cookie, ""),
        (Client(), f"?token={token}&access_token={token}&api_key={token}"),
    ]
    verbs = [*TABLE.get(route, {"GET": ()}), "PATCH"]
    found = {
        status(client, world, route, verb, suffix) for client, suffix in carriers for verb in verbs
    }
    assert found == {401}


def test_a_token_may_nothing_beyond_its_scopes(world: World) -> None:
    for (route, verb), operation in operations().items():
        others = {"read", "annotate", "import", "export", "run", "manage"} - {operation.scope}
        for role in ("owner", "annotator"):
            client = with_scopes(world, world.people[role], others)
            assert status(client, world, route, verb) == 403, (route, verb, role)


def test_one_scope_is_enough_where_it_is_the_right_one(world: World) -> None:
    for (route, verb), operation in operations().items():
        found = tuple(
            status(with_scopes(world, world.people[role], {operation.scope}), world, route, verb)
            for role in ROLES
        )
        assert found == declared(route, verb), (route, verb)


def with_scopes(world: World, person: Person, scopes: set[str]) -> Client:
    return Client(headers={"Authorization": f"Bearer {world.token(person, *scopes)}"})


@pytest.mark.parametrize("header", ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"])
def test_no_header_turns_one_verb_into_another(world: World, header: str) -> None:
    client = Client(headers={"Authorization": f"Bearer {world.tokens['owner']}", header: "DELETE"})
    assert status(client, world, "api-member", "POST") == 405
    assert status(client, world, "api-member", "GET", "?_method=DELETE") == 400
    assert world.project.memberships.current().filter(person__username="annotator-a").exists()


def test_a_verb_that_does_nothing_says_which_do(world: World) -> None:
    answer = bearer(world, "owner").post(address(world, "api-member"))
    assert answer.status_code == 405
    assert set(answer["Allow"].split(", ")) == {"GET", "HEAD", "PUT", "DELETE"}
