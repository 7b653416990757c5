"""The answer of a request is never on a page without the trace that its reader saw it."""

from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import Person, Project, Seat
from annotation.services.drafts import Sent, save_draft
from annotation.services.exposure import was_exposed
from tests.annotation.api.conftest import program
from tests.contracts.conftest import TEXT, TURNS, make_request, take

__all__ = ["program"]

ClientOf = Callable[[Person], Client]
ANSWER = b"EUR 1.2 billion"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def seat(project: Project, annotator_a: Person) -> Seat:
    """A seat on a paraphrase with two saved drafts, whose page was not opened yet."""
    make_request(project, "r1", TEXT, TURNS)
    project.paraphrases_per_request = 2
    project.save()
    seat = take(annotator_a, project, "paraphrase")
    for version in (0, 1):
        seat = save_draft(seat=seat, draft={"text": f"words {version}"}, sent=Sent(version))
    return seat


def traced(person: Person, project: Project) -> bool:
    return was_exposed(person=person, project=project, subject="r1")


def test_work_rendered_anew_leaves_the_trace(
    seat: Seat, annotator_a: Person, client_of: ClientOf
) -> None:
    there = f"/p/study/desk/seat/{seat.public_id}/work/"
    assert ANSWER in client_of(annotator_a).get(there, headers=HTMX).content
    assert traced(annotator_a, seat.project)


@pytest.mark.parametrize("act", ["undo", "redo", "again", "later", "retract"])
def test_no_act_on_the_seat_shows_the_answer_without_the_trace(
    seat: Seat, annotator_a: Person, client_of: ClientOf, act: str
) -> None:
    there = f"/p/study/desk/seat/{seat.public_id}/{act}/"
    page = client_of(annotator_a).post(there, {"version": "2"}, headers=HTMX)
    assert (ANSWER in page.content) <= traced(annotator_a, seat.project)


@pytest.mark.parametrize("path", ["", "{}/", "{}/draft/"])
def test_a_program_is_not_given_the_answer_without_the_trace(
    seat: Seat, annotator_a: Person, program: Callable[..., Client], path: str
) -> None:
    there = "/api/v1/projects/study/seats/" + path.format(seat.public_id)
    answer = program(annotator_a).get(there)
    assert answer.status_code == 200
    assert (ANSWER in answer.content) <= traced(annotator_a, seat.project)


@pytest.mark.parametrize("act", ["save", "seal"])
def test_a_save_or_a_seal_that_is_refused_does_not_show_it_either(
    seat: Seat, annotator_a: Person, client_of: ClientOf, act: str
) -> None:
    there = f"/p/study/desk/paraphrase/{seat.public_id}/{act}/"
    for version in ("0", "2"):
        page = client_of(annotator_a).post(there, {"version": version, "text": "x"}, headers=HTMX)
        assert (ANSWER in page.content) <= traced(annotator_a, seat.project)


def test_work_rendered_anew_hides_the_answer_from_who_has_a_sheet_to_finish(
    seat: Seat, annotator_a: Person, client_of: ClientOf
) -> None:
    sheet = Seat.objects.get(pk=seat.pk)  # as if both tabs had asked at once
    sheet.pk, sheet.public_id = None, "7e6a3c9c-5cf0-4f6e-b33c-3f7ac0c1e111"
    sheet.kind, sheet.state = "sheet", Seat.State.RETURNED
    sheet.save()
    there = f"/p/study/desk/seat/{seat.public_id}/work/"
    assert ANSWER not in client_of(annotator_a).get(there, headers=HTMX, follow=True).content
    assert not traced(annotator_a, seat.project)
