"""The owner's page of everybody's work: what is stuck, who gave what up and why, and handing it
out again.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from statistics import median as textbook

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation import person_columns
from annotation.desk import WORK_KINDS
from annotation.models import Person, Project, Seat
from annotation.services import seats
from annotation.services import work as services
from annotation.services.ledger import first_broken
from annotation.services.projects import Refused, create_project, end_membership, set_member
from tests.annotation.plain_work import plain_work

ClientOf = Callable[[Person], Client]
KIND, WORK = "test-work", "/p/study/work/"


@pytest.fixture(autouse=True)
def work() -> Iterator[None]:
    """A kind of work with two seats for each request."""
    plain_work(KIND, lambda _project: 2)
    yield
    del WORK_KINDS[KIND]


def take(person: Person, project: Project) -> Seat:
    seat = seats.take_next(actor=person, project=project, kind_name=KIND)
    assert seat is not None
    return seat


def give_up(person: Person, project: Project, reason: str) -> Seat:
    seat = take(person, project)
    seats.cannot_judge(actor=person, seat=seat, reason=reason)
    return seat


def seal(person: Person, project: Project, seconds: int = 0) -> Seat:
    seat = take(person, project)
    with transaction.atomic():
        seats.submit(seat=seat)
    Seat.objects.filter(pk=seat.pk).update(active_seconds=seconds)
    return seat


@pytest.fixture
def both_gave_up(filled: Project, annotator_a: Person, annotator_b: Person) -> list[Seat]:
    """The two seats of r1, both given up, with their reasons."""
    return [
        give_up(annotator_a, filled, "two questions in one"),
        give_up(annotator_b, filled, "which profit?"),
    ]


def page(client: Client, address: str = WORK) -> str:
    return " ".join(client.get(address).content.decode().split())


def test_an_item_that_both_gave_up_shows_both_reasons_and_counts_as_done(
    both_gave_up: list[Seat], owner: Person, client_of: ClientOf
) -> None:
    shown = page(client_of(owner))
    assert "two questions in one" in shown and "which profit?" in shown
    assert shown.count("given up by 2 of 2") == 2
    assert "2 of 4 seats done" in shown and "0 sealed, 2 given up" in shown


def test_who_is_at_work_since_when_and_whose_time_ran_out(
    filled: Project, owner: Person, annotator_a: Person, annotator_b: Person, client_of: ClientOf
) -> None:
    held, late = take(annotator_a, filled), take(annotator_b, filled)
    past = timezone.now() - timedelta(minutes=1)
    Seat.objects.filter(pk=late.pk).update(leased_until=past)
    found = {
        state: list(services.open_work(filled, state=state))
        for state in (services.AT_WORK, services.ABANDONED)
    }
    assert found == {services.AT_WORK: [held], services.ABANDONED: [late]}
    assert "lease until" in page(client_of(owner), WORK + "?state=at-work")


def test_an_abandoned_item_is_free_again_and_keeps_its_draft(
    filled: Project, owner: Person, annotator_a: Person, client_of: ClientOf
) -> None:
    seat = take(annotator_a, filled)
    past = timezone.now() - timedelta(minutes=1)
    Seat.objects.filter(pk=seat.pk).update(leased_until=past, draft={"words": "half"})
    first = page(client_of(owner))
    assert [seats.return_expired(project=filled) for _time in range(2)] == [1, 0]
    assert "abandoned" in first
    assert "abandoned; free again" in page(client_of(owner), WORK + "?state=abandoned")
    seat.refresh_from_db()
    assert seat.draft == {"words": "half"}


def test_filters_by_kind_and_state(
    both_gave_up: list[Seat], owner: Person, client_of: ClientOf
) -> None:
    client = client_of(owner)
    assert "Nothing matches." in page(client, WORK + "?state=at-work")
    assert "which profit?" in page(client, WORK + "?state=given-up&kind=test-work")
    assert "Nothing matches." in page(client, WORK + "?kind=sheet")


def test_an_empty_selection_is_refused_with_a_sentence(
    both_gave_up: list[Seat], owner: Person, client_of: ClientOf
) -> None:
    answer = client_of(owner).post(WORK + "requeue/", {"seat": []})
    assert answer.status_code == 422
    assert "Tick at least one row" in answer.content.decode()
    assert Seat.objects.filter(state=Seat.State.CANNOT_JUDGE).count() == 2


def test_ticked_rows_are_handed_out_again_and_their_reasons_stay_in_the_ledger(
    both_gave_up: list[Seat], filled: Project, owner: Person, client_of: ClientOf
) -> None:
    ticked = both_gave_up[1]
    client_of(owner).post(WORK + "requeue/", {"seat": [str(ticked.public_id)]})
    ticked.refresh_from_db()
    assert (ticked.state, ticked.returned_why) == ("returned", "requeued")
    entry = filled.ledger.last()
    assert (entry.kind, entry.subject) == ("test-work.requeued", "r1")
    assert entry.content == {
        "seats": [
            {
                "request": "r1",
                "holder": "annotator-b",
                "was": "cannot_judge",
                "reason": "which profit?",
            }
        ]
    }
    assert first_broken(filled) is None


def test_a_requeued_seat_is_free_for_others(
    both_gave_up: list[Seat], filled: Project, owner: Person, engineer: Person
) -> None:
    set_member(actor=owner, project=filled, person=engineer, roles=["annotator"])
    assert take(engineer, filled).request.key == "r2"
    services.requeue(actor=owner, project=filled, seat_ids=[both_gave_up[0].public_id])
    with transaction.atomic():
        seats.submit(seat=Seat.objects.get(holder=engineer))
    assert take(engineer, filled).request.key == "r1"


def test_all_that_was_given_up_is_handed_out_again_only_when_asked_for(
    filled: Project, owner: Person, annotator_a: Person, client_of: ClientOf
) -> None:
    for reason in ("one", "two"):
        give_up(annotator_a, filled, reason)
    client = client_of(owner)
    assert "Hand out all 2 that were given up" in page(client, WORK + "?state=given-up")
    client.post(WORK + "requeue/", {"all": "1", "state": "given-up"})
    assert not Seat.objects.done().exists()


def test_a_seat_of_another_project_is_not_handed_out(
    both_gave_up: list[Seat], filled: Project, owner: Person
) -> None:
    other = create_project(actor=owner, slug="x", name="X")
    with pytest.raises(Refused, match="no longer"):
        services.requeue(actor=owner, project=other, seat_ids=[both_gave_up[0].public_id])


def test_sealed_work_is_never_handed_out_again(
    filled: Project, owner: Person, annotator_a: Person
) -> None:
    sealed = seal(annotator_a, filled)
    with pytest.raises(Refused, match="no longer"):
        services.requeue(actor=owner, project=filled, seat_ids=[sealed.public_id])
    sealed.refresh_from_db()
    assert sealed.state == Seat.State.SUBMITTED


def test_each_persons_work_has_its_denominators(
    filled: Project, annotator_a: Person, annotator_b: Person
) -> None:
    seal(annotator_a, filled, seconds=40)
    seal(annotator_a, filled, seconds=51)
    give_up(annotator_b, filled, "why")
    a, b = services.by_person(filled)
    assert (a.sealed, a.taken, a.given_up, a.decided) == (2, 2, 0, 2)
    assert (a.median_seconds, a.timed) == (45.5, 2)
    assert (b.sealed, b.taken, b.given_up, b.decided) == (0, 1, 1, 1)
    assert (b.median_seconds, b.timed) == (None, 0)


@pytest.mark.parametrize(
    ("times", "median"),
    [([3], 3), ([1, 9], 5), ([1, 2, 9], 2), ([4, 4, 4, 8], 4)],
)
def test_the_median_is_that_of_the_textbook(times: list[int], median: float) -> None:
    assert services._median(Counter(times)) == median == textbook(times)


def test_a_former_members_work_stays_and_is_named_so(
    filled: Project, owner: Person, annotator_a: Person, client_of: ClientOf
) -> None:
    seal(annotator_a, filled)
    end_membership(actor=owner, project=filled, person=annotator_a)
    shown = page(client_of(owner))
    assert 'annotator-a <span class="tag">former member</span>' in shown
    assert "1 of 4 seats done" in shown


def test_another_app_adds_a_column_of_people(
    filled: Project,
    owner: Person,
    annotator_a: Person,
    client_of: ClientOf,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(person_columns, "PERSON_COLUMNS", [])
    person_columns.register_person_column(
        "Agreement", lambda project, people: {p.pk: f"of {p.username}" for p in people}
    )
    monkeypatch.setattr("annotation.views.work.PERSON_COLUMNS", person_columns.PERSON_COLUMNS)
    seal(annotator_a, filled)
    assert "<td>of annotator-a</td>" in page(client_of(owner))


def test_an_owner_who_annotates_sees_nobodys_work(
    both_gave_up: list[Seat], filled: Project, owner: Person, client_of: ClientOf
) -> None:
    set_member(actor=owner, project=filled, person=owner, roles=["owner", "annotator"])
    answer = client_of(owner).get(WORK)
    assert answer.status_code == 403
    assert "what the others do stays unseen for you" in answer.content.decode()
    posted = client_of(owner).post(WORK + "requeue/", {"all": "1"})
    assert posted.status_code == 403
    assert Seat.objects.filter(state=Seat.State.CANNOT_JUDGE).count() == 2
    assert WORK not in client_of(owner).get("/p/study/").content.decode()


def test_an_empty_page_says_what_it_is_for(
    filled: Project, owner: Person, client_of: ClientOf
) -> None:
    assert "There are none now." in page(client_of(owner))


def test_the_page_costs_the_same_for_any_number_of_rows(
    filled: Project,
    owner: Person,
    annotator_a: Person,
    annotator_b: Person,
    client_of: ClientOf,
) -> None:
    client = client_of(owner)
    give_up(annotator_a, filled, "one")
    with CaptureQueriesContext(connection) as few:
        client.get(WORK)
    give_up(annotator_a, filled, "two")
    give_up(annotator_b, filled, "three")
    with CaptureQueriesContext(connection) as more:
        client.get(WORK)
    assert len(more) == len(few)


def test_reading_the_page_changes_nothing(
    filled: Project, owner: Person, annotator_a: Person, client_of: ClientOf
) -> None:
    seat = take(annotator_a, filled)
    past = timezone.now() - timedelta(minutes=1)
    Seat.objects.filter(pk=seat.pk).update(leased_until=past)
    client_of(owner).get(WORK)
    seat.refresh_from_db()
    assert seat.state == Seat.State.HELD
