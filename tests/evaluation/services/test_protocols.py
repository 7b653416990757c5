import pytest
from django.core.exceptions import PermissionDenied

from annotation.models import Person, Project
from annotation.services.projects import Refused
from evaluation.services.protocols import register_protocol
from tests.evaluation.runs.small_study import register


def test_the_same_rules_give_the_same_protocol(project: Project, engineer: Person) -> None:
    assert register(engineer, project) == register(engineer, project)


def test_other_rules_give_the_next_version_and_supersede(
    project: Project, engineer: Person
) -> None:
    first = register(engineer, project)
    second = register(engineer, project, judging="human_for_all")
    assert (second.version, second.supersedes) == (2, first)


def test_rules_that_cannot_be_used_are_refused_with_every_fault(
    project: Project, engineer: Person
) -> None:
    with pytest.raises(Refused, match=r"(?s)alpha must be.*judging"):
        register_protocol(actor=engineer, project=project, content={"name": "x", "alpha": 2})


def test_an_annotator_registers_no_protocol(project: Project, annotator_a: Person) -> None:
    with pytest.raises(PermissionDenied):
        register(annotator_a, project)


def test_the_ledger_says_how_many_runs_there_were_before(
    project: Project, engineer: Person
) -> None:
    register(engineer, project)
    assert project.ledger.get(kind="protocol.registered").content["runs_before"] == 0
