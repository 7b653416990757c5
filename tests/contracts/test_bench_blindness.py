"""An adjudicator who also annotates is told nothing by the bench of requests that they may still
annotate, or at which others are.
"""

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from annotation.models import Need, Person, Project, Request, Seat
from annotation.services.projects import Refused, set_member
from contracts.models import Adjudication, Gold
from contracts.services import sheets
from contracts.services.bench import opening, waiting
from tests.contracts.conftest import BEFORE, UNTIL, Sealer, marked, take
from tests.contracts.test_training import gold

ClientOf = Callable[[Person], Client]
CLOSED = "does not wait on the bench for you"


@pytest.fixture
def both(project: Project, owner: Person, adjudicator: Person) -> Person:
    """The adjudicator, who annotates too."""
    set_member(actor=owner, project=project, person=adjudicator, roles=["adjudicator", "annotator"])
    return adjudicator


def refusal(person: Person, request: Request) -> str:
    with pytest.raises(PermissionDenied) as refused:
        opening.open_adjudication(actor=person, request=request)
    return str(refused.value)


def three_wanted(request: Request) -> None:
    Need.objects.create(project=request.project, kind="sheet", request=request, seats=3)


def test_what_they_may_still_annotate_does_not_wait(
    asked: Request, seal: Sealer, both: Person, annotator_a: Person, annotator_b: Person
) -> None:
    three_wanted(asked)
    seal(annotator_a, BEFORE)
    seal(annotator_b, UNTIL)
    assert waiting.waiting(asked.project, both) == []
    assert CLOSED in refusal(both, asked)


def test_the_refusal_is_one_and_the_same_however_far_others_are(
    other: Request, asked: Request, seal: Sealer, both: Person, owner: Person, annotator_a: Person
) -> None:
    said = [refusal(both, asked)]
    seal(annotator_a)
    said.append(refusal(both, asked))
    gold(other, owner, Gold.Use.SILENT)
    said.append(refusal(both, other))
    assert len(set(said)) == 1 and CLOSED in said[0]


def test_the_page_answers_the_same_too(
    other: Request,
    asked: Request,
    seal: Sealer,
    both: Person,
    owner: Person,
    annotator_a: Person,
    client_of: ClientOf,
) -> None:
    gold(other, owner, Gold.Use.SILENT)
    seal(annotator_a)
    pages = [client_of(both).post(f"/p/study/bench/open/{r.pk}/") for r in (asked, other)]
    assert [page.status_code for page in pages] == [403, 403]
    assert all(CLOSED in page.content.decode() for page in pages)


def test_a_seat_at_which_somebody_is_keeps_it_closed(
    asked: Request, seal: Sealer, both: Person, annotator_a: Person, annotator_b: Person
) -> None:
    seal(annotator_a)
    take(annotator_b, asked.project)
    assert waiting.waiting(asked.project, both) == []
    assert CLOSED in refusal(both, asked)


def test_they_get_it_once_all_is_sealed(
    asked: Request, seal: Sealer, both: Person, annotator_a: Person, annotator_b: Person
) -> None:
    seal(annotator_a, BEFORE)
    seal(annotator_b, UNTIL)
    assert [request for request, _count in waiting.waiting(asked.project, both)] == [asked]
    opened = opening.open_adjudication(actor=both, request=asked)
    assert opened.state == Adjudication.State.OPEN


def test_who_only_adjudicates_is_told_how_many_sheets_are_sealed(
    asked: Request, seal: Sealer, adjudicator: Person, annotator_a: Person
) -> None:
    seal(annotator_a)
    with pytest.raises(Refused, match="1 of 2 sheets"):
        opening.open_adjudication(actor=adjudicator, request=asked)


def test_a_seat_put_aside_leaves_it_closed_to_its_holder(
    asked: Request, both: Person, annotator_a: Person, annotator_b: Person
) -> None:
    three_wanted(asked)
    own = take(both, asked.project)
    Seat.objects.filter(pk=own.pk).update(state=Seat.State.RETURNED)
    for person, edits in ((annotator_a, BEFORE), (annotator_b, UNTIL)):
        seat = marked(take(person, asked.project), edits)
        sheets.seal_sheet(actor=person, seat=seat)
    assert waiting.waiting(asked.project, both) == []
    assert "somebody else must adjudicate" in refusal(both, asked)
