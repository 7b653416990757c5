"""What evaluations say of twins to the room below: pairs wanted, runs that tell of a request."""

from typing import Any

import pytest

from annotation.models import Person, Project
from annotation.services.exposure import expose
from contracts.results import results_shown
from evaluation.services.protocols import register_protocol
from evaluation.twins import pairs_wanted, runs_with
from tests.evaluation.runs import small_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> tuple[Person, Project]:
    return small_study.engineer_and_study()


def rule(**families: int) -> dict[str, Any]:
    wanted = {name: {"max_failure_rate": 0.1, "min_pairs": n} for name, n in families.items()}
    return {
        "completeness_floor": 0.5, "regression_ceiling": 0.9, "min_requests": 1,
        "families": wanted,
    }  # fmt: skip


def test_the_star_holds_for_every_class_that_is_not_named(people: tuple[Person, Project]) -> None:
    engineer, project = people
    assert pairs_wanted(project) == {}
    content = {
        "name": "gate", "alpha": 0.05, "resamples": 1000, "seed": 7, "correction": "holm",
        "test": "mcnemar_exact", "judging": "automatic",
        "classes": {"*": rule(referent=2), "dated-fact": rule(date=5)},
    }  # fmt: skip
    register_protocol(actor=engineer, project=project, content=content)
    assert pairs_wanted(project) == {("dated-fact", "date"): 5, ("follow-up", "referent"): 2}
    content["classes"] = {"*": rule(status=1)}
    register_protocol(actor=engineer, project=project, content=content)
    assert pairs_wanted(project) == {("dated-fact", "status"): 1, ("follow-up", "status"): 1}


def test_a_run_tells_of_the_requests_that_it_had(people: tuple[Person, Project]) -> None:
    engineer, project = people
    run = small_study.begin(engineer, project, ["original"])
    asked, never = (project.requests.get(key=key) for key in ("a", "open"))
    assert (runs_with(asked), runs_with(never)) == ({f"run {run.number}"}, set())
    assert results_shown(engineer, asked) == ""
    expose(person=engineer, project=project, subject=f"run {run.number}", what="results")
    assert results_shown(engineer, asked) == f"run {run.number}"
    assert results_shown(engineer, never) == ""
