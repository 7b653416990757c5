"""Nobody adjudicates what they annotated, by import either."""

import json

import pytest

from annotation.importing.problems import ImportRefused
from annotation.models import Person, Project, Request
from annotation.services.exports import begin_export
from annotation.services.imports import import_file
from annotation.services.projects import set_member
from contracts.models import Adjudication, Contract
from contracts.work import sheets_open_to
from tests.contracts.conftest import BEFORE, Sealer

pytestmark = pytest.mark.django_db
CONSTRAINT = {
    "id": "c1",
    "kind": "referent",
    "materiality": "critical",
    "span": None,
    "value": {"name": "Harbor", "aliases": [], "from_turn": None, "unresolved": False},
    "admissible": [],
}


def take_in(person: Person, project: Project, kind: str, row: dict[str, object]) -> None:
    data = json.dumps({"ambiguity": {"unresolved": False, "readings": []}, **row}).encode()
    import_file(actor=person, project=project, kind=kind, filename="f.jsonl", data=data)


def test_an_annotator_who_imports_a_contract_is_not_its_adjudicator(
    asked: Request, seal: Sealer, annotator_a: Person, owner: Person
) -> None:
    set_member(
        actor=owner, project=asked.project, person=annotator_a, roles=["annotator", "engineer"]
    )
    seal(annotator_a, BEFORE)
    with pytest.raises(ImportRefused, match="somebody else must be its adjudicator"):
        take_in(
            annotator_a,
            asked.project,
            "contracts",
            {"request": asked.key, "constraints": [CONSTRAINT]},
        )
    assert not Contract.objects.exists()


def test_a_contract_does_not_come_in_beside_an_open_adjudication(
    opened: Adjudication, owner: Person
) -> None:
    project = opened.request.project
    with pytest.raises(ImportRefused, match="is open on the bench"):
        take_in(
            owner,
            project,
            "contracts",
            {"request": opened.request.key, "constraints": [CONSTRAINT]},
        )


def test_who_brought_the_answers_in_gets_no_sheet_of_that_request(
    asked: Request, annotator_a: Person
) -> None:
    assert asked in sheets_open_to(asked.project, annotator_a)
    Request.objects.filter(pk=asked.pk).update(created_by=annotator_a)
    assert asked not in sheets_open_to(asked.project, annotator_a)


def test_who_once_exported_others_work_gets_no_sheet(
    asked: Request, engineer: Person, owner: Person
) -> None:
    project = asked.project
    list(begin_export(actor=engineer, project=project, kind_name="requests").pieces())
    set_member(actor=owner, project=project, person=engineer, roles=["annotator"])
    assert not sheets_open_to(project, engineer).exists()
