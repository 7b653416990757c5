"""Who judged an item takes their newest word back: it counts nowhere, and the item waits again."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.utils import timezone

from annotation.models import Person, Project
from annotation.services.projects import Refused, set_member
from evaluation.models import Judgement, Run, Verdict
from evaluation.runs import conclusion
from evaluation.runs.conclusion import judged_since
from evaluation.runs.tasks import conclude_run
from evaluation.services.judgements import LOOKED, agreement_of, look_ahead, queue
from evaluation.services.runs import start_run
from evaluation.services.taking_back import earlier_word, last_word, take_back
from tests.evaluation.judging import by_two, draw, item_of, judge_called, say
from tests.evaluation.runs.small_study import case_of, engineer_and_study, finish
from tests.evaluation.views.worlds import KEPT, run_with


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    """A finished run in which every judgement of every arm waits for a person."""
    made = run_with(engineer, study, {"cand": KEPT}, judging="human_for_all")
    draw(made)
    return made


@pytest.fixture
def concluded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The runs of which results were asked for by a taking back, one entry each time."""
    asked: list[int] = []
    monkeypatch.setattr(
        "evaluation.services.taking_back.reconclude", lambda run: asked.append(run.pk)
    )
    return asked


def words_of(item: Judgement) -> list[tuple[str, str, bool]]:
    rows = Judgement.objects.words().filter(case=item.case, constraint=item.constraint)
    return [(row.person.username, row.judgement, row.decides) for row in rows.order_by("pk")]


# ---------------------------------------------------------------- one person


def test_the_item_waits_again_and_first_for_whoever_took_it_back(
    run: Run, study: Project, adjudicator: Person
) -> None:
    item = queue(run)[3]
    before = queue(run).count()
    say(adjudicator, item, "altered")
    take_back(actor=adjudicator, judgement=item)
    assert queue(run).count() == before
    assert look_ahead(actor=adjudicator, project=study).judgement == item
    assert not Judgement.objects.by_people().exists()
    assert Judgement.objects.filter(person=adjudicator).count() == 2  # nothing is deleted


def test_another_word_can_be_given_then_and_counts(run: Run, adjudicator: Person) -> None:
    item = queue(run)[0]
    say(adjudicator, item, "altered")
    take_back(actor=adjudicator, judgement=item)
    say(adjudicator, item, "stated")
    assert words_of(item) == [("adjudicator", "stated", True)]


def test_again_and_again(run: Run, adjudicator: Person) -> None:
    item = queue(run)[0]
    for word in ("altered", "dropped", "stated"):
        say(adjudicator, item, word)
        take_back(actor=adjudicator, judgement=item)
        earlier = earlier_word(actor=adjudicator, judgement=item)
        assert earlier is not None and earlier.judgement == word
    assert words_of(item) == []


def test_one_after_another_the_newest_first_and_they_come_in_that_order(
    run: Run, study: Project, adjudicator: Person
) -> None:
    one, two = queue(run)[4], queue(run)[2]
    say(adjudicator, one, "stated")
    say(adjudicator, two, "stated")
    take_back(actor=adjudicator, judgement=two)
    take_back(actor=adjudicator, judgement=one)
    assert look_ahead(actor=adjudicator, project=study).judgement == one
    say(adjudicator, one, "stated")
    assert look_ahead(actor=adjudicator, project=study).judgement == two


def test_a_second_press_reaches_no_other_word(run: Run, adjudicator: Person) -> None:
    one, two = queue(run)[0], queue(run)[1]
    say(adjudicator, one, "stated")
    say(adjudicator, two, "stated")
    take_back(actor=adjudicator, judgement=two)
    with pytest.raises(Refused, match="took this word back already"):
        take_back(actor=adjudicator, judgement=two)
    assert words_of(one) == [("adjudicator", "stated", True)]


def test_a_tab_that_was_left_behind_takes_nothing_back(run: Run, adjudicator: Person) -> None:
    one, two = queue(run)[0], queue(run)[1]
    say(adjudicator, one, "stated")
    say(adjudicator, two, "stated")
    with pytest.raises(Refused, match="only your newest word can be taken back"):
        take_back(actor=adjudicator, judgement=one)
    assert words_of(one) and words_of(two)


def test_nobody_takes_back_what_another_said(
    run: Run, adjudicator: Person, second: Person, engineer: Person
) -> None:
    item = queue(run)[0]
    say(adjudicator, item, "stated")
    with pytest.raises(Refused):
        take_back(actor=second, judgement=item)
    with pytest.raises(PermissionDenied):
        take_back(actor=engineer, judgement=item)
    assert words_of(item) == [("adjudicator", "stated", True)]


def test_what_is_of_a_request_that_the_person_may_annotate_by_now_cannot_be_taken_back(
    run: Run, study: Project, owner: Person, adjudicator: Person
) -> None:
    item = queue(run)[0]
    say(adjudicator, item, "stated")
    Project.objects.filter(pk=study.pk).update(paraphrases_per_request=1)
    set_member(actor=owner, project=study, person=adjudicator, roles=["annotator", "adjudicator"])
    study.refresh_from_db()
    assert last_word(actor=adjudicator, project=study) is None
    with pytest.raises(Refused):
        take_back(actor=adjudicator, judgement=item)


def test_it_is_in_the_ledger(run: Run, study: Project, adjudicator: Person) -> None:
    item = queue(run)[0]
    say(adjudicator, item, "altered")
    take_back(actor=adjudicator, judgement=item)
    entry = study.ledger.get(kind="judgement.taken_back")
    assert (entry.subject, entry.actor) == (item.case.request.key, adjudicator)
    assert entry.content == {"constraint": item.constraint.key, "judgement": "altered"}


# ---------------------------------------------------------------- scores


def test_a_run_that_counted_the_word_is_concluded_again_without_it(
    run: Run,
    adjudicator: Person,
    inline: None,
    django_capture_on_commit_callbacks: Callable[..., object],
) -> None:
    items = list(queue(run))
    before = {v.request_class.name: v.outcome for v in Verdict.objects.current(run)}
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        for item in items:
            say(adjudicator, item, "stated")
    run.refresh_from_db()
    counted = run.result_sha256
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        take_back(actor=adjudicator, judgement=items[-1])
    run.refresh_from_db()
    assert run.result_sha256 != counted
    arm, request = items[-1].case.arm.name, items[-1].case.request.key
    last = item_of(run, arm, request, items[-1].constraint.key)
    judged = {row["constraint"]: row for row in last.case.outcome["outcome"]["judgements"]}
    assert judged[last.constraint.key]["judgement"] == "unsure"  # a person is wanted: open
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        for item in reversed(items[:-1]):
            take_back(actor=adjudicator, judgement=item)
    now = {v.request_class.name: v.outcome for v in Verdict.objects.current(run)}
    assert now == before


def test_a_first_word_of_two_was_in_no_score(
    run: Run, adjudicator: Person, concluded: list[int]
) -> None:
    item = queue(by_two(run))[0]
    say(adjudicator, item, "stated")
    take_back(actor=adjudicator, judgement=item)
    assert concluded == []


def test_a_message_that_was_lost_is_made_up_for_by_the_sweep(
    run: Run, adjudicator: Person, concluded: list[int]
) -> None:
    item = queue(run)[0]
    say(adjudicator, item, "stated")
    Run.objects.filter(pk=run.pk).update(finished_at=timezone.now())
    assert judged_since() == []
    take_back(actor=adjudicator, judgement=item)
    assert judged_since() == [run]
    conclude_run.run(run.pk)
    assert judged_since() == []


def test_a_word_that_is_taken_back_while_results_are_computed_is_not_in_them(
    run: Run, adjudicator: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The computation has read the word already; it is done once more before it is over."""
    item = item_of(run, "cand", "a", "c1")
    say(adjudicator, item, "dropped")
    score = conclusion.score_run

    def and_then_back(*args: Any, **more: Any) -> Any:
        scored = score(*args, **more)
        monkeypatch.setattr(conclusion, "score_run", score)
        take_back(actor=adjudicator, judgement=item)
        return scored

    monkeypatch.setattr(conclusion, "score_run", and_then_back)
    conclude_run.run(run.pk)
    outcome = case_of(run, "cand", "a").outcome["outcome"]
    judged = {row["constraint"]: row["judgement"] for row in outcome["judgements"]}
    assert judged["c1"] == "unsure"


# ---------------------------------------------------------------- the audit, and few that are open


def test_a_check_of_the_judge_waits_again(
    study: Project, engineer: Person, adjudicator: Person
) -> None:
    run = run_with(engineer, study, {"cand": KEPT})
    Judgement.objects.update(judgement="stated")
    item = item_of(run, "cand", "a", "c1")
    draw(run, item)
    say(adjudicator, item, "altered")
    assert not Judgement.objects.audited(run).undecided().exists()
    take_back(actor=adjudicator, judgement=item)
    assert Judgement.objects.audited(run).undecided().get() == item
    assert look_ahead(actor=adjudicator, project=study).judgement == item


def test_where_only_few_are_looked_at_what_was_taken_back_is_among_them(
    run: Run, study: Project, adjudicator: Person, second: Person
) -> None:
    """What few are open was kept when the item was settled: it must not be read any more."""
    item = queue(run)[0]
    say(adjudicator, item, "stated")
    left = look_ahead(actor=second, project=study).left
    assert left < LOOKED  # few: they are kept
    take_back(actor=adjudicator, judgement=item)
    assert look_ahead(actor=second, project=study).left == left + 1


# ---------------------------------------------------------------- two people


def test_what_the_other_one_said_stays_and_decides_nothing_alone(
    run: Run, study: Project, adjudicator: Person, second: Person
) -> None:
    item = queue(by_two(run))[0]
    say(adjudicator, item, "stated")
    assert say(second, item, "stated").decides
    take_back(actor=adjudicator, judgement=item)
    assert words_of(item) == [("second", "stated", False)]
    assert look_ahead(actor=adjudicator, project=study).judgement == item
    say(adjudicator, item, "stated")
    assert words_of(item) == [("second", "stated", False), ("adjudicator", "stated", True)]


def test_where_two_of_three_are_left_that_say_the_same_they_decide(
    run: Run, adjudicator: Person, second: Person
) -> None:
    item, third = queue(by_two(run))[0], judge_called("third", run)
    for person, word in ((adjudicator, "stated"), (second, "altered"), (third, "altered")):
        say(person, item, word)
    take_back(actor=adjudicator, judgement=item)
    assert words_of(item) == [("second", "altered", False), ("third", "altered", True)]


def test_agreement_does_not_know_what_was_taken_back(
    run: Run, adjudicator: Person, second: Person
) -> None:
    item = queue(by_two(run))[0]
    say(adjudicator, item, "dropped")
    take_back(actor=adjudicator, judgement=item)
    say(adjudicator, item, "stated")
    say(second, item, "stated")
    found = agreement_of(run)
    assert (found["items"], found["same"]) == (1, 1)


# ---------------------------------------------------------------- later runs


def test_the_copy_that_a_later_run_took_over_goes_with_it(
    run: Run, study: Project, engineer: Person, adjudicator: Person, concluded: list[int]
) -> None:
    item = item_of(run, "cand", "a", "c1")
    say(adjudicator, item, "altered")
    later = _again(engineer, run)
    copy = item_of(later, "cand", "a", "c1")
    assert words_of(copy) == [("adjudicator", "altered", True)]
    take_back(actor=adjudicator, judgement=item)
    assert words_of(copy) == words_of(item) == []
    assert sorted(concluded) == [run.pk, later.pk]
    assert look_ahead(actor=adjudicator, project=study).judgement == item


def test_what_was_taken_back_is_not_taken_over(
    run: Run, engineer: Person, adjudicator: Person
) -> None:
    item = item_of(run, "cand", "a", "c1")
    say(adjudicator, item, "altered")
    take_back(actor=adjudicator, judgement=item)
    later = _again(engineer, run)
    assert not Judgement.objects.filter(case__run=later, person__isnull=False).exists()


def _again(engineer: Person, run: Run) -> Run:
    return finish(
        start_run(
            actor=engineer,
            project=run.project,
            protocol=run.protocol,
            conditions=run.conditions,
            arm_names=sorted(run.arm_content),
        )
    )


# ---------------------------------------------------------------- at once


def _together(*acts: Callable[[], object]) -> tuple[list[str], list[str]]:
    """Do the acts in threads that start at once; return what was refused, and other faults."""
    start, refused, faults = threading.Barrier(len(acts)), [], []

    def do(act: Callable[[], object]) -> None:
        try:
            start.wait(timeout=30)
            act()
        except Refused as refusal:
            refused.append(str(refusal))
        except Exception as fault:  # shown by the test's assert, in its own thread
            faults.append(repr(fault))
        finally:
            connection.close()

    threads = [threading.Thread(target=do, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return refused, faults


@pytest.fixture
def shared(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run in a database that threads share, of either kind; messages to workers go nowhere."""
    sqlite = "sqlite3" in settings.DATABASES["default"]["ENGINE"]
    if sqlite:
        request.getfixturevalue("file_database")
    monkeypatch.setattr(conclude_run, "delay", lambda run_id: None)
    engineer, study = engineer_and_study()
    return run_with(engineer, study, {"cand": KEPT}, judging="human_for_all")


@pytest.mark.django_db(transaction=True)
def test_two_tabs_at_once_take_one_word_back(shared: Run) -> None:
    person = judge_called("one", shared)
    first, last = queue(shared)[0], queue(shared)[1]
    say(person, first, "stated")
    say(person, last, "stated")
    refused, faults = _together(*[lambda: take_back(actor=person, judgement=last)] * 2)
    assert (len(refused), faults) == (1, [])
    assert words_of(first) and not words_of(last)
    assert shared.project.ledger.filter(kind="judgement.taken_back").count() == 1


@pytest.mark.django_db(transaction=True)
def test_taking_back_while_the_other_one_judges_leaves_one_of_two_words(shared: Run) -> None:
    """Whichever comes first: the other's word alone never decides."""
    by_two(shared)
    one, other = (judge_called(name, shared) for name in ("one", "other"))
    items = list(queue(shared)[:4])
    for item in items:
        say(one, item, "stated")
        refused, faults = _together(
            lambda item=item: take_back(actor=one, judgement=item),  # type: ignore[misc]
            lambda item=item: say(other, item, "stated"),  # type: ignore[misc]
        )
        assert (refused, faults) == ([], [])
    assert [words_of(item) for item in items] == [[("other", "stated", False)]] * 4


@pytest.mark.django_db(transaction=True)
def test_two_who_take_back_at_once_leave_nothing(shared: Run) -> None:
    by_two(shared)
    people = [judge_called(name, shared) for name in ("one", "other")]
    item = queue(shared)[0]
    for person in people:
        say(person, item, "stated")
    acts = [lambda person=person: take_back(actor=person, judgement=item) for person in people]
    assert _together(*acts) == ([], [])
    assert words_of(item) == []
