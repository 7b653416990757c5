"""Progress has one definition: the same numbers stand on every page."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from annotation import progress
from annotation.desk import WORK_KINDS
from annotation.models import Need, Person, Project, Seat
from annotation.services.drafts import Sent
from annotation.services.projects import set_member
from annotation.services.seats import cannot_judge
from contracts.services.sheets import add_constraint, seal_sheet
from contracts.stories import contracts_approved
from contracts.terms import Span
from tests.contracts.conftest import make_request, take

Clients = Callable[[Person], Client]
WORDS = " ".join(f"word{n:02}" for n in range(30)) + "?"

pytestmark = pytest.mark.django_db


def sealed_with_30_constraints(person: Person, project: Project) -> None:
    seat = take(person, project)
    for n in range(30):
        span = Span(0, n * 7, n * 7 + 6)
        sent = Sent(seat.draft_version)
        seat, _key = add_constraint(seat=seat, kind="referent", span=span, sent=sent)
    seal_sheet(actor=person, seat=seat)


@pytest.fixture
def half_done(project: Project, annotator_a: Person, annotator_b: Person) -> Project:
    """Ten requests: A sealed four sheets of 30 constraints and gave one up, B sealed two."""
    for n in range(10):
        make_request(project, f"r{n}", WORDS)
    for _sheet in range(4):
        sealed_with_30_constraints(annotator_a, project)
    cannot_judge(actor=annotator_a, seat=take(annotator_a, project), reason="unclear")
    for _sheet in range(2):
        sealed_with_30_constraints(annotator_b, project)
    return project


def page(client: Client, address: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", client.get(address).content.decode()).split())


def test_seven_of_twenty_stands_on_every_page_of_the_owner(
    half_done: Project, owner: Person, client_of: Clients
) -> None:
    client = client_of(owner)
    assert "Contract sheet, done: 7 of 20" in page(client, "/p/study/")
    assert "Contract sheet 7 of 20 seats done: 6 sealed, 1 given up" in page(
        client, "/p/study/work/"
    )
    listed = re.findall(r"Contract sheet (\d) of (\d)", page(client, "/p/study/requests/"))
    assert sum(int(done) for done, _wanted in listed) == 7
    assert sum(int(wanted) for _done, wanted in listed) == 20
    assert Seat.objects.filter(project=half_done, kind="sheet").done().count() == 7


def test_each_annotator_reads_their_own_number_on_both_their_pages(
    half_done: Project, annotator_a: Person, annotator_b: Person, client_of: Clients
) -> None:
    a, b = client_of(annotator_a), client_of(annotator_b)
    assert "4 sealed, 1 given up of 10 wanted here" in page(a, "/p/study/desk/")
    assert "Contract sheet, done: 5 of 10" in page(a, "/p/study/")
    assert "2 sealed of 10 wanted here" in page(b, "/p/study/desk/")
    assert "Contract sheet, done: 2 of 10" in page(b, "/p/study/")


def test_what_a_class_or_a_request_needs_is_what_is_wanted(half_done: Project) -> None:
    first = half_done.requests.order_by("position").first()
    Need.objects.create(project=half_done, kind="sheet", request_class=first.request_class, seats=3)
    Need.objects.create(project=half_done, kind="sheet", request=first, seats=0)
    found = next(p for p in progress.by_kind(half_done) if p.kind.name == "sheet")
    assert (found.done, found.wanted) == (7, 27)
    own = progress.own_by_kind(Person.objects.get(username="annotator-a"), half_done)
    assert next(p.wanted for p in own if p.kind.name == "sheet") == 9


def test_requests_outside_the_study_are_never_counted(
    half_done: Project, owner: Person, client_of: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "OUTSIDE", [])
    progress.register_outside(lambda project: project.requests.filter(key__in=["r0", "r9"]))
    client = client_of(owner)
    assert "Contract sheet, done: 5 of 16" in page(client, "/p/study/")
    assert "5 of 16 seats done" in page(client, "/p/study/work/")
    listed = re.findall(r"Contract sheet (\d) of (\d)", page(client, "/p/study/requests/"))
    assert sum(int(done) for done, _wanted in listed) == 5


def test_who_annotates_reads_nobodys_progress_in_the_list_of_requests(
    half_done: Project, owner: Person, engineer: Person, client_of: Clients
) -> None:
    roles = ["engineer", "annotator"]
    set_member(actor=owner, project=half_done, person=engineer, roles=roles)
    shown = page(client_of(engineer), "/p/study/requests/")
    assert "seats done" not in shown and "of 2" not in shown


def test_a_seat_at_work_is_not_done_yet(half_done: Project, annotator_b: Person) -> None:
    take(annotator_b, half_done)
    found = next(p for p in progress.by_kind(half_done) if p.kind.name == "sheet")
    assert (found.sealed, found.given_up, found.at_work, found.wanted) == (6, 1, 1, 20)


def test_every_registered_kind_that_counts_is_counted(half_done: Project) -> None:
    counted = {name for name, kind in WORK_KINDS.items() if kind.counted}
    assert {found.kind.name for found in progress.by_kind(half_done)} == counted


def test_contracts_are_counted_by_request(half_done: Project) -> None:
    assert contracts_approved(half_done) == (0, 10)
