import pytest
from django.db import transaction

from annotation.models import Person, Project, Request, Seat
from annotation.services import drafts
from annotation.services.drafts import Sent
from annotation.services.exposure import expose
from annotation.services.projects import Refused
from annotation.services.seats import take_next
from contracts.models import Sheet
from contracts.services import sheets
from contracts.services.bench.waiting import waiting
from contracts.terms import Span
from tests.contracts.conftest import BEFORE, Sealer, make_request, marked, take


@pytest.fixture
def seat(asked: Request, annotator_a: Person) -> Seat:
    return take(annotator_a, asked.project)


def test_a_sealed_sheet_has_the_hash_of_its_terms(
    seat: Seat, annotator_a: Person, project: Project
) -> None:
    sheet = sheets.seal_sheet(actor=annotator_a, seat=marked(seat, BEFORE))
    assert sheet.sha256 == sheet.terms.sha256


def test_sealing_a_sheet_enters_the_ledger(seat: Seat, annotator_a: Person) -> None:
    sheet = sheets.seal_sheet(actor=annotator_a, seat=marked(seat, BEFORE))
    entry = seat.project.ledger.get(kind="sheet.sealed")
    assert entry.content == {"annotator": "annotator-a", "sha256": sheet.sha256}


def test_sealing_twice_gives_one_sheet(seat: Seat, annotator_a: Person) -> None:
    seat = marked(seat, BEFORE)
    first = sheets.seal_sheet(actor=annotator_a, seat=seat, sent=Sent(seat.draft_version))
    again = sheets.seal_sheet(actor=annotator_a, seat=seat, sent=Sent(seat.draft_version))
    assert (again.pk, Sheet.objects.count()) == (first.pk, 1)


def test_an_empty_sheet_is_refused_with_what_to_do(seat: Seat, annotator_a: Person) -> None:
    with pytest.raises(Refused, match="mark what the request asks"):
        sheets.seal_sheet(actor=annotator_a, seat=seat)


def test_every_fault_of_a_value_is_a_sentence_that_names_the_constraint(
    seat: Seat, annotator_a: Person
) -> None:
    seat = marked(seat, [("time", "before 2021", {"relation": "before"})])
    with pytest.raises(Refused, match="c1: The field “end” is missing; “before” needs it."):
        sheets.seal_sheet(actor=annotator_a, seat=seat)


def test_a_draft_that_another_tab_changed_is_not_sealed_unseen(
    seat: Seat, annotator_a: Person
) -> None:
    shown = seat.draft_version
    marked(seat, BEFORE)
    with pytest.raises(drafts.StaleDraft):
        sheets.seal_sheet(actor=annotator_a, seat=seat, sent=Sent(shown))


# The offsets are those of cases that people reported to other annotation tools (LS#1347, AR#5729).
@pytest.mark.parametrize(
    ("text", "words", "start", "end"),
    [
        ("📦parcel fees 2024", "fees", 8, 12),
        ("refund 🚚 policy EU", "policy", 9, 15),
        ("👩🏽‍🔬 lab hours", "lab", 5, 8),
        ("naïve cafe\u0301 menu", "menu", 12, 16),
    ],
)
def test_a_mark_keeps_code_points_and_the_text_as_stored(
    project: Project, annotator_a: Person, text: str, words: str, start: int, end: int
) -> None:
    make_request(project, "r1", text)
    seat = take(annotator_a, project)
    seat, _key = sheets.add_constraint(
        seat=seat, kind="referent", span=Span(0, start, end), sent=Sent(0), words=words
    )
    assert sheets.drafted(seat).constraints[0].value["name"] == words


def test_words_other_than_the_stored_ones_are_refused(seat: Seat) -> None:
    with pytest.raises(Refused, match="not those of the request"):
        sheets.add_constraint(
            seat=seat, kind="time", span=Span(2, 0, 3), sent=Sent(0), words="something else"
        )


def test_blanks_at_both_ends_are_no_part_of_a_mark(seat: Seat) -> None:
    seat, _key = sheets.add_constraint(
        seat=seat, kind="referent", span=Span(2, 3, 15), sent=Sent(0)
    )
    assert sheets.drafted(seat).constraints[0].span == Span(2, 4, 14)


def test_a_mark_outside_the_request_is_refused(seat: Seat) -> None:
    with pytest.raises(Refused, match="outside the request"):
        sheets.add_constraint(seat=seat, kind="time", span=Span(2, 0, 999), sent=Sent(0))


def test_a_sheet_sealed_after_an_exposure_is_left_out_of_adjudication(
    asked: Request, seal: Sealer, annotator_a: Person, annotator_b: Person, adjudicator: Person
) -> None:
    seal(annotator_a)
    seat = marked(take(annotator_b, asked.project), BEFORE)
    expose(person=annotator_b, project=asked.project, subject=asked.key, what="answers")
    # As an import of a sheet that was sealed elsewhere would.
    terms = sheets.drafted(seat)
    with transaction.atomic():
        sheets.record_sheet(actor=annotator_b, annotator=annotator_b, seat=seat, terms=terms)
    assert waiting(asked.project, adjudicator) == []


def test_whoever_was_shown_more_since_gives_the_seat_back_instead_of_sealing(
    asked: Request, annotator_a: Person, annotator_b: Person
) -> None:
    seat = marked(take(annotator_b, asked.project), BEFORE)
    expose(person=annotator_b, project=asked.project, subject=asked.key, what="answers")
    with pytest.raises(Refused, match="more of this request than a reviewer may see"):
        sheets.seal_sheet(actor=annotator_b, seat=seat)
    seat.refresh_from_db()
    assert seat.state == Seat.State.RETURNED
    assert take_next(actor=annotator_b, project=asked.project, kind_name="sheet") is None
