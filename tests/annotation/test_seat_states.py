"""Whatever people and owners do to seats, in any order: never too many, never two at once, never a
lost word.
"""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from annotation import progress
from annotation.desk import WORK_KINDS
from annotation.models import Person, Project, Request, RequestClass, Seat
from annotation.services import drafts, seats, work
from annotation.services.drafts import Sent
from annotation.services.projects import Refused, create_project, end_membership, set_member
from tests.annotation.plain_work import plain_work

KIND, WANTED, ITEMS = "test-states", 2, 3
NAMES = ("ann", "ben", "cleo")
WHO = st.sampled_from(NAMES)


@pytest.fixture(autouse=True)
def kind() -> Iterator[None]:
    plain_work(KIND, lambda _project: WANTED, retract=lambda _actor, _seat: None)
    yield
    del WORK_KINDS[KIND]


class Desk(RuleBasedStateMachine):
    """Three annotators, three items with two seats each, one owner."""

    def __init__(self) -> None:
        super().__init__()
        self.example = transaction.atomic()
        self.example.__enter__()
        self.owner = Person.objects.create(username="owner")
        self.project: Project = create_project(actor=self.owner, slug="states", name="States")
        self.people = {name: Person.objects.create(username=name) for name in NAMES}
        for name in self.people:
            self._join(name)
        of_class = RequestClass.objects.create(project=self.project, name="any")
        for position in range(ITEMS):
            Request.objects.create(
                project=self.project,
                key=f"q{position}",
                request_class=of_class,
                text="What?",
                sha256="0" * 64,
                position=position,
            )
        self.written: dict[int, dict[str, str]] = {}

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.example.__exit__(None, None, None)

    def _join(self, name: str) -> None:
        person = self.people[name]
        set_member(actor=self.owner, project=self.project, person=person, roles=["annotator"])

    def _held(self, name: str) -> Seat | None:
        held = Seat.objects.filter(holder=self.people[name], state=Seat.State.HELD)
        return held.select_related("project", "request").first()

    @rule(name=WHO)
    def claim(self, name: str) -> None:
        person = self.people[name]
        seat = seats.take_next(actor=person, project=self.project, kind_name=KIND)
        if seat is None:  # then nothing is free that was not theirs already
            own = Seat.objects.filter(holder=person).taken().values("request")
            for request in self.project.requests.exclude(pk__in=own):
                assert request.seats.taken().count() >= WANTED

    @rule(name=WHO, words=st.text(max_size=5))
    def save(self, name: str, words: str) -> None:
        newest = Seat.objects.filter(holder=self.people[name]).order_by("-taken_at", "-pk")
        seat = newest.exclude(state__in=["submitted", "cannot_judge"]).first()
        if seat:
            draft = {"words": words}
            drafts.save_draft(seat=seat, draft=draft, sent=Sent(seat.draft_version))
            self.written[seat.pk] = draft

    @rule(name=WHO)
    def put_aside(self, name: str) -> None:
        if seat := self._held(name):
            seats.give_back(actor=self.people[name], seat=seat)

    @rule(name=WHO)
    def take_up_again(self, name: str) -> None:
        aside = Seat.objects.filter(holder=self.people[name], state=Seat.State.RETURNED).first()
        if aside:
            try:
                again = seats.take_up_again(actor=self.people[name], seat=aside)
            except Refused:
                return
            assert (again.pk, again.state) == (aside.pk, Seat.State.HELD)

    @rule(name=WHO)
    def lease_runs_out(self, name: str) -> None:
        past = timezone.now() - timedelta(seconds=1)
        Seat.objects.filter(holder=self.people[name], state="held").update(leased_until=past)

    @rule()
    def return_expired(self) -> None:
        seats.return_expired(project=self.project)
        assert seats.return_expired(project=self.project) == 0

    @rule(name=WHO)
    def cannot_judge(self, name: str) -> None:
        if seat := self._held(name):
            seats.cannot_judge(actor=self.people[name], seat=seat, reason="why")

    @rule(name=WHO)
    def seal(self, name: str) -> None:
        if seat := self._held(name):
            with transaction.atomic():
                seats.submit(seat=seat)

    @rule(name=WHO)
    def retract(self, name: str) -> None:
        person = self.people[name]
        sealed = seats.retractable(actor=person, project=self.project).first()
        if sealed:
            was_read = sealed.read_at is not None
            try:
                seats.retract(actor=person, seat=sealed)
            except Refused:
                assert was_read
            else:
                assert not was_read

    @rule()
    def somebody_reads(self) -> None:
        seats.mark_read(seats=Seat.objects.filter(request__position=0))

    @rule()
    def requeue(self) -> None:
        given_up = Seat.objects.filter(state=Seat.State.CANNOT_JUDGE).count()
        try:
            freed = work.requeue(actor=self.owner, project=self.project, seat_ids=None)
        except Refused:
            freed = 0
        assert freed == given_up

    @rule(name=WHO)
    def leave_and_come_back(self, name: str) -> None:
        person = self.people[name]
        end_membership(actor=self.owner, project=self.project, person=person)
        assert self._held(name) is None
        with pytest.raises(PermissionDenied):
            seats.take_next(actor=person, project=self.project, kind_name=KIND)
        self._join(name)

    @invariant()
    def never_more_seats_than_wanted(self) -> None:
        taken = [request.seats.taken().count() for request in self.project.requests.all()]
        assert max(taken) <= WANTED

    @invariant()
    def one_item_at_a_time(self) -> None:
        held = Seat.objects.filter(state=Seat.State.HELD).values_list("holder", flat=True)
        assert len(held) == len(set(held))

    @invariant()
    def no_word_is_lost(self) -> None:
        now = dict(Seat.objects.values_list("pk", "draft"))
        assert all(now[pk] == draft for pk, draft in self.written.items())

    @invariant()
    def counts_hold(self) -> None:
        (found,) = (p for p in progress.by_kind(self.project) if p.kind.name == KIND)
        assert found.done + found.at_work <= found.wanted == WANTED * ITEMS
        assert found.done == Seat.objects.filter(project=self.project).done().count()


def test_seats_hold_whatever_people_do(db: None) -> None:
    run_state_machine_as_test(
        Desk,
        settings=settings(
            max_examples=12,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
