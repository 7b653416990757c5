"""A sheet goes back to its reviewer while it is adjudicated, and comes again."""

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from annotation.models import Person, Project, Seat
from annotation.services import seats
from annotation.services.drafts import Sent
from annotation.services.ledger import first_altered, first_broken
from annotation.services.projects import Refused, end_membership, set_member
from contracts.models import Adjudication, Sheet
from contracts.services import sheets
from contracts.services.bench import approving, deciding, opening, returning, rows
from contracts.services.sheets import drafted
from contracts.terms import Span
from tests.contracts.conftest import BEFORE, UNTIL, Sealer, make_request, marked, take

Clients = Callable[[Person], Client]
STATUS = ("status", "excluding one-off items", {"value": "approved"})


@pytest.fixture
def half(seal: Sealer, annotator_a: Person, annotator_b: Person, adjudicator: Person,
         project: Project) -> Adjudication:  # fmt: skip
    """Two differences, the time and a status that A alone has; both are decided."""
    seal(annotator_a, [*BEFORE, STATUS])
    seal(annotator_b, UNTIL)
    opened = opening.open_adjudication(actor=adjudicator, request=project.requests.get(key="r1"))
    deciding.take_all(actor=adjudicator, adjudication=opened, side=_side(opened, annotator_a))
    return opened


def _side(opened: Adjudication, person: Person) -> str:
    return "a" if opened.sheet_a.annotator_id == person.pk else "b"


def _back(opened: Adjudication, person: Person) -> Seat:
    assert opened.adjudicator
    returning.send_back(
        actor=opened.adjudicator,
        adjudication=opened,
        side=_side(opened, person),
        words="Look at the time again.",
    )
    return Seat.objects.get(request=opened.request, holder=person, kind="sheet")


def _seal_with(seat: Seat, relation: str) -> Sheet:
    """Change the relation of the time and seal."""
    (time,) = (c for c in drafted(seat).constraints if c.kind == "time")
    seat = sheets.change_constraint(
        seat=seat, key=time.id, value={"relation": relation, "end": "2021"}, admissible=[],
        sent=Sent(seat.draft_version),
    )  # fmt: skip
    return sheets.seal_sheet(actor=seat.holder, seat=seat)


def _changed(opened: Adjudication) -> dict[str, bool]:
    opened.refresh_from_db()
    return {d.kind: bool(made and made.changed) for d, made in rows.rows_of(opened) if made}


def test_the_seat_is_its_reviewers_again_with_the_draft(
    half: Adjudication, annotator_b: Person
) -> None:
    seat = _back(half, annotator_b)
    assert seat.state == Seat.State.HELD and len(drafted(seat).constraints) == 2
    old = Sheet.objects.get(annotator=annotator_b)
    assert old.retracted_at and old.sent_back


def test_only_the_decision_whose_input_changed_is_flagged(
    half: Adjudication, annotator_b: Person, adjudicator: Person
) -> None:
    new = _seal_with(_back(half, annotator_b), "by")
    assert _changed(half) == {"time": True, "status": False}
    assert half.sent_back == "" and new.pk in (half.sheet_a_id, half.sheet_b_id)
    with pytest.raises(Refused, match="1 difference is undecided: number 2 time"):
        approving.approve(actor=adjudicator, adjudication=half)


def test_a_flagged_decision_can_be_confirmed(
    half: Adjudication, annotator_b: Person, adjudicator: Person
) -> None:
    _seal_with(_back(half, annotator_b), "by")
    half.refresh_from_db()
    (item,) = (d.item for d in rows.undecided(half))
    deciding.confirm(actor=adjudicator, adjudication=half, item=item)
    contract = approving.approve(actor=adjudicator, adjudication=half)
    (time,) = (c for c in contract.terms.constraints if c.kind == "time")
    assert time.value["relation"] == "before"
    assert first_broken(half.request.project) is None
    assert first_altered(half.request.project) is None


def test_a_decision_that_took_what_changed_holds_as_an_edited_form(
    half: Adjudication, annotator_a: Person, adjudicator: Person
) -> None:
    _seal_with(_back(half, annotator_a), "by")
    half.refresh_from_db()
    (item,) = (d.item for d in rows.undecided(half))
    decision = deciding.confirm(actor=adjudicator, adjudication=half, item=item)
    assert decision.result
    assert (decision.take, decision.result["value"]["relation"]) == ("edit", "before")


def test_what_the_reviewer_gave_in_on_is_no_difference_any_more(
    half: Adjudication, annotator_b: Person, adjudicator: Person
) -> None:
    _seal_with(_back(half, annotator_b), "before")
    half.refresh_from_db()
    assert rows.undecided(half) == []
    assert approving.approve(actor=adjudicator, adjudication=half).version == 1


def test_a_decision_on_a_row_that_is_gone_is_dropped_and_named(
    half: Adjudication, annotator_a: Person
) -> None:
    seat = _back(half, annotator_a)
    (status,) = (c for c in drafted(seat).constraints if c.kind == "status")
    seat = sheets.remove_constraint(seat=seat, key=status.id, sent=Sent(seat.draft_version))
    sheets.seal_sheet(actor=annotator_a, seat=seat)
    assert set(_changed(half)) == {"time"}
    entry = half.request.project.ledger.get(kind="adjudication.sheet_taken")
    assert len(entry.content["dropped"]) == 1


def test_a_new_constraint_in_the_sheet_is_a_new_difference(
    half: Adjudication, annotator_b: Person
) -> None:
    seat = _back(half, annotator_b)
    start = seat.request.text.index("And")
    seat, key = sheets.add_constraint(
        seat=seat, kind="evidence", span=Span(2, start, start + 3), sent=Sent(seat.draft_version)
    )
    seat = sheets.change_constraint(
        seat=seat,
        key=key,
        value={"source": "report"},
        admissible=[],
        sent=Sent(seat.draft_version),
    )
    sheets.seal_sheet(actor=annotator_b, seat=seat)
    half.refresh_from_db()
    assert [d.kind for d in rows.undecided(half)] == ["evidence"]
    assert _changed(half) == {"time": False, "status": False}


def test_a_sheet_that_was_not_sent_back_stays_sealed(
    half: Adjudication, annotator_a: Person
) -> None:
    seat = Seat.objects.get(request=half.request, holder=annotator_a, kind="sheet")
    with pytest.raises(Refused, match="no longer be retracted"):
        seats.retract(actor=annotator_a, seat=seat)


def test_approval_waits_for_the_sheet(
    half: Adjudication, annotator_b: Person, adjudicator: Person
) -> None:
    _back(half, annotator_b)
    with pytest.raises(Refused, match="went back to its reviewer"):
        approving.approve(actor=adjudicator, adjudication=half)


def test_the_adjudicator_may_wait_no_longer(
    half: Adjudication, annotator_b: Person, adjudicator: Person
) -> None:
    seat = _back(half, annotator_b)
    seat = sheets.set_ambiguity(
        seat=seat, unresolved=True, readings=["?"], sent=Sent(seat.draft_version)
    )
    returning.take_as_it_was(actor=adjudicator, adjudication=half)
    seat.refresh_from_db()
    assert seat.state == Seat.State.SUBMITTED and not drafted(seat).ambiguity.unresolved
    assert Sheet.objects.standing().filter(annotator=annotator_b).exists()
    assert _changed(half) == {"time": False, "status": False}


def test_a_reviewer_who_then_cannot_judge_leaves_no_dead_end(
    half: Adjudication, annotator_b: Person, adjudicator: Person
) -> None:
    seat = _back(half, annotator_b)
    seats.cannot_judge(actor=annotator_b, seat=seat, reason="I am lost")
    returning.take_as_it_was(actor=adjudicator, adjudication=half)
    half.refresh_from_db()
    assert approving.approve(actor=adjudicator, adjudication=half).version == 1


def test_a_reviewer_at_work_elsewhere_finds_it_put_aside(
    half: Adjudication, annotator_b: Person
) -> None:
    make_request(half.request.project, "r9", "parcel fees")
    there = take(annotator_b, half.request.project)
    seat = _back(half, annotator_b)
    there.refresh_from_db()
    assert (there.state, seat.state) == (Seat.State.HELD, Seat.State.RETURNED)
    seats.give_back(actor=annotator_b, seat=there)
    again = seats.take_up_again(actor=annotator_b, seat=seat)
    assert again.pk == seat.pk and drafted(again).constraints


def test_nobody_else_gets_the_seat_meanwhile(
    half: Adjudication, annotator_b: Person, owner: Person, stranger: Person
) -> None:
    seat = _back(half, annotator_b)
    seats.give_back(actor=annotator_b, seat=seat)
    project = half.request.project
    set_member(actor=owner, project=project, person=stranger, roles=["annotator"])
    assert seats.take_next(actor=stranger, project=project, kind_name="sheet") is None


def test_a_reviewer_who_left_gets_nothing_back(
    half: Adjudication, annotator_b: Person, owner: Person
) -> None:
    end_membership(actor=owner, project=half.request.project, person=annotator_b)
    with pytest.raises(Refused, match="no longer annotates here"):
        _back(half, annotator_b)


def test_the_desk_and_the_sheet_say_that_it_came_back(
    half: Adjudication, annotator_a: Person, annotator_b: Person, client_of: Clients
) -> None:
    seat = _back(half, annotator_b)
    desk = client_of(annotator_b).get("/p/study/desk/").content.decode()
    sheet = client_of(annotator_b).get(f"/p/study/desk/sheet/{seat.public_id}/").content.decode()
    assert "Your sheet of r1 came back" in desk and "Look at the time again." in desk
    assert "Look at the time again." in sheet
    assert "Look at the time" not in client_of(annotator_a).get("/p/study/desk/").content.decode()


def test_the_bench_says_for_whom_it_waits(
    half: Adjudication, annotator_b: Person, adjudicator: Person, client_of: Clients
) -> None:
    _back(half, annotator_b)
    page = client_of(adjudicator)
    said = f"1 of 2 sheets: waiting for Reviewer {_side(half, annotator_b).upper()}"
    assert said in page.get("/p/study/bench/").content.decode()
    assert said in page.get(f"/p/study/bench/{half.pk}/").content.decode()


def test_another_adjudicator_cannot_send_it_back(
    half: Adjudication, project: Project, owner: Person, engineer: Person
) -> None:
    set_member(actor=owner, project=project, person=engineer, roles=["adjudicator"])
    with pytest.raises(PermissionDenied):
        returning.send_back(actor=engineer, adjudication=half, side="a", words="x")


def test_a_sheet_of_another_request_changes_nothing_here(
    half: Adjudication, annotator_b: Person, project: Project
) -> None:
    _back(half, annotator_b)
    make_request(project, "r9", "approved fees before 2021")
    other = Person.objects.get(username="annotator-a")
    sheets.seal_sheet(
        actor=other,
        seat=marked(
            take(other, project), [("time", "before 2021", {"relation": "before", "end": "2021"})]
        ),
    )
    half.refresh_from_db()
    assert half.sent_back
