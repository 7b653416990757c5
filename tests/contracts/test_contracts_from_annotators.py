"""A file of contracts that an annotator brings is refused for what they annotated themselves, and
tells nothing of what others did.
"""

import pytest

from annotation.importing.problems import ImportRefused
from annotation.models import Person, Project, Request
from annotation.services.imports import import_file
from annotation.services.projects import set_member
from contracts.models import Adjudication, Contract
from tests.annotation.conftest import lines
from tests.contracts.conftest import TEXT, TURNS, Sealer, make_request
from tests.contracts.test_training import KNOWN


@pytest.fixture
def both(project: Project, owner: Person, engineer: Person) -> Person:
    """The engineer, who annotates too."""
    set_member(actor=owner, project=project, person=engineer, roles=["engineer", "annotator"])
    return engineer


def faults(person: Person, project: Project, *rows: dict[str, str]) -> list[tuple[str, str]]:
    """What is said of a file that is refused, as codes and sentences."""
    data = lines([KNOWN | row for row in rows])
    with pytest.raises(ImportRefused) as refused:
        import_file(actor=person, project=project, kind="contracts", filename="c.jsonl", data=data)
    assert not Contract.objects.exists()
    return [(problem.code, problem.message) for problem in refused.value.problems.shown]


def test_of_an_open_adjudication_an_annotator_is_told_nothing(
    opened: Adjudication, both: Person, project: Project
) -> None:
    ((code, message),) = faults(both, project, {"request": "r1"})
    assert code == "not_blind" and "r1" not in message


def test_of_who_annotated_a_request_an_annotator_is_told_nothing(
    asked: Request, seal: Sealer, both: Person, annotator_a: Person
) -> None:
    seal(annotator_a)
    named = {"request": "r1", "adjudicator": "annotator-a"}
    ((code, message),) = faults(both, asked.project, named)
    assert code == "not_blind" and "annotator-a" not in message


def test_beside_a_fault_of_their_own_not_even_that_there_are_others(
    asked: Request, seal: Sealer, both: Person, annotator_a: Person
) -> None:
    project = asked.project
    make_request(project, "r2", TEXT, TURNS)
    seal(both)
    own, named = {"request": "r1"}, {"request": "r2", "adjudicator": "annotator-a"}
    before = faults(both, project, own, named)
    for _request in ("r1", "r2"):
        seal(annotator_a)
    assert faults(both, project, own, named) == before
    assert [code for code, _message in before] == ["own_work"]


def test_whoever_does_not_annotate_is_told_all(
    opened: Adjudication, owner: Person, project: Project
) -> None:
    found = faults(owner, project, {"request": "r1", "adjudicator": "annotator-a"})
    assert [code for code, _message in found] == ["own_work", "open_adjudication"]
