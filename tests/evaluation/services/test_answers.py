"""People judge answers blind to the arms: their word counts for every case with that very answer,
stands above rules and models, and can be taken back.
"""

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from annotation.models import Person, Project
from annotation.services.projects import Refused, set_member
from evaluation.models import AnswerJudgement, Run
from evaluation.runs.tasks import conclude_run
from evaluation.services.answers import (
    AnswerItem,
    answer_items,
    judge_answer,
    next_answer,
    queue,
    take_back,
)
from evaluation.services.showing import Withheld
from tests.evaluation.runs.small_study import case_of
from tests.evaluation.views.worlds import KEPT, run_with

# Asks for the twin's year under a, so that its answer is wrong.
WRONG = {**KEPT, "a": KEPT["b"]}


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    """`same` does what `kept` does, so that both give the same answers; `wrong` asks of 2023."""
    return run_with(engineer, study, {"kept": KEPT, "same": KEPT, "wrong": WRONG})


@pytest.fixture
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message to conclude is handled where it is sent."""
    monkeypatch.setattr(conclude_run, "delay", conclude_run.run)
    monkeypatch.setattr(conclude_run, "delay_on_commit", conclude_run.run)


def item_of(run: Run, arm: str, request: str) -> AnswerItem:
    found = case_of(run, arm, request).outcome["outcome"]
    return next(
        item
        for item in answer_items(run)
        if item.answer == found["answer_text"]
        and item.retrieved == tuple(sorted(found["ranked_ids"]))
        and item.request_id == case_of(run, arm, request).request_id
    )


def judge(run: Run, actor: Person, item: AnswerItem, **said: str) -> AnswerJudgement:
    words = {"correct": "yes", "supported": "yes", **said}
    return judge_answer(actor=actor, run=run, key=item.key, **words)


def outcome_of(run: Run, arm: str, request: str) -> dict[str, Any]:
    outcome: dict[str, Any] = case_of(run, arm, request).outcome
    return outcome


def test_what_was_not_answered_is_no_item(run: Run) -> None:
    assert outcome_of(run, "original", "c")["outcome"]["answer_text"] is None
    assert len(answer_items(run)) == 4


def test_equal_answers_of_several_arms_are_one_item(run: Run) -> None:
    items = answer_items(run)
    assert item_of(run, "kept", "a") == item_of(run, "same", "a")
    assert len({item.key for item in items}) == len(items) < run.cases.count()


def test_a_person_s_word_counts_for_every_case_with_that_very_answer(
    run: Run, adjudicator: Person, inline: None
) -> None:
    judge(run, adjudicator, item_of(run, "kept", "a"), correct="no", supported="no")
    conclude_run.run(run.pk)
    for arm in ("kept", "same"):
        outcome = outcome_of(run, arm, "a")
        assert (outcome["answer"]["rule"], outcome["answer"]["value"]) == ("person", 0.0)
        assert (outcome["support"]["rule"], outcome["support"]["value"]) == ("person", False)
        assert outcome["outcome"]["correct_by"] == outcome["outcome"]["support_by"] == "person"


def test_a_person_stands_above_the_rule_and_the_rule_s_word_is_kept(
    run: Run, adjudicator: Person, inline: None
) -> None:
    item = item_of(run, "wrong", "a")
    judge(run, adjudicator, item, correct="yes")
    conclude_run.run(run.pk)
    outcome = outcome_of(run, "wrong", "a")
    assert outcome["outcome"]["answer_correct"] is True
    assert outcome["answers"]["typed_match"]["rule"] == "number"


def test_who_cannot_tell_leaves_it_to_the_rule(run: Run, adjudicator: Person, inline: None) -> None:
    before = outcome_of(run, "kept", "a")
    judge(
        run, adjudicator, item_of(run, "kept", "a"), correct="cannot_tell", supported="cannot_tell"
    )
    conclude_run.run(run.pk)
    assert outcome_of(run, "kept", "a") == before
    assert item_of(run, "kept", "a") not in queue(run).doubtful


def test_the_scorecard_counts_who_judged(run: Run, adjudicator: Person, inline: None) -> None:
    judge(run, adjudicator, item_of(run, "kept", "a"))
    conclude_run.run(run.pk)
    run.refresh_from_db()
    rows = run.result["scorecard"]["arms"]
    kept = next(row for row in rows if (row["arm"], row["scope"]) == ("kept", "all"))
    assert kept["judged_by"]["correct"] == {"person": 1, "rule": 2}
    assert kept["judged_by"]["supported"]["person"] == 1


def test_doubtful_answers_wait_and_one_in_ten_of_the_others_is_sampled(run: Run) -> None:
    items, waiting = answer_items(run), queue(run)
    sure = [item for item in items if not item.doubtful]
    assert {item.key for item in waiting.doubtful} == {i.key for i in items if i.doubtful}
    assert sure and len(waiting.audit) == 1
    assert waiting.total == len(items) and waiting.judged == 0


def test_the_order_of_the_queue_is_the_same_each_time(run: Run) -> None:
    assert queue(run) == queue(run)


def test_a_judged_answer_leaves_the_queue_and_comes_back_when_taken_back(
    run: Run, adjudicator: Person
) -> None:
    item, before = next_answer(actor=adjudicator, run=run)
    assert item is not None
    judge(run, adjudicator, item)
    assert item.key not in {i.key for i in queue(run).doubtful}
    take_back(actor=adjudicator, run=run)
    assert queue(run) == before
    assert AnswerJudgement.objects.count() == 2  # append-only
    with pytest.raises(Refused, match="no answer of this run that could be taken back"):
        take_back(actor=adjudicator, run=run)


def test_support_is_asked_again_for_other_passages_and_correctness_is_not(
    run: Run, adjudicator: Person
) -> None:
    item = item_of(run, "kept", "a")
    AnswerJudgement.objects.create(
        run=run, request_id=item.request_id, answer_sha256=item.answer_sha256,
        evidence_sha256="0" * 64, correct="yes", supported="yes", person=adjudicator,
    )  # fmt: skip
    judged = judge(run, adjudicator, item, supported="no")
    assert (judged.correct, judged.supported) == ("", "no")


def test_a_later_run_over_the_same_corpus_keeps_what_people_said_and_an_earlier_one_is_left_alone(
    run: Run, study: Project, engineer: Person, adjudicator: Person
) -> None:
    judge(run, adjudicator, item_of(run, "kept", "a"), correct="no")
    later = run_with(engineer, study, {"more": KEPT})
    assert outcome_of(later, "more", "a")["outcome"]["correct_by"] == "person"
    assert queue(later).judged == 1
    judge(later, adjudicator, item_of(later, "more", "b"))
    assert queue(run).judged == 1


def test_an_answer_is_judged_once(run: Run, adjudicator: Person) -> None:
    item = item_of(run, "kept", "a")
    judge(run, adjudicator, item)
    with pytest.raises(Refused, match="Somebody judged this answer a moment ago"):
        judge(run, adjudicator, item, correct="no")


@pytest.mark.parametrize("word", ["", "maybe"])
def test_every_open_question_needs_one_of_three_words(
    run: Run, adjudicator: Person, word: str
) -> None:
    with pytest.raises(Refused, match="Answer every question"):
        judge(run, adjudicator, item_of(run, "kept", "a"), supported=word)


def test_only_an_adjudicator_judges(run: Run, engineer: Person) -> None:
    with pytest.raises(PermissionDenied):
        judge(run, engineer, item_of(run, "kept", "a"))


def test_who_may_still_annotate_a_request_of_the_run_sees_no_answer(
    run: Run, study: Project, owner: Person, adjudicator: Person
) -> None:
    set_member(actor=owner, project=study, person=adjudicator, roles=["adjudicator", "annotator"])
    Project.objects.filter(pk=study.pk).update(paraphrases_per_request=1)
    run.refresh_from_db()
    with pytest.raises(Withheld):
        next_answer(actor=adjudicator, run=run)


def test_the_last_doubtful_answer_computes_scores_and_verdicts_anew(
    run: Run, adjudicator: Person, inline: None, django_capture_on_commit_callbacks: Any
) -> None:
    before = run.result_sha256
    with django_capture_on_commit_callbacks(execute=True):
        while waiting := queue(run).doubtful:
            judge(run, adjudicator, waiting[0])
    run.refresh_from_db()
    assert run.state == Run.State.FINISHED
    assert run.result_sha256 != before


def test_what_people_said_is_in_the_ledger_without_the_answer(
    run: Run, study: Project, adjudicator: Person
) -> None:
    item = item_of(run, "kept", "a")
    judge(run, adjudicator, item)
    entry = study.ledger.get(kind="answer.judged")
    assert (entry.subject, entry.content["correct"]) == ("a", "yes")
    assert item.answer not in str(entry.content)
