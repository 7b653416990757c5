"""Who may have which file, under which names, and what the ledger says of it."""

import hashlib
import json
from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied

from annotation.exporting.kinds import EXPORT_KINDS
from annotation.models import Person, Project, Seat
from annotation.services import seats
from annotation.services.exports import begin_export, may_export, telling_exports
from annotation.services.projects import Refused, end_membership, set_member
from contracts.models import Adjudication, Contract, Sheet
from tests.contracts.conftest import Sealer
from tests.contracts.exporting.conftest import Write, written

BLIND = {"corpus"}
People = Callable[..., dict[str, Person]]


def test_the_whole_map_of_people_and_files(
    project: Project,
    owner: Person,
    annotator_a: Person,
    adjudicator: Person,
    engineer: Person,
    stranger: Person,
) -> None:
    both = Person.objects.create_user("both")
    set_member(actor=owner, project=project, person=both, roles=["owner", "annotator"])
    people = {
        "owner": owner, "engineer": engineer, "adjudicator": adjudicator,
        "annotator": annotator_a, "both": both, "stranger": stranger,
    }  # fmt: skip
    allowed = {
        name: {
            kind.name
            for kind in EXPORT_KINDS.values()
            if may_export(person, project, kind, named=False).allowed
        }
        for name, person in people.items()
    }
    every = set(EXPORT_KINDS)
    nobody: set[str] = set()
    assert allowed == {
        "owner": every, "engineer": every, "adjudicator": nobody,
        "annotator": nobody, "both": BLIND, "stranger": nobody,
    }  # fmt: skip


def test_only_an_owner_exports_user_names(
    contract: Contract, owner: Person, engineer: Person, project: Project
) -> None:
    with pytest.raises(PermissionDenied, match="Only an owner"):
        begin_export(actor=engineer, project=project, kind_name="sheets", named=True)
    assert b'"annotator-a"' in written(project, owner, "sheets", named=True)


def test_without_names_nobody_s_user_name_is_in_any_file(
    contract: Contract, write: Write, project: Project
) -> None:
    for kind in EXPORT_KINDS.values():
        for form in kind.forms:
            data = write(project, kind.name, form)
            found = [name for name in (b"annotator-a", b"annotator-b") if name in data]
            assert found == [], (kind.name, form)


def test_who_annotates_is_told_why_they_may_not(
    project: Project, owner: Person, annotator_a: Person
) -> None:
    set_member(actor=owner, project=project, person=annotator_a, roles=["annotator", "owner"])
    with pytest.raises(PermissionDenied, match="no longer be blind"):
        begin_export(actor=annotator_a, project=project, kind_name="sheets")


@pytest.mark.parametrize("kind", ["sheets", "standalone", "paraphrases"])
def test_one_s_own_file_has_own_rows_alone(
    kind: str, worked: Project, annotator_a: Person, write: Write
) -> None:
    rows = [json.loads(line) for line in written(worked, annotator_a, kind, own=True).splitlines()]
    every = [json.loads(line) for line in write(worked, kind).splitlines()]
    mine = [row for row in every if "p2" in (row.get("annotator"), row.get("author"))]
    assert rows == mine and len(mine) == (0 if kind == "paraphrases" else 1)


@pytest.mark.parametrize("kind", ["contracts", "annotations", "ledger", "requests"])
def test_what_is_nobody_s_own_work_is_no_file_of_one_s_own(
    kind: str, project: Project, annotator_a: Person
) -> None:
    with pytest.raises(Refused, match="no work of one person"):
        begin_export(actor=annotator_a, project=project, kind_name=kind, own=True)


def test_a_form_that_a_file_does_not_have_is_refused(project: Project, owner: Person) -> None:
    with pytest.raises(Refused, match="written as jsonl"):
        begin_export(actor=owner, project=project, kind_name="sheets", form="csv")


def test_the_ledger_has_the_hash_of_what_went_out(
    contract: Contract, write: Write, project: Project
) -> None:
    data = write(project, "sheets")
    begun, ended = project.ledger.order_by("sequence").filter(subject="sheets")
    assert (begun.kind, ended.kind) == ("export.begun", "exported")
    assert ended.content == {
        "kind": "sheets", "format": "jsonl", "named": False, "filter": {}, "rows": 2,
        "sha256": hashlib.sha256(data).hexdigest(), "whole": True,
    }  # fmt: skip


def test_whoever_stops_listening_ends_the_file_and_the_ledger_says_so(
    contract: Contract, owner: Person, project: Project
) -> None:
    pieces = begin_export(actor=owner, project=project, kind_name="sheets").pieces()
    first = next(iter(pieces))
    pieces.close()  # type: ignore[attr-defined]
    content = project.ledger.filter(kind="exported").get().content
    assert (content["whole"], content["rows"]) == (False, 1)
    assert content["sha256"] == hashlib.sha256(first).hexdigest()


def test_what_was_exported_cannot_be_retracted(
    project: Project, seal: Sealer, annotator_a: Person, owner: Person
) -> None:
    sheet = seal(annotator_a)
    written(project, owner, "annotations")
    with pytest.raises(Refused, match="no longer be retracted"):
        seats.retract(actor=annotator_a, seat=sheet.seat)


def test_one_s_own_export_leaves_the_sheet_one_s_own(
    project: Project, seal: Sealer, annotator_a: Person
) -> None:
    sheet = seal(annotator_a)
    written(project, annotator_a, "sheets", own=True)
    assert seats.retract(actor=annotator_a, seat=sheet.seat).state == Seat.State.HELD


def test_what_is_sealed_after_an_export_began_is_not_in_it(
    project: Project, seal: Sealer, annotator_a: Person, annotator_b: Person, owner: Person
) -> None:
    seal(annotator_a)
    export = begin_export(actor=owner, project=project, kind_name="sheets")
    late = seal(annotator_b)
    assert len(b"".join(export.pieces()).splitlines()) == 1
    assert seats.retract(actor=annotator_b, seat=late.seat).read_at is None


def test_a_retracted_sheet_is_in_the_file_of_retracted_ones_alone(
    project: Project, seal: Sealer, annotator_a: Person, write: Write
) -> None:
    seats.retract(actor=annotator_a, seat=seal(annotator_a).seat)
    assert write(project, "sheets") == b""
    (row,) = [json.loads(line) for line in write(project, "retracted-sheets").splitlines()]
    assert row["annotator"] == "p2" and row["retracted_at"] > row["sealed_at"]


def test_a_former_member_keeps_the_pseudonym(
    opened: Adjudication, write: Write, owner: Person, annotator_a: Person, project: Project
) -> None:
    before = write(project, "sheets")
    end_membership(actor=owner, project=project, person=annotator_a)
    new = Person.objects.create_user("new")
    set_member(actor=owner, project=project, person=new, roles=["annotator"])
    assert write(project, "sheets") == before and Sheet.objects.count() == 2


def test_it_is_known_who_once_exported_others_work(
    project: Project, engineer: Person, owner: Person
) -> None:
    written(project, engineer, "corpus")
    written(project, owner, "sheets")
    found = [
        telling_exports(person=person, project=project).exists() for person in (engineer, owner)
    ]
    assert found == [False, True]
