"""Refusals have one shape (RFC 9457), whoever refuses."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from annotation.models import Person, Project

Programs = Callable[..., Client]
STUDY = "/api/v1/projects/study/"


@pytest.fixture
def client(program: Programs, owner: Person, filled: Project) -> Client:
    """A program of the owner."""
    return program(owner)


def problem(answer: Any, status: int) -> dict[str, Any]:
    told = json.loads(answer.content)
    assert answer.status_code == told["status"] == status
    assert answer["Content-Type"] == "application/problem+json"
    assert {"type", "title", "detail", "errors"} <= set(told)
    return told


UNKNOWN = [
    "seats__holder__password__startswith=a",
    "created_by__password__startswith=a",
    "ordering=text",
    "expand=answers",
    "fields=all",
    "search=profit",
    "_connector=OR+1%3D1",
    "_negated=1",
    "pk__in=1",
    "cursor__gt=1",
]


@pytest.mark.parametrize("query", UNKNOWN)
@pytest.mark.parametrize("path", ["requests/", "requests/r1/", "people/", "corpus/documents/"])
def test_what_is_no_filter_is_refused(client: Client, path: str, query: str) -> None:
    told = problem(client.get(f"{STUDY}{path}?{query}"), 400)
    assert told["detail"].startswith("unknown filter: ")
    assert told["errors"][0]["code"] == "unknown_filter"


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=201", "limit=1e999999999", "limit=x", "limit=1&limit=2"]
)
def test_a_filter_that_cannot_be_read_is_named(client: Client, query: str) -> None:
    told = problem(client.get(f"{STUDY}requests/?{query}"), 400)
    assert [error["parameter"] for error in told["errors"]] == ["limit"]


def test_an_address_that_is_none_is_a_problem_too(client: Client) -> None:
    for there in ("/api/", "/api/v1/", "/api/v2/me/", "/api/v1/me", STUDY + "nothing/"):
        problem(client.get(there), 404)


def test_what_is_not_mine_reads_like_what_is_not_there(
    client: Client, program: Programs, stranger: Person
) -> None:
    foreign = program(stranger).get(STUDY)
    unused = program(stranger).get("/api/v1/projects/unused/")
    assert foreign.content == unused.content and foreign.status_code == 404


def test_a_verb_that_does_nothing_here(client: Client) -> None:
    assert client.options(STUDY).status_code == 405
    problem(client.put(STUDY), 405)


def test_a_kind_of_body_that_is_not_read(client: Client) -> None:
    there = STUDY + "people/engineer/"
    problem(client.put(there, "roles=owner", "application/x-www-form-urlencoded"), 415)
    problem(client.put(there, "<a/>", "text/xml<script>"), 415)


BROKEN = [
    "{",
    '{"roles": NaN}',
    '{"roles": ["owner"], "roles": ["engineer"]}',
    '{"roles": "\\u0000"}',
    '{"roles": "\\ud800"}',
    "[" * 100_000,
    '{"roles": ' + "9" * 5_000 + "}",
    '{"roles": 1e999}',
]


@pytest.mark.parametrize("body", BROKEN, ids=range(len(BROKEN)))
def test_a_body_that_cannot_be_read(client: Client, body: str) -> None:
    told = problem(client.put(STUDY + "people/engineer/", body, "application/json"), 400)
    assert told["detail"].startswith("The body cannot be read: ")


def test_a_body_in_another_encoding(client: Client) -> None:
    answer = client.put(STUDY + "people/engineer/", b'{"roles": "\xe9"}', "application/json")
    assert "UTF-8" in problem(answer, 400)["detail"]


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"roles": ["owner"], "is_staff": True}, "/is_staff", "unknown_field"),
        ({"roles": ["root"]}, "/roles/0", "invalid_choice"),
        ({"roles": []}, "/roles", "empty"),
        ({"roles": [1]}, "/roles/0", "invalid_choice"),
        ({}, "/roles", "required"),
        ([], "", "invalid"),
    ],
)
def test_a_body_of_another_shape_is_told_where(
    client: Client, body: Any, pointer: str, code: str
) -> None:
    answer = client.put(STUDY + "people/engineer/", json.dumps(body), "application/json")
    errors = problem(answer, 400)["errors"]
    assert (errors[0]["pointer"], errors[0]["code"]) == (pointer, code)


def test_a_field_that_nobody_asked_for_changes_nothing(client: Client, engineer: Person) -> None:
    body = {"roles": ["engineer"], "is_superuser": True, "person": 1}
    client.put(STUDY + "people/engineer/", body, "application/json")
    engineer.refresh_from_db()
    assert not engineer.is_superuser


def test_what_the_rules_refuse_is_a_sentence(client: Client) -> None:
    told = problem(client.delete(STUDY + "people/owner/"), 422)
    assert "only owner" in told["detail"]


def test_a_nul_in_an_address_is_a_problem(client: Client) -> None:
    problem(client.get("/api/v1/projects/%00/"), 400)
    problem(client.get(STUDY + "requests/?class=%00"), 400)
    problem(client.get(STUDY + "requests/%2500/"), 404)


def test_a_fault_of_ours_is_a_problem_with_its_number(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*rest: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("annotation.api.operations._done", broken)
    client.raise_request_exception = False
    told = problem(client.get("/api/v1/me/"), 500)
    assert told["number"] in told["detail"] and "ZeroDivision" not in told["detail"]


def test_a_fault_of_a_page_is_still_a_page(rf: Any) -> None:
    from annotation.api.problems import server_error

    assert server_error(rf.get("/p/study/"))["Content-Type"].startswith("text/html")


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "*/*", "image/png;q=0.1"])
def test_every_accept_header_gets_json(client: Client, accept: str) -> None:
    answer = client.get("/api/v1/me/", headers={"Accept": accept})
    assert answer["Content-Type"] == "application/json"


def test_nobody_elses_cache_keeps_an_answer(client: Client) -> None:
    answer = client.get("/api/v1/me/")
    assert answer["Cache-Control"] == "private, no-store"
    assert {"Authorization", "Cookie"} <= set(answer["Vary"].split(", "))
    assert not answer.has_header("ETag") and not answer.has_header("Last-Modified")
