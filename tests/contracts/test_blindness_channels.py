"""Ways to learn of others' work that the two-world test does not walk by itself: guessed ids, paths
of files, messages, what a seat keeps of its last holder.
"""

from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from django.apps import apps
from django.core import mail
from django.test import Client
from django.utils import timezone

from annotation.blindness import probe, routes
from annotation.blindness.asking import Call, ask, logged_in, undone
from annotation.blindness.comparing import Masks, differences
from annotation.models import Person, Project, Request, Seat
from annotation.services import seats
from contracts.models import Adjudication
from contracts.services.bench import approving, deciding
from tests.contracts.conftest import BEFORE, marked, take

Clients = Callable[[Person], Client]
SEAT_PAGES = ("seat-history", "seat-work", "seat-conflict", "sheet", "sheet-suggestions",
              "api-seat", "api-draft")  # fmt: skip


def of_seat(name: str, seat_id: object) -> Call:
    route = next(r for r in routes.every_route() if r.name == name)
    address = "/" + route.pattern.lstrip("/").replace("<slug:slug>", "study")
    return Call(name, "GET", address.replace("<uuid:seat_id>", str(seat_id)))


@pytest.mark.parametrize("name", SEAT_PAGES)
def test_guessed_ids_and_the_ids_of_others_are_answered_alike(
    other: Request, annotator_a: Person, annotator_b: Person, name: str
) -> None:
    theirs = marked(take(annotator_a, other.project), BEFORE)
    masks = Masks(frozenset(), timezone.now())  # the id itself is masked: nobody knows it
    with undone():
        session = logged_in(annotator_b)
        foreign = ask(of_seat(name, theirs.public_id), session)
        guessed = [ask(of_seat(name, uuid4()), session) for _n in range(20)]
    assert foreign.status == 404
    assert [differences(foreign, one, masks) for one in guessed] == [[]] * 20


def test_a_seat_in_other_hands_begins_blank(
    asked: Request, annotator_a: Person, annotator_b: Person, stranger: Person
) -> None:
    project = asked.project
    take(annotator_b, project)
    seat = marked(take(annotator_a, project), BEFORE)
    seats.give_back(actor=annotator_a, seat=seat)
    Seat.objects.filter(holder=annotator_b).delete()
    again = take(annotator_b, project)
    assert (again.request, again.draft, again.draft_version) == (asked, {}, 0)
    assert again.public_id != seat.public_id


def test_what_the_bench_decides_is_mailed_to_nobody(
    opened: Adjudication, adjudicator: Person
) -> None:
    deciding.take_all(actor=adjudicator, adjudication=opened, side="a")
    approving.approve(actor=adjudicator, adjudication=opened)
    assert mail.outbox == []


def answers(project: Project, person: Person) -> Iterator[tuple[Call, dict[str, str]]]:
    """Every address that the person may read, with the headers of its answer."""
    with undone():
        session = logged_in(person)
        for call in probe.first_calls(project, person):
            if call.verb == "GET":
                yield call, dict(ask(call, session).headers)


def test_no_answer_measures_itself_streams_or_may_be_kept(
    other: Request, annotator_a: Person
) -> None:
    take(annotator_a, other.project)
    tried = 0
    for call, headers in answers(other.project, annotator_a):
        tried += 1
        named = {name.lower() for name in headers}
        assert not {n for n in named if "ratelimit" in n or "debug" in n or "timing" in n}, call
        assert "event-stream" not in headers.get("Content-Type", ""), call
        assert "no-store" in headers.get("Cache-Control", "no-store"), call
    assert tried > 100


def test_there_is_no_site_of_administrators() -> None:
    assert not apps.is_installed("django.contrib.admin")
    assert not [r.name for r in routes.every_route() if r.pattern.startswith("admin")]


@pytest.mark.parametrize(
    "path",
    ["/media/", "/media/imports/sheets.jsonl", "/data/intact.sqlite3", "/intact.sqlite3",
     "/imports/", "/backups/", "/static/../intact.sqlite3", "/static/sheets.jsonl"],
)  # fmt: skip
def test_no_file_lies_under_a_path_that_can_be_guessed(
    project: Project, annotator_a: Person, client_of: Clients, path: str
) -> None:
    assert client_of(annotator_a).get(path).status_code == 404


def test_a_program_reads_its_seats_by_ids_that_count_nothing(
    other: Request, annotator_a: Person, client_of: Clients
) -> None:
    take(annotator_a, other.project)
    (row,) = client_of(annotator_a).get("/api/v1/projects/study/seats/").json()["results"]
    numbers = [name for name, value in row.items() if "id" in name and isinstance(value, int)]
    assert numbers == []
