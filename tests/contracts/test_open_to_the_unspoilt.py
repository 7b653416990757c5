"""Sheets are open to whoever knows nothing of the request: not to who brought somebody's sheet in,
took a telling export out, or read its known contract.
"""

from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import Person, Project, Request
from annotation.services.exports import begin_export
from annotation.services.imports import import_file
from annotation.services.projects import set_member
from contracts.models import Gold
from contracts.work import sheets_open_to
from tests.annotation.conftest import lines
from tests.contracts.test_training import KNOWN, gold

ClientOf = Callable[[Person], Client]


def open_keys(person: Person, project: Project, owner: Person) -> set[str]:
    """Of which requests the person would get a sheet, were they an annotator from now on."""
    set_member(actor=owner, project=project, person=person, roles=["annotator"])
    return set(sheets_open_to(project, person).values_list("key", flat=True))


def bring_in(person: Person, project: Project, annotator: str) -> None:
    row = {"request": "r1", "annotator": annotator, **KNOWN}
    import_file(actor=person, project=project, kind="sheets", filename="s.jsonl", data=lines([row]))


def test_who_imported_a_peers_sheet_gets_none_of_that_request(
    other: Request, engineer: Person, owner: Person, annotator_a: Person
) -> None:
    bring_in(engineer, other.project, "annotator-a")
    assert open_keys(engineer, other.project, owner) == {"r2"}


def test_whose_sheet_was_imported_by_somebody_else_gets_the_other_requests(
    other: Request, engineer: Person, owner: Person, annotator_a: Person
) -> None:
    bring_in(engineer, other.project, "annotator-a")
    assert set(sheets_open_to(other.project, annotator_a).values_list("key", flat=True)) == {"r2"}


@pytest.mark.parametrize("kind", ["sheets", "annotations", "requests"])
def test_who_took_a_telling_export_out_gets_no_sheet(
    other: Request, engineer: Person, owner: Person, kind: str
) -> None:
    list(begin_export(actor=engineer, project=other.project, kind_name=kind).pieces())
    assert open_keys(engineer, other.project, owner) == set()


def test_who_only_began_a_telling_export_gets_no_sheet_either(
    other: Request, engineer: Person, owner: Person
) -> None:
    begin_export(actor=engineer, project=other.project, kind_name="sheets")
    assert open_keys(engineer, other.project, owner) == set()


def test_an_export_of_the_corpus_or_of_ones_own_work_closes_nothing(
    other: Request, engineer: Person, annotator_a: Person, owner: Person
) -> None:
    project = other.project
    list(begin_export(actor=engineer, project=project, kind_name="corpus").pieces())
    list(begin_export(actor=annotator_a, project=project, kind_name="sheets", own=True).pieces())
    assert open_keys(engineer, project, owner) == {"r1", "r2"}
    assert sheets_open_to(project, annotator_a).count() == 2


def test_who_read_the_known_contracts_gets_none_of_these_requests(
    other: Request, asked: Request, owner: Person, engineer: Person, client_of: ClientOf
) -> None:
    gold(asked, engineer, Gold.Use.SILENT)
    client_of(owner).get("/p/study/training/")
    roles = ["owner", "annotator"]
    set_member(actor=owner, project=other.project, person=owner, roles=roles)
    assert [item.key for item in sheets_open_to(other.project, owner)] == ["r2"]


def test_an_owner_who_did_not_open_that_page_gets_them(
    other: Request, asked: Request, owner: Person, engineer: Person
) -> None:
    gold(asked, engineer, Gold.Use.SILENT)
    roles = ["owner", "annotator"]
    set_member(actor=owner, project=other.project, person=owner, roles=roles)
    assert sheets_open_to(other.project, owner).count() == 2
