"""Sealing by a program, and who is shown sheets and contracts, with which record."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Person, Project, Request, Seat
from annotation.services import seats
from annotation.services.drafts import Sent, save_draft
from annotation.services.exposure import was_exposed
from annotation.services.projects import Refused, set_member
from annotation.services.rewrites import record_rewrite
from contracts.models import Contract, Sheet
from tests.contracts.api.test_reading import constraint
from tests.contracts.conftest import Sealer, take

Programs = Callable[..., Client]
STUDY = "/api/v1/projects/study/"
JSON = {"content_type": "application/json"}


def rows(client: Client, path: str) -> list[dict[str, Any]]:
    return client.get(STUDY + path).json()["results"]


def test_a_program_seals_a_sheet(asked: Request, program: Programs, annotator_a: Person) -> None:
    client = program(annotator_a)
    seat = client.post(STUDY + "work/sheet/next/", **JSON).json()
    there = f"{STUDY}seats/{seat['id']}/"
    client.put(there + "draft/", {"version": 0, "draft": {"constraints": [constraint()]}}, **JSON)
    told = client.post(there + "seal/", {"version": 1}, **JSON).json()
    assert told["state"] == "submitted" and told["sealed_at"]
    sheet = Sheet.objects.get()
    assert (sheet.annotator, sheet.constraints.get().value["end"]) == (annotator_a, "2021")
    assert asked.project.ledger.filter(kind="sheet.sealed").count() == 1


def test_sealing_twice_seals_once(asked: Request, program: Programs, annotator_a: Person) -> None:
    client, seat = program(annotator_a), take(annotator_a, asked.project)
    there = f"{STUDY}seats/{seat.public_id}/"
    client.put(there + "draft/", {"version": 0, "draft": {"constraints": [constraint()]}}, **JSON)
    codes = [client.post(there + "seal/", {"version": 1}, **JSON).status_code for _ in range(3)]
    assert codes == [200, 200, 200] and Sheet.objects.count() == 1


def test_what_cannot_be_sealed_is_told_line_by_line(
    asked: Request, program: Programs, annotator_a: Person
) -> None:
    client, seat = program(annotator_a), take(annotator_a, asked.project)
    there = f"{STUDY}seats/{seat.public_id}/"
    draft = {"constraints": [constraint(value={}), constraint(id="c2", value={})]}
    client.put(there + "draft/", {"version": 0, "draft": draft}, **JSON)
    told = client.post(there + "seal/", {"version": 1}, **JSON).json()
    assert told["status"] == 422 and len(told["errors"]) == 2
    assert told["errors"][0]["message"].startswith("c1: ")


def test_a_stale_seal_is_a_conflict(asked: Request, program: Programs, annotator_a: Person) -> None:
    client, seat = program(annotator_a), take(annotator_a, asked.project)
    there = f"{STUDY}seats/{seat.public_id}/"
    client.put(there + "draft/", {"version": 0, "draft": {"constraints": [constraint()]}}, **JSON)
    assert client.post(there + "seal/", {"version": 0}, **JSON).status_code == 409
    assert not Sheet.objects.exists()


def test_a_sealed_sheet_can_be_retracted_until_somebody_reads_it(
    seal: Sealer, program: Programs, annotator_a: Person, annotator_b: Person, engineer: Person
) -> None:
    mine, theirs = seal(annotator_a), seal(annotator_b)
    client = program(annotator_a)
    there = f"{STUDY}seats/{mine.seat.public_id}/retract/"
    assert client.post(there, **JSON).json()["state"] == "held"
    assert len(rows(program(engineer), "sheets/")) == 1  # now the other one is read
    there = f"{STUDY}seats/{theirs.seat.public_id}/retract/"
    assert program(annotator_b).post(there, **JSON).status_code == 422


def test_an_annotator_sees_their_own_sheets_only(
    seal: Sealer, program: Programs, annotator_a: Person, annotator_b: Person
) -> None:
    mine, theirs = seal(annotator_a), seal(annotator_b)
    client = program(annotator_a)
    assert [row["id"] for row in rows(client, "sheets/")] == [str(mine.seat.public_id)]
    assert client.get(f"{STUDY}sheets/{theirs.seat.public_id}/").status_code == 404
    theirs.seat.refresh_from_db()
    assert theirs.seat.read_at is None


def test_one_who_annotates_too_sees_their_own_sheets_only(
    seal: Sealer, program: Programs, annotator_a: Person, owner: Person, engineer: Person
) -> None:
    sheet = seal(annotator_a)
    project = sheet.request.project
    set_member(actor=owner, project=project, person=engineer, roles=["engineer", "annotator"])
    assert rows(program(engineer), "sheets/") == []


def test_reading_the_others_sheets_is_recorded_once(
    seal: Sealer, program: Programs, annotator_a: Person, engineer: Person
) -> None:
    sheet = seal(annotator_a)
    client = program(engineer)
    for _time in range(2):
        line = rows(client, "sheets/")[0]
    assert line["annotator"] == "p2" and line["request"] == "r1"
    assert [c["kind"] for c in line["constraints"]] == ["referent", "time"]
    exposed = sheet.request.project.ledger.filter(kind="exposed", actor=engineer)
    assert [(e.subject, e.content) for e in exposed] == [("r1", {"what": "sheets"})]
    sheet.seat.refresh_from_db()
    assert sheet.seat.read_at is not None
    with pytest.raises(Refused):
        seats.retract(actor=annotator_a, seat=Seat.objects.get(pk=sheet.seat.pk))


def test_an_adjudicator_is_not_told_who_annotated(
    seal: Sealer, program: Programs, annotator_a: Person, adjudicator: Person
) -> None:
    seal(annotator_a)
    assert rows(program(adjudicator), "sheets/")[0]["annotator"] is None


def test_contracts_are_lines_of_the_contracts_file(
    contract: Contract, program: Programs, engineer: Person
) -> None:
    line = rows(program(engineer), "contracts/")[0]
    assert (line["request"], line["version"], line["sha256"]) == ("r1", 1, contract.sha256)
    assert line["constraints"] == contract.content["constraints"]
    assert (line["annotators"], line["adjudicator"]) == (["p2", "p3"], "p4")


def test_that_a_contract_was_shown_is_recorded(
    contract: Contract, program: Programs, engineer: Person
) -> None:
    client = program(engineer)
    assert client.get(STUDY + "contracts/r1/").json()["version"] == 1
    entry = contract.request.project.ledger.get(kind="exposed", actor=engineer)
    assert entry.content == {"what": "contract"}


def test_an_adjudicator_reads_a_contract_without_names(
    contract: Contract, program: Programs, adjudicator: Person
) -> None:
    line = program(adjudicator).get(STUDY + "contracts/r1/").json()
    assert line["annotators"] is None and line["adjudicator"] is None


def test_the_writer_of_a_reference_reads_that_contract_and_no_other(
    contract: Contract, other: Request, program: Programs, annotator_a: Person
) -> None:
    client = program(annotator_a)
    assert client.get(STUDY + "contracts/r1/").status_code == 403
    seat = client.post(STUDY + "work/standalone/next/", **JSON)
    assert seat.status_code == 200
    assert client.get(STUDY + "contracts/r1/").json()["request"] == "r1"
    assert client.get(STUDY + "contracts/r2/").status_code == 403
    assert client.get(STUDY + "contracts/").status_code == 403


def test_a_program_writes_a_reference(
    contract: Contract, program: Programs, annotator_a: Person
) -> None:
    client = program(annotator_a)
    seat = client.post(STUDY + "work/standalone/next/", **JSON).json()
    there = f"{STUDY}seats/{seat['id']}/"
    draft = {"text": "What did Harbor Holdings do before 2021?"}
    assert client.put(there + "draft/", {"version": 0, "draft": draft}, **JSON).status_code == 200
    assert client.post(there + "seal/", {"version": 1}, **JSON).json()["state"] == "submitted"
    told = rows(client, "human-rewrites/")
    assert [(row["kind"], row["text"], row["author"]) for row in told] == [
        ("standalone", draft["text"], "p2")
    ]


@pytest.mark.parametrize("path", ["sheets/", "contracts/"])
def test_a_longer_page_takes_no_further_query(
    path: str, study_of_many: Project, program: Programs, engineer: Person
) -> None:
    client = program(engineer)
    rows(client, path)  # what it shows is written down once
    counts = []
    for limit in (1, 200):
        with CaptureQueriesContext(connection) as seen:
            found = rows(client, f"{path}?limit={limit}")
        counts.append(len(seen))
    assert counts[0] == counts[1] and len(found) > 1


@pytest.fixture
def study_of_many(contract: Contract, other: Request, seal: Sealer, annotator_a: Person) -> Project:
    """A second request with its contract and a sheet of its own."""
    from django.utils import timezone

    project = other.project
    copied = Contract.objects.get(pk=contract.pk)
    copied.pk, copied.request, copied.approved_at = None, other, timezone.now()
    copied.save()
    sheet = Sheet.objects.filter(annotator=annotator_a).get()
    sheet.pk, sheet.request, sheet.seat = None, other, None
    sheet.save()
    return project


def test_a_reference_that_was_read_here_is_not_retracted_and_its_reader_is_not_blind(
    contract: Contract, program: Programs, annotator_a: Person, owner: Person
) -> None:
    request = contract.request
    seat = take(annotator_a, request.project, "standalone")
    draft = {"text": "What did Harbor Holdings report before 2021?", "clarification": False}
    seat = save_draft(seat=seat, draft=draft, sent=Sent(0))
    with transaction.atomic():
        seats.submit(seat=seat)
        record_rewrite(
            kind="standalone",
            actor=annotator_a,
            author=annotator_a,
            request=request,
            seat=seat,
            **draft,
        )
    told = rows(program(owner), "human-rewrites/")
    assert [row["request"] for row in told] == [request.key]
    with pytest.raises(Refused, match="can no longer be retracted"):
        seats.retract(actor=annotator_a, seat=seat)
    assert was_exposed(person=owner, project=request.project, subject=request.key)
