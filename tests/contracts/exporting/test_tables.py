"""The long and the wide table: the same columns whoever annotated, and nobody's absence lost."""

import csv
import io
import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.exporting.cells import cell_of
from annotation.exporting.kinds import EXPORT_KINDS
from annotation.models import Person, Project, Request, Seat
from annotation.services import exposure, seats
from annotation.services.exports import wanted
from annotation.services.projects import set_member
from contracts.models import Contract
from contracts.services import sheets
from contracts.services.approval import record_contract
from tests.contracts.conftest import BEFORE, Sealer, make_request, marked, take
from tests.contracts.exporting.conftest import Write

TABLES = ["annotations", "annotations-wide"]


def rows_of(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.splitlines()]


def cells_of(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode(), newline=""), strict=True))


def reviewers(owner: Person, project: Project, count: int) -> list[Person]:
    found = [Person.objects.create_user(f"reviewer-{n}") for n in range(count)]
    for person in found:
        set_member(actor=owner, project=project, person=person, roles=["annotator"])
    return found


@pytest.mark.parametrize("count", [0, 1, 2, 3, 6])
def test_the_columns_are_the_documented_ones_for_any_number_of_reviewers(
    count: int, asked: Request, owner: Person, write: Write
) -> None:
    project = asked.project
    project.reviewers_per_request = max(2, count)
    project.save()
    for person in reviewers(owner, project, count):
        sheets.seal_sheet(actor=person, seat=marked(take(person, project), BEFORE))
    for table in TABLES:
        columns = list(EXPORT_KINDS[table].columns)
        found = rows_of(write(project, table, "jsonl"))
        assert all(list(row) == columns for row in found)
        assert write(project, table, "csv").splitlines()[0].decode().split(",") == columns
    (wide,) = rows_of(write(project, "annotations-wide", "jsonl"))
    assert wide["reviewers_done"] == count
    assert sum(wide[f"reviewer_{n}"] is not None for n in range(1, 6)) == min(count, 5)
    assert len(wide["further_reviewers"]) == max(0, count - 5)


@pytest.mark.parametrize("table", TABLES)
def test_csv_and_jsonl_of_a_table_say_the_same(
    table: str, contract: Contract, write: Write
) -> None:
    project = contract.request.project
    rows = rows_of(write(project, table, "jsonl"))
    assert cells_of(write(project, table, "csv")) == [
        {name: cell_of(value) for name, value in row.items()} for row in rows
    ]


def test_the_long_table_has_a_row_for_each_person_request_and_constraint(
    contract: Contract, write: Write
) -> None:
    found = rows_of(write(contract.request.project, "annotations", "jsonl"))
    told = [(row["person"], row["role"], row["constraint"], row["words"]) for row in found]
    assert told == [
        ("p2", "reviewer", "c1", "its parent"),
        ("p2", "reviewer", "c2", "before 2021"),
        ("p3", "reviewer", "c1", "its parent"),
        ("p3", "reviewer", "c2", "before 2021"),
        ("p4", "adjudicator", "c1", "its parent"),
        ("p4", "adjudicator", "c2", "before 2021"),
    ]


def test_who_marked_nothing_and_who_could_not_judge_have_a_row(
    asked: Request, annotator_a: Person, annotator_b: Person, write: Write
) -> None:
    project = asked.project
    seat = take(annotator_a, project)
    seats.cannot_judge(actor=annotator_a, seat=seat, reason="=no idea")
    now = timezone.now()
    empty = Seat.objects.create(
        project=project, request=asked, kind="sheet", slot=2, position=0, holder=annotator_b,
        taken_at=now, leased_until=now, state=Seat.State.SUBMITTED, sealed_at=now,
    )  # fmt: skip
    terms = sheets.drafted(empty)
    sheets.record_sheet(actor=annotator_b, annotator=annotator_b, seat=empty, terms=terms)
    found = rows_of(write(project, "annotations", "jsonl"))
    assert [(row["person"], row["outcome"], row["constraint"]) for row in found] == [
        ("p2", "cannot_judge", None),
        ("p3", "nothing_marked", None),
    ]
    assert cells_of(write(project, "annotations", "csv"))[0]["reason"] == "'=no idea"


def test_the_tables_count_as_done_what_every_page_counts_as_done(
    contract: Contract, other: Request, annotator_a: Person, write: Write
) -> None:
    project = contract.request.project
    seats.cannot_judge(actor=annotator_a, seat=take(annotator_a, project), reason="why")
    done = Seat.objects.done().filter(project=project, kind="sheet").count()
    long = rows_of(write(project, "annotations", "jsonl"))
    pairs = {(row["request"], row["person"]) for row in long if row["role"] == "reviewer"}
    wide = rows_of(write(project, "annotations-wide", "jsonl"))
    listed = rows_of(write(project, "seats", "jsonl"))
    assert done == 3 == len(pairs) == sum(row["reviewers_done"] for row in wide) == len(listed)


@pytest.mark.parametrize("kind", sorted(EXPORT_KINDS))
def test_the_page_counts_as_many_rows_as_the_file_has(
    kind: str, worked: Project, annotator_a: Person, write: Write
) -> None:
    expected = EXPORT_KINDS[kind].count(wanted(worked))
    data = write(worked, kind, "jsonl")
    begun = kind == "ledger"  # the entry of the export itself
    assert len(data.splitlines()) == expected + begun


def test_reviewers_stand_in_the_order_of_their_pseudonyms_under_either_name(
    asked: Request, owner: Person, write: Write
) -> None:
    project = asked.project
    project.reviewers_per_request = 9
    project.save()
    for person in reversed(reviewers(owner, project, 6)):  # p6 to p11
        sheets.seal_sheet(actor=person, seat=marked(take(person, project), BEFORE))
    (hidden,) = rows_of(write(project, "annotations-wide", "jsonl"))
    (named,) = rows_of(write(project, "annotations-wide", "jsonl", named=True))
    assert [hidden[f"reviewer_{n}"] for n in range(1, 6)] == ["p6", "p7", "p8", "p9", "p10"]
    assert [named[f"reviewer_{n}"] for n in range(1, 6)] == [f"reviewer-{n}" for n in range(5)]
    assert named["further_reviewers"][0]["reviewer"] == "reviewer-5"


def test_a_sheet_sealed_after_its_annotator_was_shown_something_is_not_blind(
    asked: Request, seal: Sealer, annotator_a: Person, annotator_b: Person, write: Write
) -> None:
    seal(annotator_a)
    sheet = seal(annotator_b)
    exposure.expose(person=annotator_b, project=asked.project, subject=asked.key, what="answers")
    later = timezone.now()
    type(sheet).objects.filter(pk=sheet.pk).update(sealed_at=later)
    found = rows_of(write(asked.project, "annotations", "jsonl"))
    assert {(row["person"], row["blind"]) for row in found} == {("p2", True), ("p3", False)}


@pytest.mark.parametrize("kind", ["sheets", "contracts", "annotations", "annotations-wide"])
def test_a_chunk_takes_the_same_number_of_queries_however_many_requests(
    kind: str, contract: Contract, write: Write, annotator_a: Person
) -> None:
    project = contract.request.project
    with CaptureQueriesContext(connection) as one:
        write(project, kind)
    for n in range(5):
        request = make_request(project, f"more-{n}", contract.request.text)
        seat = marked(take(annotator_a, project), BEFORE)
        sheet = sheets.seal_sheet(actor=annotator_a, seat=seat)
        record_contract(
            actor=annotator_a, request=request, terms=sheet.terms, annotators=[annotator_a],
            adjudicator=contract.adjudicator,
        )  # fmt: skip
    with CaptureQueriesContext(connection) as six:
        write(project, kind)
    assert len(six) == len(one)
