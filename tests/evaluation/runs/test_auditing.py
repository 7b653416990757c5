"""Drawing the audit of a run, and what the run's result says of who judged."""

from typing import Any

import pytest

from annotation.models import Person, Project
from evaluation.models import AuditItem, Case, Judgement, Run, Verdict
from evaluation.runs.auditing import keep_audit, sample_of, unchecked
from evaluation.runs.conclusion import conclude
from evaluation.services.runs import start_run
from tests.evaluation.runs.small_study import case_of, finish, freeze, register, upload

GOOD = {
    "a": "Alder Foods revenue fiscal year 2022",
    "b": "Alder Foods revenue fiscal year 2023",
    "c": "Norrby ferry plan approved by which ministry",
}


def drawn_again(run: Run) -> list[int]:
    """What another conclusion would keep; a run that has a sample keeps that."""
    keep_audit(run=run, sample=sample_of(run))
    return sample_of(run)


def begin(engineer: Person, study: Project, **rules: Any) -> Run:
    """A run of the original and a candidate that keeps all, under rules of which some are told."""
    upload(study, "cand", GOOD)
    return start_run(
        actor=engineer,
        project=study,
        protocol=register(engineer, study, **rules),
        conditions=freeze(engineer, study),
        arm_names=["original", "cand"],
    )


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    """A finished run: (2 + 2 + 1 constraints) × 2 arms, of which the judge is sure."""
    return finish(begin(engineer, study))


def drawn(run: Run) -> list[int]:
    items = AuditItem.objects.filter(judgement__case__run=run).order_by("judgement_id")
    return list(items.values_list("judgement_id", flat=True))


def say(person: Person, judgement: Judgement, outcome: str, *, decides: bool = True) -> Judgement:
    return Judgement.objects.create(
        case=judgement.case,
        constraint=judgement.constraint,
        person=person,
        by="person",
        judgement=outcome,
        decides=decides,
    )


def judging(run: Run) -> dict[str, Any]:
    run.refresh_from_db()
    assert run.result is not None
    return run.result["judging"]


# ---------------------------------------------------------------- drawing


def test_concluding_draws_of_each_kind_all_where_there_are_fewer(run: Run) -> None:
    assert len(drawn(run)) == 10
    assert unchecked(run) == 10


def test_the_protocol_says_how_many_are_drawn(study: Project, engineer: Person) -> None:
    run = finish(begin(engineer, study, audit_per_kind=2))
    kinds = Judgement.objects.filter(audit__isnull=False).values_list("constraint__kind", flat=True)
    assert sorted(kinds) == ["referent", "referent", "time", "time"]
    assert judging(run)["audit"]["referent"]["population"] == 6


def test_none_a_kind_draws_nothing(study: Project, engineer: Person) -> None:
    run = finish(begin(engineer, study, audit_per_kind=0))
    assert (drawn(run), judging(run)["audit"]["all"]["drawn"]) == ([], 0)


def test_two_runs_with_equal_rows_draw_the_same(study: Project, engineer: Person) -> None:
    runs = [finish(begin(engineer, study, audit_per_kind=1)) for _again in range(2)]
    said = [
        list(
            Judgement.objects.filter(pk__in=drawn(run)).values_list(
                "case__request__key", "case__arm__name", "constraint__key"
            )
        )
        for run in runs
    ]
    assert said[0] == said[1]
    assert runs[0].result_sha256 == runs[1].result_sha256


def test_a_run_that_has_a_sample_keeps_it(run: Run) -> None:
    kept = drawn(run)[:1]
    AuditItem.objects.exclude(judgement__in=kept).delete()
    assert drawn_again(run) == kept
    conclude(run.pk)
    assert drawn(run) == kept


def test_nothing_is_drawn_for_a_run_that_was_cancelled(run: Run) -> None:
    AuditItem.objects.all().delete()
    Run.objects.filter(pk=run.pk).update(state=Run.State.CANCELLED)
    conclude(run.pk)
    assert drawn(run) == []


def test_a_draw_that_is_not_kept_writes_nothing(run: Run) -> None:
    AuditItem.objects.all().delete()
    assert (len(sample_of(run)), drawn(run)) == (10, [])


def test_what_is_unsure_unresolved_or_not_done_is_not_drawn(run: Run) -> None:
    AuditItem.objects.all().delete()
    of_candidate = run.cases.filter(arm__name="cand")
    Judgement.objects.filter(case=case_of(run, "original", "a")).update(judgement="unsure")
    of_candidate.filter(request__key="a").update(state=Case.State.FAILED)
    contract = case_of(run, "cand", "c").contract
    type(contract).objects.filter(pk=contract.pk).update(unresolved=True)
    cases = {(j.case.arm.name, j.case.request.key) for j in _judgements(drawn_again(run))}
    assert cases == {("original", "b"), ("cand", "b")}


def test_what_a_model_settled_is_drawn_as_a_kind_of_its_own(run: Run) -> None:
    AuditItem.objects.all().delete()
    Judgement.objects.filter(case__arm__name="cand").update(by="model:m/0a1b2c3d")
    conclude(run.pk)
    told = judging(run)
    assert told["audit"]["model"]["drawn"] == 5
    assert told["model"] == {"m/0a1b2c3d": {"settled": 5, "checked": 0, "agreed": 0}}


def test_a_run_without_a_protocol_draws_twenty_a_kind_with_the_seed_0(run: Run) -> None:
    kept = drawn(run)
    AuditItem.objects.all().delete()
    Run.objects.filter(pk=run.pk).update(protocol=None)
    assert drawn_again(Run.objects.get(pk=run.pk)) == kept
    conclude(run.pk)
    assert judging(run)["level"] == 0.95


# ---------------------------------------------------------------- the result


def test_concluding_twice_gives_the_same_bytes(run: Run) -> None:
    before, sample = run.result_sha256, drawn(run)
    conclude(run.pk)
    run.refresh_from_db()
    assert (run.result_sha256, drawn(run)) == (before, sample)
    assert set(Verdict.objects.filter(run=run).values_list("version", flat=True)) == {1}


def test_an_audited_item_that_a_person_calls_lost_is_wrong(run: Run, adjudicator: Person) -> None:
    rows = list(_judgements(drawn(run)).filter(constraint__kind="time"))
    say(adjudicator, rows[0], "dropped")
    say(adjudicator, rows[1], "filtered")
    conclude(run.pk)
    found = judging(run)["audit"]["time"]
    assert {key: found[key] for key in ("drawn", "checked", "wrong", "other_word")} == {
        "drawn": 4, "checked": 2, "wrong": 1, "other_word": 1,
    }  # fmt: skip
    # statsmodels: proportion_confint(1, 2, alpha=0.1, method="beta")[1]
    assert found["error"]["high"] == pytest.approx(0.97467943, abs=1e-7)
    assert unchecked(run) == 8


def test_the_word_of_somebody_who_does_not_decide_checks_nothing(
    run: Run, adjudicator: Person
) -> None:
    say(adjudicator, _judgements(drawn(run))[0], "dropped", decides=False)
    conclude(run.pk)
    assert judging(run)["audit"]["all"]["checked"] == 0


def test_the_result_says_who_judged(study: Project, engineer: Person, adjudicator: Person) -> None:
    run = finish(begin(engineer, study, judging="human_for_critical"))
    assert judging(run)["by"]["cand"]["time"] == {
        "matcher": 0, "model": 0, "person": 0, "open": 2,
    }  # fmt: skip
    say(adjudicator, case_of(run, "cand", "a").judgements.get(constraint__kind="time"), "stated")
    conclude(run.pk)
    assert judging(run)["by"]["cand"]["time"] == {
        "matcher": 0, "model": 0, "person": 1, "open": 1,
    }  # fmt: skip


def test_two_people_s_agreement_stands_in_the_result(
    study: Project, engineer: Person, adjudicator: Person, owner: Person
) -> None:
    run = finish(begin(engineer, study, judges=2))
    assert judging(run)["agreement"]["raw"]["reason"] == "No item was judged by two people yet."
    first, second = _judgements(drawn(run))[:2]
    for item, word in ((first, "stated"), (second, "dropped")):
        say(adjudicator, item, "stated", decides=False)
        say(owner, item, word, decides=word == "stated")
    conclude(run.pk)
    assert "waits for a third" in judging(run)["agreement"]["raw"]["reason"]
    say(engineer, second, "stated")
    conclude(run.pk)
    found = judging(run)["agreement"]
    assert (found["items"], found["same"], found["raw"]["value"]) == (2, 1, 0.5)


# ---------------------------------------------------------------- the verdict


def test_a_class_waits_for_the_audit_that_the_protocol_s_limit_needs(
    study: Project, engineer: Person, adjudicator: Person
) -> None:
    run = finish(begin(engineer, study, max_judge_error=0.5))
    verdicts = Verdict.objects.current(run)
    assert {v.content["deciding"] for v in verdicts} == {"judge_error"}
    # 3 checked and none wrong show 1 - 0.05 ** (1 / 3) = 63.2 %: more than the limit.
    for row in _judgements(drawn(run)).filter(case__arm__name="original"):
        say(adjudicator, row, row.judgement)
    conclude(run.pk)
    outcomes = dict(verdicts.all().values_list("request_class__name", "outcome"))
    assert outcomes == {"dated-fact": "not_assessable", "follow-up": "not_assessable"}
    # What people judged themselves rests on no judge.
    for row in _judgements(drawn(run)).filter(case__arm__name="cand"):
        say(adjudicator, row, row.judgement)
    conclude(run.pk)
    outcomes = dict(verdicts.all().values_list("request_class__name", "outcome"))
    assert outcomes == {"dated-fact": "release", "follow-up": "release"}


def _judgements(pks: list[int]) -> Any:
    return Judgement.objects.filter(pk__in=pks).select_related("case__arm", "case__request")
