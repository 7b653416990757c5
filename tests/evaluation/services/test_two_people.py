"""Two people judge an item where the Protocol says so."""

import threading
from pathlib import Path

import krippendorff
import pytest
from django.db import connection

from annotation.models import Person, Project
from annotation.services.projects import Refused
from evaluation.models import Judgement, Protocol, Run
from evaluation.runs.tasks import conclude_run
from evaluation.services.judgements import (
    CHOICES,
    agreement_of,
    look_ahead,
    next_to_judge,
    queue,
)
from tests.evaluation.judging import (
    CANDIDATE,
    as_the_matcher,
    by_two,
    draw,
    item_of,
    judge_called,
    say,
    settle_all,
    with_filters,
)
from tests.evaluation.runs.small_study import (
    engineer_and_study,
)
from tests.evaluation.views.worlds import run_with


def test_the_first_of_two_decides_nothing(
    run: Run, adjudicator: Person, concluded: list[int]
) -> None:
    item = queue(by_two(run))[0]
    assert not say(adjudicator, item, "stated").decides
    assert queue(run).filter(pk=item.pk).exists()


def test_the_second_decides_with_the_same_word(
    run: Run, adjudicator: Person, second: Person
) -> None:
    item = queue(by_two(run))[0]
    say(adjudicator, item, "stated")
    assert say(second, item, "stated").decides
    assert not queue(run).filter(pk=item.pk).exists()


def test_a_third_decides_where_two_differ_whatever_they_say(
    run: Run, adjudicator: Person, second: Person, third: Person
) -> None:
    item = queue(by_two(run))[0]
    say(adjudicator, item, "stated")
    assert not say(second, item, "altered").decides
    assert say(third, item, "dropped").decides
    assert Judgement.objects.by_people().get().judgement == "dropped"


def test_nobody_gets_an_item_twice(
    run: Run, study: Project, adjudicator: Person, second: Person
) -> None:
    by_two(run)
    settle_all(run, adjudicator, as_the_matcher)
    assert next_to_judge(actor=adjudicator, project=study) is None
    assert look_ahead(actor=second, project=study).left == 10


def test_a_check_of_the_judge_has_two_people_too(
    run: Run, study: Project, adjudicator: Person, second: Person, concluded: list[int]
) -> None:
    by_two(run)
    Protocol.objects.update(content={**Protocol.objects.get().content, "judging": "automatic"})
    Judgement.objects.update(judgement="stated")
    item = item_of(run, "cand", "a", "c1")
    draw(run, item)
    assert not say(adjudicator, item, "altered").decides and not concluded
    assert next_to_judge(actor=second, project=study) == item
    assert say(second, item, "altered").decides and concluded == [run.pk]


def test_two_first_words_at_once_never_leave_an_item_that_nobody_decides(
    run: Run, adjudicator: Person, second: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes second waits for the row's lock and then reads the other's word."""
    item = queue(by_two(run))[0]
    locked = Judgement.objects.select_for_update

    def others_first(*args: object, **options: object):  # type: ignore[no-untyped-def]
        monkeypatch.undo()
        say(second, item, "stated")
        return locked()

    monkeypatch.setattr(Judgement.objects, "select_for_update", others_first)
    assert say(adjudicator, item, "stated").decides


@pytest.mark.parametrize("judges", [1, 2])
def test_two_people_at_once_give_one_row_that_decides(
    judges: int, file_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conclude_run, "delay", lambda run_id: None)
    engineer, study = engineer_and_study()
    run = run_with(engineer, study, {"cand": CANDIDATE}, judging="human_for_all")
    if judges == 2:
        by_two(run)
    item = queue(run)[0]
    people = [judge_called(name, run) for name in ("one", "other")]
    start, refused, faults = threading.Barrier(2), [], []

    def judge(person: Person) -> None:
        try:
            start.wait(timeout=30)
            say(person, item, "stated")
        except Refused as refusal:
            refused.append(str(refusal))
        except Exception as fault:  # shown by the assert below, in the test's own thread
            faults.append(repr(fault))
        finally:
            connection.close()

    threads = [threading.Thread(target=judge, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    rows = Judgement.objects.filter(case=item.case, constraint=item.constraint, person__gt=0)
    assert faults == []
    assert sorted(rows.values_list("decides", flat=True)) == [False, True][2 - judges :]
    assert refused == ["Somebody settled this a moment ago."][: 2 - judges]


def test_agreement_is_that_of_the_first_two_on_what_both_judged(
    run: Run, adjudicator: Person, second: Person, third: Person
) -> None:
    """Krippendorff (2011), "Computing Krippendorff's alpha-reliability", section A: two observers,
    ten units, two values, alpha = 0.095; and the package of Castro, on four words.
    """
    by_two(run)
    one, other = "0100000010", "1110010000"
    words = {"0": "dropped", "1": "stated"}
    for item, first, then in zip(queue(run).order_by("pk"), one, other, strict=True):
        say(adjudicator, item, words[first])
        if not say(second, item, words[then]).decides:
            say(third, item, "altered")
    found = agreement_of(run)
    assert (found["items"], found["same"], found["same_side"]) == (10, 6, 6)
    assert found["raw"]["value"] == 0.6
    assert found["alpha"]["value"] == pytest.approx(0.095, abs=0.0005)
    by_package = krippendorff.alpha(
        [[int(letter) for letter in one], [int(letter) for letter in other]],
        level_of_measurement="nominal",
    )
    assert found["alpha"]["value"] == pytest.approx(by_package)


def test_agreement_over_the_four_words_is_the_packages(
    run: Run, adjudicator: Person, second: Person
) -> None:
    by_two(run)
    with_filters(run)
    one, other = "0123012301", "0123012200"
    for item, first, then in zip(queue(run).order_by("pk"), one, other, strict=True):
        say(adjudicator, item, CHOICES[int(first)])
        say(second, item, CHOICES[int(then)])
    coded = [[int(letter) for letter in said] for said in (one, other)]
    expected = krippendorff.alpha(coded, level_of_measurement="nominal")
    assert agreement_of(run)["alpha"]["value"] == pytest.approx(expected)


def test_without_two_words_on_anything_agreement_is_none_with_a_reason(
    run: Run, adjudicator: Person
) -> None:
    say(adjudicator, queue(run)[0], "stated")
    found = agreement_of(run)
    assert found["items"] == 0
    assert found["raw"]["value"] is None and found["alpha"]["value"] is None
    assert found["raw"]["reason"] and found["alpha"]["reason"]
