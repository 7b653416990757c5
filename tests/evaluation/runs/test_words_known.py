"""Words that come while results are computed are never lost: the results count them, or are older
than they are.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.models import Person, Project
from evaluation.models import AnswerJudgement, Judgement, Run
from evaluation.runs import conclusion, words_known
from evaluation.runs.conclusion import conclude, judged_since
from evaluation.services.judgements import queue
from evaluation.services.taking_back import take_back
from tests.evaluation.judging import draw, judge_called, say
from tests.evaluation.views.worlds import KEPT, run_with

Meanwhile = Callable[[Callable[[], Any], int], None]


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    made = run_with(engineer, study, {"cand": KEPT}, judging="human_for_all")
    draw(made)
    return made


@pytest.fixture
def judge(run: Run) -> Person:
    return judge_called("judge", run)


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often results were computed: an entry each time."""
    times: list[int] = []
    score = conclusion.score_run

    def counted(run: Run, inputs: Any) -> Any:
        times.append(run.pk)
        return score(run, inputs)

    monkeypatch.setattr(conclusion, "score_run", counted)
    return times


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch, computed: list[int]) -> Meanwhile:
    """Have something done after the words were read and before the results are kept, so often."""

    def have(done: Callable[[], Any], times: int) -> None:
        score = conclusion.score_run

        def and_then(run: Run, inputs: Any) -> Any:
            scored = score(run, inputs)
            if len(computed) <= times:
                done()
            return scored

        monkeypatch.setattr(conclusion, "score_run", and_then)

    return have


def settle_all_but(n: int, run: Run, judge: Person) -> list[Judgement]:
    items = list(queue(run))
    for item in items[n:]:
        say(judge, item, "stated")
    return items[:n]


def test_a_word_that_comes_meanwhile_is_counted_by_computing_again(
    run: Run, judge: Person, meanwhile: Meanwhile, computed: list[int]
) -> None:
    [last] = settle_all_but(1, run, judge)
    meanwhile(lambda: say(judge, last, "stated"), 1)
    conclude(run.pk)
    assert len(computed) == 2 and judged_since() == []


def test_results_that_miss_a_word_are_older_than_it_so_that_it_is_found(
    run: Run, judge: Person, meanwhile: Meanwhile, computed: list[int]
) -> None:
    left = settle_all_but(3, run, judge)
    meanwhile(lambda: say(judge, left.pop(), "stated"), 3)
    conclude(run.pk)
    assert len(computed) == 3 and judged_since() == [run]
    conclude(run.pk)
    assert judged_since() == []


def test_a_taking_back_that_is_missed_is_found(
    run: Run, judge: Person, meanwhile: Meanwhile
) -> None:
    item = settle_all_but(1, run, judge)[0]

    def say_and_take_back() -> None:
        say(judge, item, "stated")
        take_back(actor=judge, judgement=item)

    meanwhile(say_and_take_back, 3)
    conclude(run.pk)
    assert judged_since() == [run]


def test_a_word_on_an_answer_that_comes_meanwhile_is_counted_by_computing_again(
    run: Run, judge: Person, meanwhile: Meanwhile, computed: list[int]
) -> None:
    request = run.cases.first().request
    row = {"answer_sha256": "a" * 64, "evidence_sha256": "b" * 64, "correct": "yes"}

    def judge_answer() -> None:
        AnswerJudgement.objects.create(run=run, request=request, person=judge, **row)

    meanwhile(judge_answer, 1)
    conclude(run.pk)
    assert len(computed) == 2


@pytest.mark.parametrize("act", ["settle", "take back"])
def test_the_project_is_held_before_a_word_gets_its_time(
    run: Run, judge: Person, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    item = queue(run)[0]
    if act == "take back":
        say(judge, item, "stated")
    held: list[Any] = []
    lock = Project.lock

    def noted(project: Project) -> None:
        lock(project)
        held.append(timezone.now())

    monkeypatch.setattr(Project, "lock", noted)
    if act == "settle":
        word = say(judge, item, "stated")
    else:
        word = take_back(actor=judge, judgement=item)
    assert held[0] < word.created_at


def test_another_machines_clock_ahead_makes_results_no_older_than_the_words_they_count(
    run: Run, judge: Person
) -> None:
    settle_all_but(0, run, judge)
    ahead = timezone.now() + timedelta(seconds=30)
    Judgement.objects.words().filter(case__run=run).update(created_at=ahead)
    conclude(run.pk)
    run.refresh_from_db()
    assert run.finished_at == ahead and judged_since() == []
    assert words_known.newest_words(run)[1] is None
