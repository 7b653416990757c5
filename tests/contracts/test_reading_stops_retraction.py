"""What somebody else has read is not retracted: opened on the bench, shown in a request's story,
frozen into a run.
"""

from collections.abc import Callable

import pytest
from django.db import transaction
from django.test import Client

from annotation.models import Person, Request, Seat
from annotation.services import seats
from annotation.services.projects import Refused
from annotation.services.rewrites import record_rewrite
from contracts.models import Contract
from contracts.services.standalone import mark_references_read
from tests.contracts.conftest import Sealer, take

Clients = Callable[[Person], Client]


@pytest.fixture
def reference(contract: Contract, annotator_a: Person) -> Seat:
    """A standalone reference that was sealed a moment ago."""
    seat = take(annotator_a, contract.request.project, "standalone")
    with transaction.atomic():
        seats.submit(seat=seat)
        record_rewrite(
            kind="standalone",
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
    mark_references_read(contract.request.project)  # as the start of a run does
    with pytest.raises(Refused, match="can no longer be retracted"):
        seats.retract(actor=annotator_a, seat=reference)


def test_the_story_of_a_request_reads_nothing_that_may_be_retracted(
    reference: Seat, contract: Contract, owner: Person, client_of: Clients
) -> None:
    client_of(owner).get(f"/p/study/requests/{contract.request.key}/")
    reference.refresh_from_db()
    assert reference.read_at is None
