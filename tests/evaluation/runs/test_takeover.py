"""What an earlier run computed under equal conditions is taken over; only the rest is computed."""

from collections import Counter
from copy import deepcopy
from typing import Any

from annotation.models import Person, Project
from contracts.services.approval import record_contract
from contracts.terms import ContractTerms
from evaluation.models import Judgement, Protocol, Run, StageResult
from evaluation.runs.execution import work
from evaluation.runs.freezing import freeze_conditions
from evaluation.services.judgements import queue
from evaluation.services.runs import start_run
from tests.evaluation.judging import draw, judge_called, say
from tests.evaluation.runs.small_study import (
    CONTRACTS,
    begin,
    case_of,
    constraint,
    fill,
    finish,
    freeze,
    named,
    register,
    take_in,
)

WHERE = "Where is Lark Bakery?"
MORE = {
    "request": "open",
    "constraints": [constraint("c1", "referent", WHERE, "Lark Bakery", named("Lark Bakery"))],
    "ambiguity": {"unresolved": False, "readings": []},
}


def start(engineer: Person, study: Project, arms: list[str], *, fresh: bool = False) -> Run:
    return start_run(
        actor=engineer,
        project=study,
        protocol=register(engineer, study),
        conditions=freeze(engineer, study),
        arm_names=arms,
        fresh=fresh,
    )


def contents(run: Run) -> list[tuple[str, str, str, dict]]:
    rows = StageResult.objects.filter(case__run=run)
    return sorted(
        rows.values_list("case__arm__name", "case__request__key", "stage", "content"),
        key=lambda row: row[:3],
    )


def test_an_equal_run_computes_nothing_and_has_the_same_bytes(
    study: Project, engineer: Person, searches: Counter[str]
) -> None:
    first = finish(start(engineer, study, ["original", "human"]))
    searches.clear()
    second = finish(start(engineer, study, ["original", "human"]))
    assert not searches
    assert second.result_sha256 == first.result_sha256 and second.number == first.number + 1
    assert contents(second) == contents(first)


def test_each_row_names_the_run_that_computed_it(study: Project, engineer: Person) -> None:
    first = finish(start(engineer, study, ["original"]))
    finish(start(engineer, study, ["original"]))
    third = finish(start(engineer, study, ["original"]))
    rows = StageResult.objects.filter(case__run=third)
    assert set(rows.values_list("taken_from", flat=True)) == {first.pk}


def test_a_run_with_one_more_arm_computes_that_arm_alone(
    study: Project, engineer: Person, searches: Counter[str]
) -> None:
    finish(start(engineer, study, ["original", "human"]))
    searches.clear()
    run = finish(start(engineer, study, ["original", "human", "keywords"]))
    assert run.state == "finished" and sum(searches.values()) == 3
    own = StageResult.objects.filter(case__run=run, taken_from=None)
    assert set(own.values_list("case__arm__name", flat=True)) == {"keywords"}


def test_a_run_over_more_requests_computes_those_alone(
    study: Project, engineer: Person, searches: Counter[str]
) -> None:
    finish(start(engineer, study, ["original"]))
    take_in(study, "contracts", [MORE])
    searches.clear()
    run = finish(start(engineer, study, ["original"]))
    assert run.cases.count() == 4 and list(searches) == [WHERE]


def test_what_people_judged_is_taken_over_with_it(study: Project, engineer: Person) -> None:
    first = finish(start(engineer, study, ["original"]))
    case = case_of(first, "original", "c")
    constraint = case.judgements.get().constraint
    Judgement.objects.create(
        case=case,
        constraint=constraint,
        person=engineer,
        decides=True,
        judgement="dropped",
        by="engineer",
    )
    run = finish(start(engineer, study, ["original"]))
    copied = case_of(run, "original", "c").judgements.by_people().get()
    assert (copied.judgement, copied.person) == ("dropped", engineer)


def test_a_fresh_run_computes_everything_anew(
    study: Project, engineer: Person, searches: Counter[str]
) -> None:
    first = finish(start(engineer, study, ["original"]))
    searches.clear()
    run = finish(start(engineer, study, ["original"], fresh=True))
    assert sum(searches.values()) == 3 and run.result_sha256 == first.result_sha256


def test_nothing_is_taken_over_from_other_conditions(
    study: Project, engineer: Person, searches: Counter[str]
) -> None:
    finish(start(engineer, study, ["original"]))
    searches.clear()
    finish(begin(engineer, study, ["original"], k=2))
    assert sum(searches.values()) == 3


def test_what_a_cancelled_run_had_computed_is_not_lost(
    study: Project, engineer: Person, searches: Counter[str]
) -> None:
    run = start(engineer, study, ["original"])
    assert work(run.pk, worker="w1", seconds=60.0) is False
    Run.objects.filter(pk=run.pk).update(state=Run.State.CANCELLED, result=None, result_sha256="")
    searches.clear()
    again = finish(start(engineer, study, ["original"]))
    assert again.pk != run.pk and again.state == "finished" and not searches


def test_the_conditions_of_both_runs_stay_apart_when_requests_were_added(
    study: Project, engineer: Person
) -> None:
    before = freeze_conditions(actor=engineer, project=study, k=1)
    take_in(study, "contracts", [MORE])
    assert freeze_conditions(actor=engineer, project=study, k=1).sha256 != before.sha256


def fresh(engineer: Person, study: Project) -> Run:
    return finish(start(engineer, study, ["original"], fresh=True))


def new_version(study: Project, contract: dict[str, Any]) -> None:
    record_contract(
        actor=study.created_by,
        request=study.requests.get(key=contract["request"]),
        terms=ContractTerms.from_json(contract),
        annotators=[],
        adjudicator=study.created_by,
    )


def foreign(run: Run) -> dict[str, str]:
    judge = case_of(run, "original", "a").stages.get(stage="judge")
    return dict(judge.content["foreign"])


def test_what_a_twin_says_is_judged_when_the_twin_comes_later(
    project: Project, engineer: Person
) -> None:
    """Its contract was not there yet, so that nobody had asked about its constraint."""
    fill(project, contracts=CONTRACTS[:1])
    first = finish(start(engineer, project, ["original"]))
    take_in(project, "contracts", CONTRACTS[1:])
    run = finish(start(engineer, project, ["original"]))
    assert foreign(first) == {} and foreign(run).keys() == {"t1"}
    assert run.result["pairs"] == fresh(engineer, project).result["pairs"]


def test_a_twin_whose_contract_changed_is_judged_anew(study: Project, engineer: Person) -> None:
    finish(start(engineer, study, ["original"]))
    (changed,) = (contract for contract in CONTRACTS if contract["request"] == "b")
    new = deepcopy(changed)
    new["constraints"][1]["value"] |= {"start": "2022", "end": "2022"}  # now a's own year
    new_version(study, new)
    run = finish(start(engineer, study, ["original"]))
    assert foreign(run) == foreign(fresh(engineer, study)) == {"t1": "stated"}


def test_the_newest_equal_case_is_taken_over_and_not_merely_the_newest(
    study: Project, engineer: Person, searches: Counter[str]
) -> None:
    first = finish(start(engineer, study, ["original", "human"]))
    other = finish(start(engineer, study, ["original", "human"]))
    Run.objects.filter(pk=other.pk).update(
        arm_content={**other.arm_content, "human": {"source": "human", "references": {}}}
    )
    searches.clear()
    finish(start(engineer, study, ["original", "human"]))
    assert not searches and first.pk != other.pk


def _rules(engineer: Person, study: Project) -> tuple[Protocol, Protocol]:
    """Rules that want one person for everything, and rules that want two."""
    one = register(engineer, study, "human_for_all", name="by one")
    return one, register(engineer, study, "human_for_all", name="by two", judges=2)


def _judged(engineer: Person, study: Project, rules: Protocol) -> Run:
    """A finished run under the rules, whose audit is empty."""
    conditions = freeze(engineer, study)
    run = finish(
        start_run(
            actor=engineer, project=study, protocol=rules, conditions=conditions,
            arm_names=["original", "human"],
        )
    )  # fmt: skip
    draw(run)
    return run


def test_a_word_that_decided_alone_does_not_where_two_people_are_wanted(
    study: Project, engineer: Person
) -> None:
    by_one, by_two = _rules(engineer, study)
    first = _judged(engineer, study, by_one)
    judge, items = judge_called("judge", first), list(queue(first))
    for item in items:
        say(judge, item, "stated")
    second = _judged(engineer, study, by_two)
    words = Judgement.objects.words().filter(case__run=second)
    assert words.count() == len(items) and not words.filter(decides=True).exists()
    assert queue(second).count() == len(items)


def test_a_first_word_of_two_decides_where_one_person_is_wanted(
    study: Project, engineer: Person
) -> None:
    by_one, by_two = _rules(engineer, study)
    first = _judged(engineer, study, by_two)
    one, two = judge_called("one", first), judge_called("two", first)
    alone, differ = list(queue(first))[:2]
    say(one, alone, "stated")
    say(one, differ, "stated")
    say(two, differ, "dropped")
    second = _judged(engineer, study, by_one)
    words = Judgement.objects.words().filter(case__run=second).order_by("pk")
    assert {(w.person.username, w.judgement, w.decides) for w in words} == {
        ("one", "stated", True), ("two", "dropped", False),
    }  # fmt: skip
    assert words.count() == 3 and words.by_people().count() == 2


def test_conditions_that_differ_in_which_requests_were_wanted_alone_take_over(
    study: Project, engineer: Person, searches: Counter[str]
) -> None:
    rules = register(engineer, study)

    def go(**chosen: Any) -> Run:
        conditions = freeze(engineer, study, **chosen)
        return finish(
            start_run(
                actor=engineer, project=study, protocol=rules, conditions=conditions,
                arm_names=["original"],
            )
        )  # fmt: skip

    whole = go()
    searches.clear()
    unseen = go(only_unseen=True, unseen_before=whole.created_at)
    assert unseen.conditions_id != whole.conditions_id
    assert not searches and contents(unseen) == contents(whole)
