"""What somebody else has read is not retracted: opened on the bench, shown in a request's story,
frozen into a run.
"""

from collections.abc import Callable

import pytest
from django.db import transaction
from django.test import Client

from annotation import columns
from annotation.models import Person, Request, Seat
from annotation.services import seats
from annotation.services.projects import Refused
from contracts.models import Contract
from contracts.services.standalone import record_standalone
from evaluation.runs.freezing import describe_arm
from evaluation.services.runs import arm_named
from tests.contracts.conftest import Sealer, take

Clients = Callable[[Person], Client]


@pytest.fixture
def reference(contract: Contract, annotator_a: Person) -> Seat:
    """A standalone reference that was sealed a moment ago."""
    seat = take(annotator_a, contract.request.project, "standalone")
    with transaction.atomic():
        seats.submit(seat=seat)
        record_standalone(
            actor=annotator_a,
            author=annotator_a,
            request=contract.request,
            seat=seat,
            text="Which one?",
            clarification=True,
        )
    return seat


def test_a_sheet_is_retracted_while_nobody_read_it(
    asked: Request, seal: Sealer, annotator_a: Person
) -> None:
    sheet = seal(annotator_a)
    seats.retract(actor=annotator_a, seat=sheet.seat)
    sheet.refresh_from_db()
    sheet.seat.refresh_from_db()
    assert sheet.retracted_at is not None and sheet.seat.state == Seat.State.HELD
    assert asked.project.ledger.last().kind == "sheet.retracted"


def test_the_item_at_hand_is_put_aside_when_another_is_retracted(
    other: Request, seal: Sealer, annotator_a: Person
) -> None:
    sheet, at_hand = seal(annotator_a), take(annotator_a, other.project)
    seats.retract(actor=annotator_a, seat=sheet.seat)
    at_hand.refresh_from_db()
    assert at_hand.state == Seat.State.RETURNED


def test_a_retracted_sheet_leaves_its_seat_taken(
    asked: Request, seal: Sealer, annotator_a: Person, annotator_b: Person, engineer: Person
) -> None:
    sheet = seal(annotator_a)
    seal(annotator_b)
    seats.retract(actor=annotator_a, seat=sheet.seat)
    assert asked.seats.taken().count() == 2


def test_both_sheets_of_an_opened_request_are_read(opened: object, asked: Request) -> None:
    assert not asked.seats.filter(read_at=None).exists()


def test_freezing_the_human_arm_reads_the_references(
    reference: Seat, contract: Contract, annotator_a: Person
) -> None:
    describe_arm(arm_named(contract.request.project, "human"))
    with pytest.raises(Refused, match="can no longer be retracted"):
        seats.retract(actor=annotator_a, seat=reference)


def test_a_story_that_shows_what_was_sealed_reads_it(
    reference: Seat,
    contract: Contract,
    owner: Person,
    client_of: Clients,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(columns, "SECTIONS", [])
    columns.register_section(
        "References", "annotation/_crumbs.html", lambda person, asked: {}, reads=("standalone",)
    )
    monkeypatch.setattr("annotation.views.requests.SECTIONS", columns.SECTIONS)
    client_of(owner).get(f"/p/study/requests/{contract.request.key}/")
    reference.refresh_from_db()
    assert reference.read_at is not None


def test_a_story_that_shows_nothing_sealed_reads_nothing(
    reference: Seat,
    contract: Contract,
    owner: Person,
    client_of: Clients,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("annotation.views.requests.SECTIONS", [])
    client_of(owner).get(f"/p/study/requests/{contract.request.key}/")
    reference.refresh_from_db()
    assert reference.read_at is None
