import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Person, Project
from evaluation.models import Arm, Run
from evaluation.services.runs import (
    arm_named,
    cancel_run,
    conclude_without_failed,
    extend_run,
    latest_run,
    pause_run,
    resume_or_start,
    resume_run,
    retry_failed,
    start_run,
)
from tests.evaluation.runs.small_study import begin, freeze, register, upload


@pytest.mark.parametrize("name", ["original", "human", "keywords"])
def test_a_known_arm_is_made_once(study: Project, name: str) -> None:
    assert arm_named(study, name) == arm_named(study, name)


def test_a_rewriter_that_runs_here_names_itself(study: Project) -> None:
    arm = arm_named(study, "keywords")
    assert (arm.source, arm.rewriter) == (Arm.Source.ENGINE, "keywords")


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


def test_starting_reads_no_contract_s_content_and_asks_no_more_for_more_requests(
    study: Project, engineer: Person
) -> None:
    conditions, protocol = freeze(engineer, study), register(engineer, study)
    for name in ("original", "human"):
        arm_named(study, name)
    asked = []
    for wanted in (["a", "b"], ["a", "b", "c"]):
        conditions.content["requests"] = dict.fromkeys(wanted, "")
        with CaptureQueriesContext(connection) as queries:
            start_run(
                actor=engineer,
                project=study,
                protocol=protocol,
                conditions=conditions,
                arm_names=["original", "human"],
                fresh=len(wanted) > 2,
            )
        assert not any('"contracts_contract"."content"' in q["sql"] for q in queries)
        asked.append([q["sql"].split()[0] for q in queries if "INSERT" not in q["sql"]])
    assert len(asked[0]) == len(asked[1])
    assert [run.cases.count() for run in study.runs.order_by("number")] == [4, 6]


def test_that_everything_was_computed_anew_is_kept_and_recorded(
    study: Project, engineer: Person
) -> None:
    run = start_run(
        actor=engineer,
        project=study,
        protocol=register(engineer, study),
        conditions=freeze(engineer, study),
        arm_names=["original"],
        fresh=True,
    )
    assert run.fresh and study.ledger.get(kind="run.started").content["fresh"] is True


def test_a_cancelled_run_is_none_to_go_on_with(study: Project, engineer: Person) -> None:
    run = begin(engineer, study, ["original"])
    cancel_run(actor=engineer, run=run)
    again = resume_or_start(
        actor=engineer,
        project=study,
        protocol=run.protocol,
        conditions=run.conditions,
        arm_names=["original"],
    )
    assert (again.number, again.state) == (2, "queued")


def test_a_paused_run_is_returned_and_not_started_twice(study: Project, engineer: Person) -> None:
    run = begin(engineer, study, ["original"])
    pause_run(actor=engineer, run=run)
    assert begin(engineer, study, ["original"]) == run
    assert Run.objects.get().state == "paused"


@pytest.mark.parametrize("who", ["owner", "adjudicator", "annotator_a", "stranger"])
def test_only_an_engineer_starts_and_controls(
    study: Project, engineer: Person, who: str, request: pytest.FixtureRequest
) -> None:
    person = request.getfixturevalue(who)
    run = begin(engineer, study, ["original"])
    with pytest.raises(PermissionDenied):
        freeze(person, study)
    for act in (pause_run, resume_run, cancel_run, retry_failed, extend_run):
        with pytest.raises(PermissionDenied):
            act(actor=person, run=run)
    run.refresh_from_db()
    assert run.state == "queued"


@pytest.mark.parametrize("who", ["adjudicator", "annotator_a", "stranger"])
def test_only_an_engineer_or_an_owner_concludes_without_the_failed(
    study: Project, engineer: Person, who: str, request: pytest.FixtureRequest
) -> None:
    run = begin(engineer, study, ["original"])
    with pytest.raises(PermissionDenied):
        person = request.getfixturevalue(who)
        conclude_without_failed(actor=person, run=run, reason="They are few.")
