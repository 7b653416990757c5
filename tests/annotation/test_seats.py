from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.desk import WORK_KINDS
from annotation.models import Need, Person, Project, Seat
from annotation.services import drafts, free_seats, seats
from annotation.services.drafts import Sent
from annotation.services.free_seats import free_for
from annotation.services.projects import Refused, end_membership, set_member
from tests.annotation.plain_work import plain_work

KIND = "test-work"


@pytest.fixture(autouse=True)
def work() -> Iterator[None]:
    """A kind of work with one seat for each request."""
    plain_work(KIND, lambda _project: 1)
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
    looked = free_for(annotator_b, filled, WORK_KINDS[KIND])
    first = take(annotator_a, filled)
    # Both looked before either wrote: the second still believes that the first slot is free.
    monkeypatch.setattr(seats, "free_for", lambda *_who: looked)
    second = take(annotator_b, filled)
    assert first and second and second.request != first.request


def test_whoever_loses_every_seat_that_a_look_found_looks_again(
    filled: Project, annotator_a: Person, annotator_b: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    stale = free_for(annotator_b, filled, WORK_KINDS[KIND])[:1]
    first = take(annotator_a, filled)
    looks = iter([stale])
    monkeypatch.setattr(seats, "free_for", lambda *who: next(looks, None) or free_for(*who))
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


def test_a_seat_whose_lease_ran_out_is_still_its_holders_when_they_come_first(
    filled: Project, annotator_a: Person
) -> None:
    seat = take(annotator_a, filled)
    assert seat
    drafts.save_draft(seat=seat, draft={"words": "half"}, sent=Sent(0))
    expire(seat)
    again = take(annotator_a, filled)
    assert again and (again.pk, again.draft) == (seat.pk, {"words": "half"})


def test_a_late_save_of_the_old_owner_is_kept_beside_the_new_owners_work(
    filled: Project, annotator_a: Person, annotator_b: Person
) -> None:
    seat = take(annotator_a, filled)
    assert seat
    expire(seat)
    theirs = take(annotator_b, filled)
    drafts.save_draft(seat=seat, draft={"words": "late"}, sent=Sent(0))
    seat.refresh_from_db()
    assert theirs and theirs.request == seat.request and theirs.draft == {}
    assert (seat.state, seat.draft) == (Seat.State.RETURNED, {"words": "late"})


def test_a_late_seal_of_the_old_owner_is_refused(
    filled: Project, annotator_a: Person, annotator_b: Person
) -> None:
    seat = take(annotator_a, filled)
    assert seat
    expire(seat)
    take(annotator_b, filled)
    with pytest.raises(Refused, match="no longer yours"), transaction.atomic():
        seats.submit(seat=seat)


def test_a_saved_draft_never_revives_a_sealed_seat(filled: Project, annotator_a: Person) -> None:
    seat = take(annotator_a, filled)
    assert seat
    drafts.save_draft(seat=seat, draft={"a": 1}, sent=Sent(0))
    with transaction.atomic():
        seats.submit(seat=seat)
    with pytest.raises(drafts.StaleDraft):
        drafts.save_draft(seat=seat, draft={"a": 2}, sent=Sent(1))
    seat.refresh_from_db()
    assert (seat.state, seat.draft) == (Seat.State.SUBMITTED, {"a": 1})
    assert seat.revisions.get(aside=True).draft == {"a": 2}


def test_a_former_members_item_is_free_and_what_they_sealed_stays(
    filled: Project, owner: Person, annotator_a: Person, annotator_b: Person
) -> None:
    sealed = take(annotator_a, filled)
    assert sealed
    with transaction.atomic():
        seats.submit(seat=sealed)
    held = take(annotator_a, filled)
    assert held
    end_membership(actor=owner, project=filled, person=annotator_a)
    found = take(annotator_b, filled)
    assert found and found.request == held.request
    sealed.refresh_from_db()
    assert sealed.state == Seat.State.SUBMITTED


def test_what_is_sealed_can_not_be_given_up(filled: Project, annotator_a: Person) -> None:
    seat = take(annotator_a, filled)
    assert seat
    with transaction.atomic():
        seats.submit(seat=seat)
    seat.refresh_from_db()
    with pytest.raises(Refused, match="no longer yours to give up"):
        seats.cannot_judge(actor=annotator_a, seat=seat, reason="too late")


def test_giving_up_twice_is_giving_up_once(filled: Project, annotator_a: Person) -> None:
    seat = take(annotator_a, filled)
    assert seat
    for _click in range(2):
        seats.cannot_judge(actor=annotator_a, seat=seat, reason="not my field")
        seat.refresh_from_db()
    assert (seat.state, seat.reason) == (Seat.State.CANNOT_JUDGE, "not my field")


def test_a_request_that_needs_no_seat_is_given_to_nobody(
    filled: Project, annotator_a: Person
) -> None:
    first = filled.requests.get(key="r1")
    Need.objects.create(project=filled, kind=KIND, request=first, seats=0)
    found = take(annotator_a, filled)
    assert found and found.request != first


def test_a_class_that_needs_more_seats_has_more(
    filled: Project, owner: Person, annotator_a: Person, annotator_b: Person
) -> None:
    first = filled.requests.get(key="r1")
    Need.objects.create(project=filled, kind=KIND, request_class=first.request_class, seats=2)
    taken = [take(person, filled) for person in (annotator_a, annotator_b)]
    assert [seat and seat.request for seat in taken] == [first, first]


def test_a_seat_that_was_taken_before_fewer_were_wanted_stays_and_no_other_is_free(
    filled: Project, annotator_a: Person, annotator_b: Person
) -> None:
    first = filled.requests.get(key="r1")
    need = Need.objects.create(project=filled, kind=KIND, request=first, seats=2)
    assert take(annotator_a, filled)
    left = take(annotator_b, filled)
    assert left and left.request == first
    seats.give_back(actor=annotator_b, seat=left)
    Need.objects.filter(pk=need.pk).update(seats=1)
    with pytest.raises(Refused, match="no longer open"):
        seats.take_up_again(actor=annotator_b, seat=left)
    assert Seat.objects.filter(request=first).taken().count() == 1


@pytest.fixture
def many(filled: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Twelve requests, looked at in blocks of two."""
    asked = filled.requests.get(key="r1")
    for position in range(10, 20):
        asked.pk, asked.key, asked.position = None, f"m{position}", position
        asked.save()
    monkeypatch.setattr(free_seats, "BLOCK", 2)
    monkeypatch.setattr(free_seats, "NEAR", (1,))
    return filled


def all_taken(person: Person, project: Project) -> list[str]:
    """Take and seal until nothing is left; the ids in the order in which they came."""
    keys = []
    while seat := take(person, project):
        keys.append(seat.request.key)
        with transaction.atomic():
            seats.submit(seat=seat)
    return keys


def test_a_late_joiner_gets_every_item_that_is_due(
    many: Project, annotator_a: Person, annotator_b: Person
) -> None:
    first = take(annotator_a, many)
    assert first
    with transaction.atomic():
        seats.submit(seat=first)
    everything = set(many.requests.values_list("key", flat=True))
    assert set(all_taken(annotator_b, many)) == everything - {first.request.key}


def test_what_went_back_far_behind_the_last_item_is_found(
    many: Project, annotator_a: Person, annotator_b: Person
) -> None:
    behind = take(annotator_a, many)
    assert behind
    all_taken(annotator_b, many)
    seats.give_back(actor=annotator_a, seat=behind)
    assert all_taken(annotator_b, many) == [behind.request.key]


def test_what_one_put_aside_comes_when_nothing_else_is_left(
    many: Project, annotator_a: Person
) -> None:
    aside = take(annotator_a, many)
    assert aside
    seats.give_back(actor=annotator_a, seat=aside)
    order = all_taken(annotator_a, many)
    assert (order[-1], len(order)) == (aside.request.key, 12)


def test_seats_wanted_of_each_kind_decide_what_is_full(
    many: Project, annotator_a: Person, annotator_b: Person
) -> None:
    twice = many.requests.get(key="m15")
    Need.objects.create(project=many, kind=KIND, request=twice, seats=2)
    all_taken(annotator_a, many)
    assert all_taken(annotator_b, many) == ["m15"]
