"""People settle judgements: until they do, a verdict waits; then it is computed anew."""

import re

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Person, Project
from annotation.services.projects import Refused
from evaluation.models import Judgement, Run, Verdict
from evaluation.runs.conclusion import judged_since
from evaluation.runs.tasks import conclude_run
from evaluation.services.judgements import (
    LOOKED,
    NoFilter,
    asked_of,
    look_ahead,
    next_to_judge,
    queue,
    settle,
)
from tests.evaluation.judging import (
    as_the_matcher,
    draw,
    item_of,
    say,
    settle_all,
    with_filters,
)
from tests.evaluation.runs.small_study import (
    case_of,
)
from tests.evaluation.views.worlds import fill_wide, run_with


def verdict_of(run: Run, name: str) -> Verdict:
    return Verdict.objects.current(run).get(request_class__name=name)


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


def test_a_judgement_is_settled_once(run: Run, adjudicator: Person, second: Person) -> None:
    judgement = queue(run)[0]
    settled = settle(actor=adjudicator, judgement=judgement, outcome="stated")
    with pytest.raises(Refused, match="Somebody settled this a moment ago"):
        settle(actor=second, judgement=judgement, outcome="dropped")
    with pytest.raises(PermissionDenied, match="A person settled this already"):
        settle(actor=adjudicator, judgement=settled, outcome="dropped")


def test_a_second_press_changes_nothing(run: Run, adjudicator: Person) -> None:
    judgement = queue(run)[0]
    settle(actor=adjudicator, judgement=judgement, outcome="stated")
    with pytest.raises(Refused, match="your first word stands"):
        settle(actor=adjudicator, judgement=judgement, outcome="dropped")
    assert Judgement.objects.by_people().get().judgement == "stated"


@pytest.mark.parametrize("word", ["unsure", "filtered out", ""])
def test_a_person_decides_with_one_of_four_words(run: Run, adjudicator: Person, word: str) -> None:
    with pytest.raises(Refused, match="Choose stated, filtered, altered or dropped"):
        settle(actor=adjudicator, judgement=queue(run)[0], outcome=word)


def test_of_a_rewrite_without_a_filter_nobody_says_filtered(run: Run, adjudicator: Person) -> None:
    with pytest.raises(NoFilter, match="The rewrite has no filter"):
        settle(actor=adjudicator, judgement=queue(run)[0], outcome="filtered")
    assert not Judgement.objects.by_people().exists()


def test_of_a_rewrite_with_a_filter_filtered_is_said(run: Run, adjudicator: Person) -> None:
    with_filters(run)
    settled = settle(actor=adjudicator, judgement=queue(run)[0], outcome="filtered")
    assert settled.judgement == "filtered"


def test_an_empty_group_of_conditions_is_no_filter(run: Run, adjudicator: Person) -> None:
    item = queue(run)[0]
    row = item.case.stages.get(stage="rewrite")
    row.content = {**row.content, "filters": {"and": []}}
    row.save(update_fields=["content"])
    with pytest.raises(NoFilter):
        settle(actor=adjudicator, judgement=item, outcome="filtered")


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


# ---------------------------------------------------------------- what checks the judge


def test_what_is_drawn_waits_after_everything_that_is_open(
    sure_run: Run, study: Project, adjudicator: Person
) -> None:
    drawn, unsure = item_of(sure_run, "cand", "a", "c1"), item_of(sure_run, "original", "b", "c2")
    draw(sure_run, drawn)
    Judgement.objects.filter(pk=unsure.pk).update(judgement="unsure")
    assert look_ahead(actor=adjudicator, project=study).left == 2
    assert next_to_judge(actor=adjudicator, project=study) == unsure
    say(adjudicator, unsure, "stated")
    assert next_to_judge(actor=adjudicator, project=study) == drawn


def test_scores_are_computed_again_with_the_last_open_one_and_the_last_check(
    sure_run: Run, adjudicator: Person, concluded: list[int]
) -> None:
    drawn = [item_of(sure_run, "cand", "a", key) for key in ("c1", "c2")]
    unsure = [item_of(sure_run, "original", "b", key) for key in ("c1", "c2")]
    draw(sure_run, *drawn)
    Judgement.objects.filter(pk__in=[one.pk for one in unsure]).update(judgement="unsure")
    counts = []
    for item in (*unsure, *drawn):
        say(adjudicator, item, "stated")
        counts.append(len(concluded))
    assert counts == [0, 1, 1, 2]


def test_a_message_that_was_lost_is_made_up_for_by_the_sweep(
    sure_run: Run, adjudicator: Person, concluded: list[int]
) -> None:
    Run.objects.filter(pk=sure_run.pk).update(finished_at=timezone.now())
    unsure, drawn = (item_of(sure_run, "cand", "a", key) for key in ("c1", "c2"))
    Judgement.objects.filter(pk=unsure.pk).update(judgement="unsure")
    draw(sure_run, drawn)
    assert judged_since() == []
    say(adjudicator, unsure, "stated")
    assert judged_since() == []  # a check is left, and somebody may be at it
    say(adjudicator, drawn, "stated")
    assert judged_since() == [sure_run]
    conclude_run(sure_run.pk)
    assert judged_since() == []


def test_each_check_is_in_the_ledger(sure_run: Run, study: Project, adjudicator: Person) -> None:
    drawn = item_of(sure_run, "cand", "a", "c1")
    draw(sure_run, drawn)
    say(adjudicator, drawn, "altered")
    assert study.ledger.get(kind="judgement.settled").content["judgement"] == "altered"


def test_nobody_is_asked_about_a_sure_judgement_that_was_not_drawn(
    sure_run: Run, study: Project, adjudicator: Person
) -> None:
    item = item_of(sure_run, "cand", "a", "c1")
    assert asked_of(actor=adjudicator, project=study, pk=item.pk) is None
    draw(sure_run, item)
    assert asked_of(actor=adjudicator, project=study, pk=item.pk) == item


# ---------------------------------------------------------------- which one is next


def test_two_people_get_the_same_items_in_other_orders(
    run: Run, study: Project, adjudicator: Person, second: Person
) -> None:
    def order(person: Person) -> list[int]:
        found = []
        while (item := look_ahead(actor=person, project=study, later=found).judgement) is not None:
            if item.pk in found:
                return found
            found.append(item.pk)
        return found

    mine, theirs = order(adjudicator), order(second)
    assert sorted(mine) == sorted(theirs) and len(mine) == 10
    assert mine != theirs


def test_arms_are_mixed(run: Run, study: Project, adjudicator: Person) -> None:
    arms = []
    while (item := next_to_judge(actor=adjudicator, project=study)) is not None:
        arms.append(item.case.arm.name)
        say(adjudicator, item, "stated")
    assert arms != sorted(arms) and arms != sorted(arms, reverse=True)


def test_what_is_put_off_comes_after_the_others(
    run: Run, study: Project, adjudicator: Person
) -> None:
    first = next_to_judge(actor=adjudicator, project=study)
    assert first is not None
    other = look_ahead(actor=adjudicator, project=study, later=[first.pk]).judgement
    assert other not in (None, first)
    rest = [item.pk for item in queue(run) if item.pk != first.pk]
    last = look_ahead(actor=adjudicator, project=study, later=[first.pk, *rest[1:]])
    assert last.judgement is not None and last.judgement.pk == rest[0]


@pytest.mark.parametrize("requests", [3, 30])
def test_the_queries_and_rows_read_do_not_grow_with_the_run(
    requests: int, project: Project, engineer: Person, adjudicator: Person
) -> None:
    fill_wide(project, requests)
    rewrites = {f"r{n:02}": "earnings" for n in range(requests)}
    run_with(engineer, project, {"cand": rewrites}, judging="human_for_all")
    with CaptureQueriesContext(connection) as asked:
        ahead = look_ahead(actor=adjudicator, project=project)
    assert len(asked) <= 16
    assert ahead.left == min(LOOKED, queue(project.runs.get()).count())
    searches = [one["sql"] for one in asked if "NOT (EXISTS" in one["sql"]]
    assert searches and all(re.search(r"LIMIT \d+$", sql) for sql in searches)


def test_where_few_are_open_only_they_are_looked_at_again(
    run: Run, study: Project, adjudicator: Person
) -> None:
    asked = []
    for _time in range(2):
        with CaptureQueriesContext(connection) as found:
            assert look_ahead(actor=adjudicator, project=study).left == 10
        asked.append([one["sql"] for one in found if "NOT (EXISTS" in one["sql"]])
    ids = ", ".join(map(str, sorted(queue(run).values_list("pk", flat=True))))
    assert not any(f"({ids})" in sql for sql in asked[0])
    assert sum(f"({ids})" in sql for sql in asked[1]) == 2
