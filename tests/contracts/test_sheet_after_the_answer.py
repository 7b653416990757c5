"""Whoever has, or had, the seat on which a request's answer stands seals no sheet of it, and takes
none back to seal it anew.
"""

import pytest

from annotation.models import Person, Project, Request, Seat
from annotation.services import seats
from annotation.services.drafts import Sent
from annotation.services.exposure import expose
from annotation.services.projects import Refused
from contracts.models import Sheet
from contracts.services import sheets
from tests.contracts.conftest import BEFORE, Sealer, marked, take


@pytest.fixture
def study(asked: Request) -> Project:
    asked.project.paraphrases_per_request = 2
    asked.project.save()
    return asked.project


def paraphrase_seat(person: Person, request: Request, state: str) -> Seat:
    """A seat of the person on the paraphrase, as a race of two tabs can leave one."""
    now = request.seats.values_list("taken_at", "leased_until").get()
    return Seat.objects.create(
        project=request.project, request=request, kind="paraphrase", slot=1, position=0,
        holder=person, state=state, taken_at=now[0], leased_until=now[1],
    )  # fmt: skip


@pytest.mark.parametrize("state", ["held", "returned", "submitted"])
def test_a_sheet_is_not_sealed_beside_the_answer(
    study: Project, asked: Request, annotator_a: Person, state: str
) -> None:
    seat = marked(take(annotator_a, study), BEFORE)
    paraphrase_seat(annotator_a, asked, state)
    with pytest.raises(Refused, match="another takes it"):
        sheets.seal_sheet(actor=annotator_a, seat=seat)
    seat.refresh_from_db()
    assert seat.state == Seat.State.RETURNED and not Sheet.objects.exists()


@pytest.mark.parametrize("state", ["held", "returned", "submitted"])
def test_a_sheet_is_not_taken_back_beside_the_answer(
    study: Project, asked: Request, seal: Sealer, annotator_a: Person, state: str
) -> None:
    sheet = seal(annotator_a)
    paraphrase_seat(annotator_a, asked, state)
    with pytest.raises(Refused, match="shown more of this request"):
        seats.retract(actor=annotator_a, seat=sheet.seat)
    sheet.refresh_from_db()
    assert sheet.retracted_at is None


def test_a_sheet_that_was_taken_back_is_not_sealed_after_the_answer(
    study: Project, seal: Sealer, annotator_a: Person
) -> None:
    sheet = seal(annotator_a)
    seat = seats.retract(actor=annotator_a, seat=sheet.seat)
    expose(person=annotator_a, project=study, subject="r1", what="answers")
    with pytest.raises(Refused, match="another takes it"):
        sheets.seal_sheet(actor=annotator_a, seat=seat, sent=Sent(seat.draft_version))
    assert not Sheet.objects.standing().exists()


def test_the_answer_of_another_request_closes_nothing(
    study: Project, other: Request, seal: Sealer, annotator_a: Person
) -> None:
    sheet = seal(annotator_a)
    expose(person=annotator_a, project=study, subject="r2", what="answers")
    assert seats.retract(actor=annotator_a, seat=sheet.seat).state == Seat.State.HELD
