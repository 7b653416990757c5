"""Ways in which results could be unseen, rules look alike, or pairs be chosen by their outcome."""

import re
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.importing.problems import ImportRefused
from annotation.models import Person, Project
from annotation.services.projects import Refused
from evaluation.models import Case, Protocol, Run, StageResult
from evaluation.runs.claiming import claim, held_of, put_back, renew
from evaluation.runs.execution import work
from evaluation.runs.inputs import read_inputs
from evaluation.runs.seen import first_results, wait_for_cases
from evaluation.services.protocols import register_protocol
from evaluation.services.runs import cancel_run, extend_run, resume_run, start_run
from tests.evaluation.runs.small_study import (
    REVENUE,
    TWINS,
    _revenue_contract,
    begin,
    finish,
    freeze,
    register,
    take_in,
)

HUMAN = "human_for_all"


def again(engineer: Person, run: Run, *, frozen_anew: bool = False) -> Run:
    conditions = freeze(engineer, run.project) if frozen_anew else run.conditions
    return start_run(
        actor=engineer, project=run.project, protocol=run.protocol, conditions=conditions,
        arm_names=["original"],
    )  # fmt: skip


def bring_another(project: Project) -> None:
    """Request e, of the class of a and b, with a contract and without a result."""
    row = {
        "id": "e", "class": "dated-fact", "text": REVENUE.format(year=2021),
        "answers": ["EUR 9 million"], "evidence": [["d4"]],
    }  # fmt: skip
    take_in(project, "requests", [row])
    take_in(project, "contracts", [_revenue_contract("e", "2021")])


def pair(key: str, base: str, twin: str) -> dict[str, str]:
    return {**TWINS[0], "id": key, "base": base, "twin": twin}


# Results that could be unseen


def test_resuming_and_cancelling_a_run_does_not_unsee_its_stages(
    study: Project, engineer: Person
) -> None:
    run = finish(begin(engineer, study, ["original"]))
    before = first_results(study)
    Run.objects.filter(pk=run.pk).update(state="failed")
    Case.objects.filter(run=run).update(state="failed", status="judge_error")
    run.refresh_from_db()
    cancel_run(actor=engineer, run=resume_run(actor=engineer, run=run))
    assert not Case.objects.filter(closed_at__isnull=False).exists()
    assert set(first_results(study)) == set(before) and len(before) == 3
    with pytest.raises(Refused, match="all 3 requests that they would decide have a result"):
        register(engineer, study, judging=HUMAN)


def test_a_stage_of_a_case_that_is_not_closed_is_a_result(study: Project, engineer: Person) -> None:
    run = begin(engineer, study, ["original"])
    case = run.cases.get(request__key="a")
    row = StageResult.objects.create(case=case, stage="rewrite", content={})
    found = first_results(study)
    assert {pk: (r.at, r.run) for pk, r in found.items()} == {
        case.request_id: (row.created_at, run.number)
    }
    earlier = row.created_at - timedelta(microseconds=1)
    assert first_results(study, until=earlier) == {}


def test_a_failed_case_without_a_stage_is_no_result(study: Project, engineer: Person) -> None:
    run = begin(engineer, study, ["original"])
    at = run.created_at
    Case.objects.filter(run=run).update(state="failed", status="rewrite_error", closed_at=at)
    assert first_results(study) == {}


def test_the_result_is_dated_by_its_first_stage_and_not_by_its_close(
    study: Project, engineer: Person
) -> None:
    finish(begin(engineer, study, ["original"]))
    StageResult.objects.update(created_at="2020-01-01T00:00:00Z")
    assert {result.at.year for result in first_results(study).values()} == {2020}


def test_stages_have_the_time_of_the_database_and_not_of_their_worker(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.utils import timezone

    run = begin(engineer, study, ["original"])
    behind = timezone.now() - timedelta(days=1)  # this worker's clock is wrong
    monkeypatch.setattr(timezone, "now", lambda: behind)
    work(run.pk, worker="w1", seconds=60.0)
    times = StageResult.objects.values_list("created_at", flat=True)
    assert len(times) == 12 and min(times) > behind + timedelta(hours=23)


# Twin pairs


@pytest.mark.parametrize(
    "rows", [[pair("t9", "b", "a")], [pair("t8", "b", "a"), pair("t9", "a", "b")]]
)
def test_a_pair_the_other_way_round_is_refused(rows: list[dict[str, str]], study: Project) -> None:
    with pytest.raises(ImportRefused) as told:
        take_in(study, "twins", rows)
    problem = told.value.problems.shown[0]
    assert (problem.column, problem.code) == ("twin", "present")
    assert "“b” and “a” (in either order) stands in the project already, as “t1”." in str(
        problem.message
    )


def test_a_pair_the_other_way_round_is_refused_within_a_file(project: Project) -> None:
    from tests.contracts.importing.test_twins_checked import A, B
    from tests.contracts.importing.test_twins_checked import study as without_pairs

    without_pairs(project, A, B)
    with pytest.raises(ImportRefused) as told:
        take_in(project, "twins", [pair("t1", "a", "b"), pair("t2", "b", "a")])
    assert [(p.row, p.code) for p in told.value.problems.shown] == [(2, "duplicate_id")]


def test_a_pair_made_after_the_results_of_both_sides_lets_no_run_start(
    study: Project, engineer: Person
) -> None:
    bring_another(study)
    run = finish(begin(engineer, study, ["original"]))
    assert again(engineer, run).number == 2
    take_in(study, "twins", [pair("t9", "a", "e")])
    with pytest.raises(Refused) as refused:
        again(engineer, run, frozen_anew=True)
    said = str(refused.value)
    assert said.startswith(
        "1 of the 2 twin pairs that gate 1 demands were made when both their requests had results, "
        "so they could be chosen by them: “t9”. Run under Conditions that were frozen"
    )


def test_a_late_pair_hinders_no_run_whose_conditions_do_not_have_it(
    study: Project, engineer: Person
) -> None:
    bring_another(study)
    run = finish(begin(engineer, study, ["original"]))
    take_in(study, "twins", [pair("t9", "a", "e")])
    second = finish(again(engineer, run))
    assert [p.key for p in read_inputs(second).pairs] == ["t1"]


def test_a_pair_with_a_side_that_has_no_result_yet_may_be_made(
    study: Project, engineer: Person
) -> None:
    run = finish(begin(engineer, study, ["original"]))
    bring_another(study)
    take_in(study, "twins", [pair("t9", "a", "e")])
    extended = extend_run(actor=engineer, run=run, with_new_requests=True)
    assert extended.cases.count() == 4


def test_a_late_pair_of_a_family_that_no_rule_demands_is_no_hindrance(
    study: Project, engineer: Person
) -> None:
    bring_another(study)
    rule = {
        "completeness_floor": 0.5, "regression_ceiling": 0.9, "min_requests": 1, "families": {},
    }  # fmt: skip
    register(engineer, study, classes={"*": rule})
    protocol = Protocol.objects.get()
    run = start_run(
        actor=engineer, project=study, protocol=protocol, conditions=freeze(engineer, study),
        arm_names=["original"],
    )  # fmt: skip
    finish(run)
    take_in(study, "twins", [pair("t9", "a", "e")])
    assert again(engineer, run, frozen_anew=True).number == 2


def test_a_pair_that_came_once_the_run_had_begun_does_not_enter_it(
    study: Project, engineer: Person
) -> None:
    bring_another(study)
    run = finish(begin(engineer, study, ["original"]))
    take_in(study, "twins", [pair("t9", "a", "e")])
    assert [p.key for p in read_inputs(run).pairs] == ["t1"]


# Names


@pytest.mark.parametrize(
    "name",
    ["Gate-one", "gate\u2011one", "gate\u2013one", "gate\u2212one",
     "g\u0430te-one", "gate-\u200bone", "ｇate-one"],
)  # fmt: skip
def test_a_name_that_only_looks_different_is_refused(
    name: str, study: Project, engineer: Person
) -> None:
    register(engineer, study, name="gate-one")
    with pytest.raises(Refused, match="has a protocol “gate-one”, and “.*” looks like it"):
        register(engineer, study, name=name, judging=HUMAN)
    assert study.protocols.count() == 1


def test_blanks_around_a_name_and_its_composition_do_not_count(
    study: Project, engineer: Person
) -> None:
    first = register(engineer, study, name="Pru\u0308fung")
    assert first.name == "Pr\u00fcfung"
    assert register(engineer, study, name=" Pr\u00fcfung ") == first
    assert register(engineer, study, name="Pr\u00fcfung ", judging=HUMAN).version == 2


def test_another_name_is_another_protocol(study: Project, engineer: Person) -> None:
    content = dict(register(engineer, study, name="gate-1").content)
    second = register_protocol(actor=engineer, project=study, content={**content, "name": "gate-2"})
    assert second.version == 1


# The Ledger


def test_a_changed_time_of_registration_is_told(study: Project, engineer: Person) -> None:
    protocol = register(engineer, study)
    call_command("verify_ledger", study.slug)
    earlier = protocol.registered_at - timedelta(days=1)
    Protocol.objects.filter(pk=protocol.pk).update(registered_at=earlier)
    with pytest.raises(CommandError, match=r"gate 1 says that it was .*its time was changed"):
        call_command("verify_ledger", study.slug)


# Locks


def test_workers_lock_their_cases_in_the_order_of_a_registration(
    study: Project, engineer: Person
) -> None:
    """By their rows' numbers: else a worker and a registration could wait for each other."""
    run = begin(engineer, study, ["original"])
    pks = [case.pk for case in claim(run, "w", most=3)]
    with CaptureQueriesContext(connection) as asked, transaction.atomic():
        wait_for_cases(study)
        held_of("w", pks[::-1])
        renew(run, "w")
        put_back("w", [(pk, False) for pk in pks[::-1]])
    locks = [q["sql"] for q in asked if q["sql"].startswith('SELECT "evaluation_case"."id"')]
    assert len(locks) == 4
    assert all(re.search(r'ORDER BY (1|"evaluation_case"."id") ASC', sql) for sql in locks)
    assert not run.cases.filter(state="running").exists()
