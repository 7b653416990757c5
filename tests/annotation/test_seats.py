from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.desk import WORK_KINDS, WorkKind, register
from annotation.models import Person, Project, Seat
from annotation.models.work import SeatQuerySet
from annotation.services import drafts, seats
from annotation.services.drafts import Sent
from annotation.services.projects import set_member

KIND = "test-work"


@pytest.fixture(autouse=True)
def work() -> Iterator[None]:
    """A kind of work with one seat for each request."""
    register(WorkKind(KIND, "Work", lambda p: 1, lambda p, _person: p.requests.all(), "project"))
    yield
    del WORK_KINDS[KIND]


def take(person: Person, project: Project) -> Seat | None:
    return seats.take_next(actor=person, project=project, kind_name=KIND)


def expire(seat: Seat) -> None:
    Seat.objects.filter(pk=seat.pk).update(leased_until=timezone.now() - timedelta(seconds=1))


def test_two_people_never_get_the_same_seat(
    filled: Project, annotator_a: Person, annotator_b: Person
) -> None:
    first, second = take(annotator_a, filled), take(annotator_b, filled)
    assert first and second and first.request != second.request


def test_seats_are_never_oversold(
    filled: Project, owner: Person, annotator_a: Person, annotator_b: Person, stranger: Person
) -> None:
    set_member(actor=owner, project=filled, person=stranger, roles=["annotator"])
    taken = [take(person, filled) for person in (annotator_a, annotator_b, stranger)]
    assert [seat is None for seat in taken] == [False, False, True]


def test_whoever_loses_the_race_for_a_seat_gets_the_next(
    filled: Project, annotator_a: Person, annotator_b: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = take(annotator_a, filled)
    # Both looked before either wrote: the second still believes that the first slot is free.
    monkeypatch.setattr(SeatQuerySet, "taken", lambda self: self.none())
    second = take(annotator_b, filled)
    assert first and second and second.request != first.request


def test_the_database_refuses_a_second_holder(
    filled: Project, annotator_a: Person, annotator_b: Person
) -> None:
    seat = take(annotator_a, filled)
    assert seat
    seat.pk, seat.holder = None, annotator_b
    with pytest.raises(IntegrityError), transaction.atomic():
        seat.save()


def test_asking_again_gives_the_same_seat(filled: Project, annotator_a: Person) -> None:
    assert take(annotator_a, filled) == take(annotator_a, filled)


def test_a_lease_that_ran_out_returns_the_seat_to_others(
    filled: Project, annotator_a: Person, annotator_b: Person
) -> None:
    left = take(annotator_a, filled)
    assert left
    expire(left)
    found = take(annotator_b, filled)
    assert found and found.request == left.request and found.holder == annotator_b


def test_a_returned_seat_keeps_its_draft_for_its_holder(
    filled: Project, annotator_a: Person
) -> None:
    seat = take(annotator_a, filled)
    assert seat
    drafts.save_draft(seat=seat, draft={"words": "half"}, sent=Sent(0))
    expire(seat)
    assert seats.return_expired(project=filled) == 1
    other = take(annotator_a, filled)
    assert other
    seats.submit(seat=other)
    again = take(annotator_a, filled)
    assert again and again.pk == seat.pk and again.draft == {"words": "half"}


def test_returning_expired_seats_twice_changes_nothing_more(
    filled: Project, annotator_a: Person
) -> None:
    seat = take(annotator_a, filled)
    assert seat
    expire(seat)
    assert [seats.return_expired(project=filled) for _ in range(2)] == [1, 0]


def test_later_puts_an_item_behind_the_others(filled: Project, annotator_a: Person) -> None:
    put_aside = take(annotator_a, filled)
    assert put_aside
    seats.give_back(actor=annotator_a, seat=put_aside)
    following = take(annotator_a, filled)
    assert following and following.request != put_aside.request


def test_a_draft_of_an_older_version_is_refused(filled: Project, annotator_a: Person) -> None:
    seat = take(annotator_a, filled)
    assert seat
    drafts.save_draft(seat=seat, draft={"a": 1}, sent=Sent(0))
    with pytest.raises(drafts.StaleDraft):
        drafts.save_draft(seat=seat, draft={"a": 2}, sent=Sent(0))
    seat.refresh_from_db()
    assert seat.draft == {"a": 1}


def test_somebody_elses_seat_does_not_exist(
    filled: Project, annotator_a: Person, annotator_b: Person
) -> None:
    seat = take(annotator_a, filled)
    assert seat
    with pytest.raises(Seat.DoesNotExist):
        seats.own_seat(actor=annotator_b, project=filled, seat_id=seat.public_id)
    with pytest.raises(PermissionDenied):
        seats.give_back(actor=annotator_b, seat=seat)


def test_only_annotators_take_seats(filled: Project, engineer: Person) -> None:
    with pytest.raises(PermissionDenied):
        take(engineer, filled)
