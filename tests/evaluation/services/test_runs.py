import pytest
from django.core.exceptions import PermissionDenied

from annotation.models import Person, Project
from evaluation.models import Arm
from evaluation.services.runs import arm_named, latest_run, progress, resume_run
from tests.evaluation.runs.small_study import begin, finish, freeze, register, upload


@pytest.mark.parametrize("name", ["original", "human", "keywords"])
def test_a_known_arm_is_made_once(study: Project, name: str) -> None:
    assert arm_named(study, name) == arm_named(study, name)


def test_a_rewriter_that_runs_here_names_itself(study: Project) -> None:
    arm = arm_named(study, "keywords")
    assert (arm.source, arm.rewriter) == (Arm.Source.ENGINE, "keywords")


def test_progress_counts_rows(study: Project, engineer: Person) -> None:
    run = begin(engineer, study, ["original", "human"])
    before = progress(run)
    after = progress(finish(run))
    assert (before.total, before.closed) == (6, 0)
    assert (after.total, after.closed, after.by_arm["human"]) == (6, 6, {"done": 3})


def test_the_newest_run_with_equal_rules_conditions_and_arms_is_found(
    study: Project, engineer: Person
) -> None:
    begin(engineer, study, ["original", "human"])
    newest = begin(engineer, study, ["human", "original"])
    begin(engineer, study, ["original"])
    protocol, conditions = register(engineer, study), freeze(engineer, study)
    assert latest_run(study, protocol, conditions, ["original", "human"]) == newest


def test_a_run_whose_arm_changed_since_is_not_found(study: Project, engineer: Person) -> None:
    upload(study, "cand", {"a": "x"})
    begin(engineer, study, ["original", "cand"])
    upload(study, "cand", {"b": "y"})
    protocol, conditions = register(engineer, study), freeze(engineer, study)
    assert latest_run(study, protocol, conditions, ["original", "cand"]) is None


@pytest.mark.parametrize("who", ["owner", "adjudicator", "annotator_a", "stranger"])
def test_only_an_engineer_starts_and_resumes(
    study: Project, engineer: Person, who: str, request: pytest.FixtureRequest
) -> None:
    person = request.getfixturevalue(who)
    run = begin(engineer, study, ["original"])
    with pytest.raises(PermissionDenied):
        freeze(person, study)
    with pytest.raises(PermissionDenied):
        resume_run(actor=person, run=run)
