"""Qualification before the first sheet, and silent items among the work."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from annotation import progress
from annotation.importing.problems import ImportRefused
from annotation.models import Person, Project, Request, Seat
from annotation.services import seats
from annotation.services.imports import import_file
from annotation.services.projects import set_member
from contracts.models import Gold, PracticeSheet
from contracts.services import sheets, training
from contracts.services.bench import opening, waiting
from contracts.services.training import KnownContract, add_gold
from contracts.terms import ContractTerms
from tests.annotation.conftest import lines
from tests.contracts.conftest import BEFORE, TEXT, TURNS, UNTIL, make_request, marked, take

ClientOf = Callable[[Person], Client]
KNOWN = {
    "constraints": [
        {"id": "k1", "kind": "referent", "materiality": "critical", "admissible": [],
         "span": {"turn": 2, "start": 4, "end": 14}, "value": {"name": "Harbor Holdings"}},
        {"id": "k2", "kind": "time", "materiality": "critical", "admissible": [],
         "span": {"turn": 2, "start": 15, "end": 26},
         "value": {"relation": "before", "start": None, "end": "2021"}},
    ],
}  # fmt: skip

MINOR = [{**KNOWN["constraints"][0], "materiality": "minor"}]


def gold(request: Request, owner: Person, use: str) -> Gold:
    terms = ContractTerms.from_json(KNOWN)
    known = KnownContract(request, use, terms, "“Before 2021” ends with 2020.")
    return add_gold(actor=owner, project=request.project, known=[known])[0]


@pytest.fixture
def practice(asked: Request, owner: Person) -> Gold:
    return gold(asked, owner, Gold.Use.PRACTICE)


@pytest.fixture
def silent(asked: Request, owner: Person) -> Gold:
    return gold(asked, owner, Gold.Use.SILENT)


def answered(person: Person, project: Project, edits: Any) -> Seat:
    seat = marked(take(person, project, "qualification"), edits)
    training.seal_practice(actor=person, seat=seat)
    seat.refresh_from_db()
    return seat


def next_sheet(person: Person, project: Project) -> Seat | None:
    return seats.take_next(actor=person, project=project, kind_name="sheet")


def test_nobody_gets_a_sheet_before_they_passed(
    practice: Gold, other: Request, annotator_a: Person
) -> None:
    project = other.project
    assert next_sheet(annotator_a, project) is None
    answered(annotator_a, project, BEFORE)
    taken = next_sheet(annotator_a, project)
    assert taken and taken.request == other


def test_a_practice_item_is_no_sheet_for_anybody(
    practice: Gold, annotator_a: Person, owner: Person
) -> None:
    project = practice.request.project
    training.set_training(actor=owner, project=project, required=False, pass_mark=0.8)
    assert next_sheet(annotator_a, project) is None


def test_too_little_found_does_not_pass_and_a_corrected_answer_replaces_it(
    practice: Gold, other: Request, annotator_a: Person
) -> None:
    project = other.project
    seat = answered(annotator_a, project, UNTIL)
    assert next_sheet(annotator_a, project) is None
    for edits in (UNTIL, BEFORE):
        seat = training.try_again(actor=annotator_a, seat=seat)
        for key in ("c1", "c2"):
            sent = sheets.Sent(seat.draft_version)
            seat = sheets.remove_constraint(seat=seat, key=key, sent=sent)
        training.seal_practice(actor=annotator_a, seat=marked(seat, edits))
        seat.refresh_from_db()
    sheet = PracticeSheet.objects.get()
    assert (sheet.found, sheet.wanted) == (2, 2)
    assert next_sheet(annotator_a, project) is not None


def test_whoever_passed_cannot_do_an_item_again(practice: Gold, annotator_a: Person) -> None:
    seat = answered(annotator_a, practice.request.project, BEFORE)
    with pytest.raises(training.Refused, match="You passed"):
        training.try_again(actor=annotator_a, seat=seat)


def test_sealing_twice_gives_one_answer(practice: Gold, annotator_a: Person) -> None:
    seat = answered(annotator_a, practice.request.project, BEFORE)
    training.seal_practice(actor=annotator_a, seat=seat)
    assert PracticeSheet.objects.count() == 1


def test_turning_the_rule_on_later_leaves_sealed_sheets_alone(
    other: Request, annotator_a: Person, owner: Person
) -> None:
    project = other.project
    seat = marked(take(annotator_a, project), BEFORE)
    sheet = sheets.seal_sheet(actor=annotator_a, seat=seat)
    gold(make_request(project, "r9", TEXT, TURNS), owner, Gold.Use.PRACTICE)
    sheet.refresh_from_db()
    assert sheet.retracted_at is None


def test_every_annotator_gets_the_silent_item(
    silent: Gold, owner: Person, annotator_a: Person, annotator_b: Person, stranger: Person
) -> None:
    project = silent.request.project
    set_member(actor=owner, project=project, person=stranger, roles=["annotator"])
    taken = [next_sheet(person, project) for person in (annotator_a, annotator_b, stranger)]
    assert [seat.request if seat else None for seat in taken] == [silent.request] * 3


def test_a_silent_item_is_never_settled(
    silent: Gold, annotator_a: Person, annotator_b: Person, adjudicator: Person
) -> None:
    project = silent.request.project
    for person in (annotator_a, annotator_b):
        sheets.seal_sheet(actor=person, seat=marked(take(person, project), BEFORE))
    assert waiting.waiting(project, adjudicator) == []
    with pytest.raises(training.Refused, match="known"):
        opening.open_adjudication(actor=adjudicator, request=silent.request)


def test_silent_items_are_counted_with_their_denominators(
    silent: Gold, annotator_a: Person, annotator_b: Person
) -> None:
    project = silent.request.project
    for person, edits in ((annotator_a, BEFORE), (annotator_b, UNTIL)):
        sheets.seal_sheet(actor=person, seat=marked(take(person, project), edits))
    checks = training.silent_checks(project)
    found = {pk: (one.items, one.found, one.wanted) for pk, one in checks.items()}
    assert found == {annotator_a.pk: (1, 2, 2), annotator_b.pk: (1, 1, 2)}


def test_a_sealed_silent_item_counts_once_after_a_retraction(
    silent: Gold, annotator_a: Person
) -> None:
    project = silent.request.project
    seat = marked(take(annotator_a, project), BEFORE)
    sheets.seal_sheet(actor=annotator_a, seat=seat)
    seat = seats.retract(actor=annotator_a, seat=seat)
    sheets.seal_sheet(actor=annotator_a, seat=seat)
    assert training.silent_checks(project)[annotator_a.pk].items == 1


def test_known_contracts_are_outside_what_the_study_counts(
    silent: Gold, other: Request, annotator_a: Person
) -> None:
    project = other.project
    sheets.seal_sheet(actor=annotator_a, seat=marked(take(annotator_a, project), BEFORE))
    of_sheets = next(found for found in progress.by_kind(project) if found.kind.name == "sheet")
    assert (of_sheets.done, of_sheets.wanted) == (0, 2)


def test_a_persons_own_count_moves_with_a_silent_item_as_with_any(
    silent: Gold, other: Request, annotator_a: Person
) -> None:
    project = other.project
    sheets.seal_sheet(actor=annotator_a, seat=marked(take(annotator_a, project), BEFORE))
    own = next(p for p in progress.own_by_kind(annotator_a, project) if p.kind.name == "sheet")
    assert (own.done, own.wanted) == (1, 2)


def _masked(page: str) -> str:
    """Without what differs between any two answers: tokens, ids and clocks."""
    page = re.sub(r'value="[A-Za-z0-9]{64}"|csrf[^"]*":\s*"[^"]*"', "", page)
    page = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "seat", page)
    page = re.sub(r"(?<=[\"' ])[A-Za-z0-9_-]{22,}(?=[\"' ])", "", page)
    return re.sub(r"\d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT[^\"<]*", "", page)


@pytest.mark.parametrize("path", ["sheet", "desk"])
def test_the_pages_of_a_silent_item_are_those_of_an_ordinary_one(
    asked: Request, owner: Person, annotator_a: Person, client_of: ClientOf, path: str
) -> None:
    browser, project, pages = client_of(annotator_a), asked.project, []
    for world in ("ordinary", "silent"):
        if world == "silent":
            gold(asked, owner, Gold.Use.SILENT)
        seat = take(annotator_a, project)
        page = f"sheet/{seat.public_id}/" if path == "sheet" else ""
        pages.append(_masked(browser.get(f"/p/study/desk/{page}").content.decode()))
    assert pages[0] == pages[1]


PRACTISES = "This is practice"


def sheet_page(person: Person, seat: Seat, client_of: ClientOf) -> str:
    return client_of(person).get(f"/p/study/desk/sheet/{seat.public_id}/").content.decode()


def test_the_page_of_a_practice_item_says_so_with_the_number_of_items_and_the_pass_mark(
    practice: Gold, owner: Person, annotator_a: Person, client_of: ClientOf
) -> None:
    project = practice.request.project
    gold(make_request(project, "r9", TEXT, TURNS), owner, Gold.Use.PRACTICE)
    training.set_training(actor=owner, project=project, required=True, pass_mark=0.75)
    seat = take(annotator_a, project, "qualification")
    shown = sheet_page(annotator_a, seat, client_of)
    assert f"{PRACTISES}, one of 2 requests" in shown
    assert "You pass by finding 75 % of the critical demands of all 2" in shown
    seats.give_back(actor=annotator_a, seat=seat)
    assert PRACTISES in sheet_page(annotator_a, seat, client_of)


@pytest.mark.parametrize("use", [None, Gold.Use.SILENT])
def test_no_other_sheet_says_that_it_is_practice(
    use: str | None, asked: Request, owner: Person, annotator_a: Person, client_of: ClientOf
) -> None:
    if use:
        gold(asked, owner, use)
    seat = take(annotator_a, asked.project)
    assert PRACTISES not in sheet_page(annotator_a, seat, client_of)


def test_the_page_of_a_sealed_practice_item_is_its_explanation(
    practice: Gold, annotator_a: Person, client_of: ClientOf
) -> None:
    seat = answered(annotator_a, practice.request.project, UNTIL)
    sent = client_of(annotator_a).get(f"/p/study/desk/sheet/{seat.public_id}/")
    assert sent["Location"] == f"/p/study/training/items/{seat.public_id}/"


def test_the_page_of_known_contracts_is_the_owners_alone(
    practice: Gold, client_of: ClientOf, owner: Person, engineer: Person, annotator_a: Person
) -> None:
    found = [client_of(p).get("/p/study/training/").status_code
             for p in (owner, engineer, annotator_a)]  # fmt: skip
    assert found == [200, 403, 403]


def test_an_owner_who_annotates_is_not_shown_the_known_contracts(
    practice: Gold, owner: Person
) -> None:
    project = practice.request.project
    set_member(actor=owner, project=project, person=owner, roles=["owner", "annotator"])
    with pytest.raises(PermissionDenied, match="must not see"):
        training.require_overview(owner, project)


def test_the_explanation_follows_the_seal_and_only_the_seal(
    practice: Gold, annotator_a: Person, annotator_b: Person, client_of: ClientOf
) -> None:
    project = practice.request.project
    seat = marked(take(annotator_a, project, "qualification"), UNTIL)
    page = f"/p/study/training/items/{seat.public_id}/"
    assert client_of(annotator_a).get(page).status_code == 404
    sealed = client_of(annotator_a).post(
        f"/p/study/desk/sheet/{seat.public_id}/seal/", {"version": seat.draft_version}
    )
    assert sealed["Location"] == page
    shown = client_of(annotator_a).get(page).content.decode()
    assert "ends with 2020" in shown and "1 of 2 critical demands" in shown
    assert client_of(annotator_b).get(page).status_code == 404


def test_the_owner_sets_the_pass_mark_in_percent(
    practice: Gold, owner: Person, client_of: ClientOf
) -> None:
    sent = client_of(owner).post("/p/study/training/", {"required": "on", "percent": "50"})
    practice.request.project.training.refresh_from_db()
    assert sent.status_code == 302
    assert practice.request.project.training.pass_mark == 0.5
    assert client_of(owner).post("/p/study/training/", {"percent": "101"}).status_code == 422


def test_gold_comes_in_by_a_file(asked: Request, owner: Person) -> None:
    row = {"request": "r1", "use": "practice", **KNOWN, "explanation": "because"}
    report = import_file(
        actor=owner, project=asked.project, kind="gold", filename="gold.jsonl", data=lines([row])
    )
    assert report.written == 1 and Gold.objects.get().explanation == "because"


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({"request": "r1", "use": "loud", **KNOWN}, ("use", "unknown_value")),
        (
            {"request": "r1", "use": "silent", "constraints": MINOR},
            ("constraints", "nothing_critical"),
        ),
        ({"request": "r8", "use": "silent", **KNOWN}, ("request", "unknown_request")),
    ],
)
def test_a_fault_in_gold_has_its_row_and_column(
    asked: Request, owner: Person, row: dict[str, Any], fault: tuple[str, str]
) -> None:
    with pytest.raises(ImportRefused) as refused:
        import_file(
            actor=owner, project=asked.project, kind="gold", filename="g.jsonl", data=lines([row])
        )
    problem = refused.value.problems.shown[0]
    assert (problem.row, problem.column, problem.code) == (1, *fault)


def test_the_ledger_tells_nobody_who_annotates_of_silent_items(
    silent: Gold, owner: Person, engineer: Person, client_of: ClientOf
) -> None:
    project = silent.request.project
    set_member(actor=owner, project=project, person=engineer, roles=["engineer", "annotator"])
    told = client_of(engineer).get("/p/study/ledger/").content.decode()
    assert "gold.added" not in told and "member.set" in told
