"""Lists in pages: nothing twice, nothing missing, whatever comes meanwhile."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import ImportJob, Person, Project
from tests.annotation.conftest import Import

LIST = "/api/v1/projects/study/requests/"
KEYS = ["r1", "r2", "m0", "m1", "m2", "m3", "m4"]


@pytest.fixture
def client(program: Callable[..., Client], owner: Person, many: Project) -> Client:
    return program(owner)


def keys(page: dict[str, Any]) -> list[str]:
    return [row["id"] for row in page["results"]]


def walked(client: Client, there: str | None, way: str = "next") -> list[list[str]]:
    found = []
    while there:
        page = client.get(there).json()
        found.append(keys(page))
        there = page[way]
    return found


def test_next_leads_through_the_whole_list(client: Client) -> None:
    assert walked(client, LIST + "?limit=3") == [KEYS[:3], KEYS[3:6], KEYS[6:]]


def test_previous_leads_back_over_the_same_pages(client: Client) -> None:
    last = LIST + "?limit=3"
    while following := client.get(last).json()["next"]:
        last = following
    assert walked(client, last, "previous") == [KEYS[6:], KEYS[3:6], KEYS[:3]]


def test_a_full_last_page_has_no_next(client: Client) -> None:
    page = client.get(LIST + "?limit=7").json()
    assert keys(page) == KEYS and page["next"] is None and page["previous"] is None


def test_rows_that_come_meanwhile_move_nothing(
    client: Client, many: Project, take_in: Import
) -> None:
    first = client.get(LIST + "?limit=3").json()
    take_in("requests", [{"id": "new", "class": "x", "text": "What else?"}])
    many.requests.filter(key="r1").update(position=100)  # what was first is now last
    rest = [key for page in walked(client, first["next"]) for key in page]
    assert rest[:4] == KEYS[3:] and set(rest[4:]) == {"r1", "new"}


def test_newest_first_lists_turn_the_same_way(client: Client, many: Project, owner: Person) -> None:
    for kind in ("corpus", "requests", "twins"):
        ImportJob.objects.create(
            project=many, kind=kind, filename="f", size=1, sha256="0" * 64, created_by=owner
        )
    there = "/api/v1/projects/study/imports/?limit=1"
    seen = []
    while there:
        page = client.get(there).json()
        seen += [row["kind"] for row in page["results"]]
        there = page["next"]
    assert seen == ["twins", "requests", "corpus"]


def test_filters_stay_in_the_links(client: Client) -> None:
    page = client.get(LIST + "?class=x&limit=2").json()
    assert "class=x" in page["next"]
    assert [key for some in walked(client, page["next"]) for key in some] == ["m2", "m3", "m4"]


@pytest.mark.parametrize("cursor", ["x", "WyJuZXh0IiwxLDFd:forged", "'", "%F0%9F%93%A6", "a:b:c"])
def test_a_cursor_that_was_not_given_out_is_refused(client: Client, cursor: str) -> None:
    answer = client.get(f"{LIST}?cursor={cursor}")
    assert answer.status_code == 400 and answer.json()["type"].endswith(":bad-cursor")


def test_a_cursor_of_another_list_is_refused(client: Client) -> None:
    cursor = client.get(LIST + "?limit=1").json()["next"].rpartition("cursor=")[2]
    answer = client.get(f"/api/v1/projects/study/corpus/documents/?cursor={cursor}")
    assert answer.status_code == 400


def test_the_same_page_has_the_same_bytes(client: Client) -> None:
    there = LIST + "?limit=2"
    assert client.get(there).content == client.get(there).content


def queries(client: Client, there: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as seen:
        assert client.get(there).status_code == 200
    return len(seen)


@pytest.mark.parametrize(
    "path", ["requests/", "corpus/documents/", "people/", "imports/", "human-rewrites/", "seats/"]
)
def test_a_longer_page_takes_no_further_query(
    path: str, many: Project, program: Callable[..., Client], owner: Person, annotator_a: Person
) -> None:
    client = program(annotator_a if path == "seats/" else owner)
    there = "/api/v1/projects/study/" + path
    client.get(there)  # the first use of the token is noted
    assert queries(client, there + "?limit=2") == queries(client, there + "?limit=200")
