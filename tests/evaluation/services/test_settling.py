"""People settle judgements: until they do, a verdict waits; then it is computed anew."""

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied

from annotation.models import Person, Project
from annotation.services.projects import Refused
from evaluation.models import Judgement, Run, Verdict
from evaluation.runs.tasks import conclude_run
from evaluation.services.judgements import next_to_judge, queue, settle
from evaluation.services.runs import start_run
from tests.evaluation.runs.small_study import case_of, finish, freeze, register, upload

CANDIDATE = {
    "a": "Alder Foods revenue fiscal year 2022",
    "b": "Alder Foods revenue fiscal year 2023",
    "c": "Norrby ferry plan approved by which ministry",
}


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    """A finished run whose protocol wants people for critical constraints, and all are critical."""
    upload(study, "cand", CANDIDATE)
    return finish(
        start_run(
            actor=engineer,
            project=study,
            protocol=register(engineer, study, judging="human_for_critical"),
            conditions=freeze(engineer, study),
            arm_names=["original", "cand"],
        )
    )


@pytest.fixture
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message to conclude is handled where it is sent."""
    monkeypatch.setattr(conclude_run, "delay", conclude_run.run)


def verdict_of(run: Run, name: str) -> Verdict:
    return Verdict.objects.current(run).get(request_class__name=name)


def settle_all(run: Run, actor: Person, outcome: Callable[[Judgement], str]) -> None:
    for judgement in list(queue(run)):
        settle(actor=actor, judgement=judgement, outcome=outcome(judgement))


def as_the_matcher(judgement: Judgement) -> str:
    return "stated" if judgement.judgement in ("stated", "filtered") else "dropped"


def test_every_critical_constraint_of_every_arm_waits_for_a_person(run: Run) -> None:
    assert queue(run).count() == 10  # (2 + 2 + 1 constraints) × 2 arms


def test_what_only_the_matcher_judged_counts_as_unsure(run: Run) -> None:
    judged = case_of(run, "cand", "a").outcome["outcome"]["judgements"]
    assert {row["judgement"] for row in judged} == {"unsure"}


def test_the_verdict_is_not_assessable_until_people_settled(run: Run) -> None:
    assert verdict_of(run, "dated-fact").outcome == "not_assessable"


def test_settling_the_last_one_computes_the_verdict_anew(
    run: Run, adjudicator: Person, inline: None, django_capture_on_commit_callbacks
) -> None:
    before = verdict_of(run, "dated-fact")
    with django_capture_on_commit_callbacks(execute=True):
        settle_all(run, adjudicator, as_the_matcher)
    after = verdict_of(run, "dated-fact")
    assert (before.version, after.version) == (1, 2)
    assert after.outcome == "release"
    assert case_of(run, "cand", "a").outcome["outcome"]["judgements"][0]["judgement"] == "stated"


def test_the_older_verdict_stays_readable(
    run: Run, adjudicator: Person, inline: None, django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        settle_all(run, adjudicator, as_the_matcher)
    outcomes = Verdict.objects.filter(run=run, request_class__name="dated-fact")
    assert [v.outcome for v in outcomes.order_by("version")] == ["not_assessable", "release"]


def test_a_person_prevails_over_the_matcher(
    run: Run, adjudicator: Person, inline: None, django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        settle_all(run, adjudicator, lambda _judgement: "dropped")
    judged = case_of(run, "cand", "a").outcome["outcome"]["judgements"]
    assert {row["judgement"] for row in judged} == {"dropped"}
    assert verdict_of(run, "dated-fact").outcome == "fallback"


def test_nothing_is_computed_anew_while_something_waits(
    run: Run, adjudicator: Person, django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        settle(actor=adjudicator, judgement=queue(run)[0], outcome="stated")
    assert callbacks == []


def test_a_judgement_is_settled_once(run: Run, adjudicator: Person) -> None:
    judgement = queue(run)[0]
    settled = settle(actor=adjudicator, judgement=judgement, outcome="stated")
    with pytest.raises(Refused, match="Somebody settled this a moment ago"):
        settle(actor=adjudicator, judgement=judgement, outcome="dropped")
    with pytest.raises(PermissionDenied, match="A person settled this already"):
        settle(actor=adjudicator, judgement=settled, outcome="dropped")


@pytest.mark.parametrize("word", ["unsure", "filtered out", ""])
def test_a_person_decides_with_one_of_four_words(run: Run, adjudicator: Person, word: str) -> None:
    with pytest.raises(Refused, match="Choose stated, filtered, altered or dropped"):
        settle(actor=adjudicator, judgement=queue(run)[0], outcome=word)


def test_only_an_adjudicator_settles(run: Run, engineer: Person) -> None:
    with pytest.raises(PermissionDenied):
        settle(actor=engineer, judgement=queue(run)[0], outcome="stated")


def test_the_next_one_comes_from_the_newest_finished_run(
    run: Run, study: Project, adjudicator: Person
) -> None:
    assert next_to_judge(actor=adjudicator, project=study).case.run == run


def test_nothing_waits_when_everything_is_settled(
    run: Run, study: Project, adjudicator: Person
) -> None:
    settle_all(run, adjudicator, as_the_matcher)
    assert next_to_judge(actor=adjudicator, project=study) is None


def test_what_a_person_settled_is_in_the_ledger(
    run: Run, study: Project, adjudicator: Person
) -> None:
    settle(actor=adjudicator, judgement=queue(run)[0], outcome="stated")
    assert study.ledger.get(kind="judgement.settled").content["judgement"] == "stated"
