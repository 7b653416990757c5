"""The draft of a seat: repeated and stale saves, undo and redo, and its history."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone

from annotation.changes import Change, changes
from annotation.models import Person, Project, Request, RequestClass, Revision, Seat
from annotation.services import drafts, seats
from annotation.services.drafts import KeyUsedTwice, Sent, StaleDraft, Steps
from annotation.services.projects import Refused

ONE, TWO = UUID(int=1), UUID(int=2)


@pytest.fixture
def seat(project: Project, annotator_a: Person) -> Seat:
    kind = RequestClass.objects.create(project=project, name="fact")
    asked = Request.objects.create(
        project=project, key="r1", request_class=kind, text="How much?", sha256="0" * 64, position=0
    )
    now = timezone.now()
    return Seat.objects.create(
        project=project, request=asked, kind="sheet", slot=1, position=0, holder=annotator_a,
        taken_at=now, leased_until=now + timedelta(hours=1),
    )  # fmt: skip


def save(seat: Seat, draft: dict[str, Any], *, typed: bool = False, act: str = "save") -> Seat:
    return drafts.save_draft(
        seat=seat, draft=draft, sent=Sent(seat.draft_version, act=act), typed=typed
    )


def back(seat: Seat) -> dict[str, Any]:
    return drafts.undo(seat=seat, sent=Sent(seat.draft_version)).draft


def forth(seat: Seat) -> dict[str, Any]:
    return drafts.redo(seat=seat, sent=Sent(seat.draft_version)).draft


# A repeated save


def test_a_repeated_save_is_written_once_and_gets_the_present_state(seat: Seat) -> None:
    sent = Sent(0, ONE, "a")
    drafts.save_draft(seat=seat, draft={"text": "a"}, sent=sent)
    again = drafts.save_draft(seat=seat, draft={"text": "a"}, sent=sent)
    assert (again.draft_version, seat.revisions.count()) == (1, 1)


def test_the_key_is_looked_up_before_the_version(seat: Seat) -> None:
    drafts.save_draft(seat=seat, draft={"text": "a"}, sent=Sent(0, ONE, "a"))
    drafts.save_draft(seat=seat, draft={"text": "b"}, sent=Sent(1, TWO, "b"))
    late = drafts.save_draft(seat=seat, draft={"text": "a"}, sent=Sent(0, ONE, "a"))
    assert (late.draft, seat.revisions.filter(aside=True).count()) == ({"text": "b"}, 0)


def test_one_key_with_two_contents_is_refused(seat: Seat) -> None:
    drafts.save_draft(seat=seat, draft={"text": "a"}, sent=Sent(0, ONE, "a"))
    with pytest.raises(KeyUsedTwice):
        drafts.save_draft(seat=seat, draft={"text": "b"}, sent=Sent(1, ONE, "b"))


# A stale save


def test_a_stale_save_overrides_nothing_and_is_kept_aside(seat: Seat) -> None:
    other = Seat.objects.get(pk=seat.pk)
    save(seat, {"text": "newer"})
    with pytest.raises(StaleDraft) as stale:
        save(other, {"text": "older"})
    seat.refresh_from_db()
    assert (seat.draft, stale.value.aside.draft) == ({"text": "newer"}, {"text": "older"})


def test_a_stale_save_that_comes_twice_is_kept_once(seat: Seat) -> None:
    save(seat, {"text": "newer"})
    for _again in range(2):
        with pytest.raises(StaleDraft):
            drafts.save_draft(seat=seat, draft={"text": "older"}, sent=Sent(0))
    assert seat.revisions.filter(aside=True).count() == 1


def test_what_was_kept_aside_can_be_chosen_and_the_other_is_one_undo_away(seat: Seat) -> None:
    seat = save(seat, {"text": "newer"})
    with pytest.raises(StaleDraft) as stale:
        drafts.save_draft(seat=seat, draft={"text": "older"}, sent=Sent(0))
    seat = drafts.keep_aside(seat=seat, aside=stale.value.aside, sent=Sent(1))
    assert (seat.draft, back(seat)) == ({"text": "older"}, {"text": "newer"})


def test_a_late_save_after_sealing_never_comes_into_force(seat: Seat) -> None:
    seat = save(seat, {"text": "sealed"})
    Seat.objects.update(state=Seat.State.SUBMITTED)
    with pytest.raises(StaleDraft):
        save(seat, {"text": "late"})
    seat.refresh_from_db()
    assert seat.draft == {"text": "sealed"}


# Undo and redo


def test_undo_goes_back_step_by_step_and_redo_forth(seat: Seat) -> None:
    for text in "abc":
        seat = save(seat, {"text": text})
    went = [back(seat), back(seat), back(seat), forth(seat), forth(seat), forth(seat)]
    assert [draft.get("text") for draft in went] == ["b", "a", None, "a", "b", "c"]


def test_before_the_first_save_there_is_nothing_to_undo(seat: Seat) -> None:
    with pytest.raises(Refused, match="nothing to undo"):
        back(seat)


def test_a_change_after_an_undo_ends_redo(seat: Seat) -> None:
    seat = save(save(seat, {"text": "a"}), {"text": "b"})
    back(seat)
    seat = save(seat, {"text": "c"})
    with pytest.raises(Refused, match="nothing to redo"):
        forth(seat)
    assert back(seat) == {"text": "a"}


def test_every_version_keeps_its_row_through_undo_and_redo(seat: Seat) -> None:
    seat = save(save(seat, {"text": "a"}), {"text": "b"})
    back(seat)
    forth(seat)
    texts = list(seat.revisions.values_list("draft__text", flat=True))
    assert texts == ["a", "b", "a", "b"]


def test_the_page_is_told_whether_undo_and_redo_lead_anywhere(seat: Seat) -> None:
    told = [drafts.steps(seat)]
    seat = save(seat, {"text": "a"})
    told.append(drafts.steps(seat))
    back(seat)
    told.append(drafts.steps(seat))
    assert told == [Steps(False, False), Steps(True, False), Steps(False, True)]


def test_typing_in_one_field_without_a_pause_is_one_step(seat: Seat) -> None:
    seat = save(seat, {"text": "", "title": "t"})
    for text in ("H", "Harb", "Harbor"):
        seat = save(seat, {"text": text, "title": "t"}, typed=True)
    assert (back(seat), seat.revisions.count()) == ({"text": "", "title": "t"}, 5)


def test_redo_of_a_step_brings_all_that_was_typed_back(seat: Seat) -> None:
    seat = save(seat, {"text": ""})
    for text in ("H", "Harbor"):
        seat = save(seat, {"text": text}, typed=True)
    back(seat)
    assert forth(seat) == {"text": "Harbor"}


def test_another_field_is_another_step(seat: Seat) -> None:
    seat = save(seat, {"text": "", "title": ""})
    seat = save(seat, {"text": "a", "title": ""}, typed=True)
    seat = save(seat, {"text": "a", "title": "b"}, typed=True)
    assert back(seat) == {"text": "a", "title": ""}


def test_after_a_pause_typing_is_another_step(seat: Seat) -> None:
    seat = save(seat, {"text": ""})
    seat = save(seat, {"text": "a"}, typed=True)
    Revision.objects.update(at=timezone.now() - drafts.ONE_STEP)
    seat = save(seat, {"text": "ab"}, typed=True)
    assert back(seat) == {"text": "a"}


def test_presses_are_steps_of_their_own_however_fast(seat: Seat) -> None:
    for word in ("minor", "critical", "minor"):
        seat = save(seat, {"materiality": word})
    assert back(seat) == {"materiality": "critical"}


def test_a_save_that_changes_nothing_is_no_step(seat: Seat) -> None:
    seat = save(save(seat, {"text": "a"}), {"text": "b"})
    seat = save(seat, {"text": "b"})
    assert back(seat) == {"text": "a"}


# The lease


def test_a_save_after_the_lease_ran_out_is_kept_on_a_returned_seat(seat: Seat) -> None:
    Seat.objects.update(leased_until=timezone.now() - timedelta(minutes=1))
    seats.return_expired(project=seat.project)
    seat.refresh_from_db()
    seat = save(seat, {"text": "kept"})
    assert (seat.state, seat.draft) == ("returned", {"text": "kept"})


# What changed


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, [Change(("a",), 1, 2)]),
        ({}, {"a": {"b": 1}}, [Change(("a",), None, {"b": 1})]),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, [Change(("a", "c"), 2, 3)]),
        ({"a": ["x"]}, {"a": ["x", "y"]}, [Change(("a",), ["x"], ["x", "y"])]),
    ],
)
def test_changes_are_told_value_by_value(
    before: dict[str, Any], after: dict[str, Any], found: list[Change]
) -> None:
    assert changes(before, after) == found


def test_items_with_an_id_are_told_apart_by_it_and_not_by_their_place() -> None:
    first, second = {"id": "c1", "kind": "time"}, {"id": "c2", "kind": "status"}
    assert changes({"rows": [first, second]}, {"rows": [second]}) == [
        Change(("rows", "c1"), first, None)
    ]


def test_another_order_is_one_change() -> None:
    rows = [{"id": "c1"}, {"id": "c2"}]
    assert len(changes({"rows": rows}, {"rows": rows[::-1]})) == 1


# The history page


@pytest.fixture
def history(
    seat: Seat, annotator_a: Person, client_of: Callable[[Person], Client]
) -> Iterator[Callable[[], str]]:
    """The page of the history as its author reads it, after logging in anew."""
    address = f"/p/study/desk/seat/{seat.public_id}/history/"
    yield lambda: client_of(annotator_a).get(address).content.decode()


def test_the_history_lists_every_change_with_who_when_old_and_new(
    seat: Seat, history: Callable[[], str]
) -> None:
    for number, text in enumerate(["one", "two", "three", "four", "five"]):
        seat = save(seat, {"text": text}, act="seat-undo" if number == 4 else "save")
    html = history()
    assert html.count('<div class="change">') == 5
    assert '<del dir="auto">one</del>' in html and '<ins dir="auto">two</ins>' in html
    assert html.count('<td class="whole">annotator-a</td>') == 5
    assert "undid a change" in html
    assert seat.draft_saved_at is not None
    assert f"{seat.draft_saved_at:%Y-%m-%d %H:%M:%S}" in html


def test_the_history_leads_to_what_was_kept_aside(seat: Seat, history: Callable[[], str]) -> None:
    seat = save(seat, {"text": "newer"})
    with pytest.raises(StaleDraft) as stale:
        drafts.save_draft(seat=seat, draft={"text": "older"}, sent=Sent(0))
    html = history()
    assert f"/conflict/{stale.value.aside.pk}/" in html
    assert '<ins dir="auto">older</ins>' in html


def test_an_empty_history_says_what_it_is_for(seat: Seat, history: Callable[[], str]) -> None:
    assert "Nothing has been saved yet." in history()


def test_nobody_reads_the_history_of_anothers_draft(
    seat: Seat,
    annotator_b: Person,
    owner: Person,
    stranger: Person,
    client_of: Callable[[Person], Client],
) -> None:
    address = f"/p/study/desk/seat/{seat.public_id}/history/"
    codes = [client_of(one).get(address).status_code for one in (annotator_b, owner, stranger)]
    assert codes == [404, 403, 404]
