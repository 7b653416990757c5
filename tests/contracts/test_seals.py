"""What was sealed is compared with the rows as they are: a change behind the services is seen."""

import pytest
from django.db import connection

from annotation.models import Person, Project
from annotation.services.ledger import first_altered, first_broken
from contracts.models import Contract

pytestmark = pytest.mark.django_db


def change(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def test_nothing_is_altered_after_an_approval(contract: Contract) -> None:
    assert first_altered(contract.request.project) is None


@pytest.mark.parametrize(
    ("statement", "sealed"),
    [
        ("UPDATE contracts_contract SET content = '{}'", "contract.approved"),
        (
            "UPDATE contracts_constraint SET materiality = 'minor' WHERE contract_id IS NOT NULL",
            "contract.approved",
        ),
        (
            "UPDATE contracts_constraint SET materiality = 'minor' WHERE sheet_id IS NOT NULL",
            "sheet.sealed",
        ),
        ("UPDATE contracts_sheet SET unresolved = NOT unresolved", "sheet.sealed"),
    ],
)
def test_a_row_changed_by_sql_is_named_by_the_entry_that_sealed_it(
    contract: Contract, statement: str, sealed: str
) -> None:
    change(statement)
    project = contract.request.project
    assert first_broken(project) is None
    altered = first_altered(project)
    assert altered is not None and sealed in altered.reason
    assert "was changed after it was sealed" in altered.reason


def test_who_annotates_is_not_told_by_the_ledger_what_peers_sealed(
    contract: Contract, project: Project, annotator_a: Person
) -> None:
    told = project.ledger.visible_to(annotator_a, annotates=True)
    sealed = told.filter(kind="sheet.sealed").values_list("actor__username", flat=True)
    assert list(sealed) == ["annotator-a"]
    assert project.ledger.visible_to(annotator_a, annotates=False).count() > told.count()
