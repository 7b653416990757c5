"""A worker that is killed at any statement of an import leaves no row or all of them."""

from pathlib import Path

import pytest

from annotation.models import ImportJob, Person
from annotation.services.projects import create_project
from tests.annotation.importing import killing
from tests.evaluation.runs.fixtures import file_database

__all__ = ["file_database"]
ROWS = 1_500


@pytest.mark.django_db(transaction=True)  # without the mark no database is made for a lone test
def test_a_killed_import_leaves_nothing_or_all_and_is_taken_up_again(file_database: Path) -> None:
    owner = Person.objects.create_user("owner")
    project = create_project(actor=owner, slug="study", name="Study")
    total = killing.statements(owner, project, ROWS)
    points = {"first": 2, "middle": total // 2, "last": total}
    found = {
        name: killing.killed_and_taken_up(owner, project, name, ROWS, at)
        for name, at in points.items()
    }
    assert found == {
        "first": (0, ROWS),
        "middle": (0, ROWS),
        "last": (ROWS, ROWS),
    }
    assert set(ImportJob.objects.values_list("state", flat=True)) == {"done"}
