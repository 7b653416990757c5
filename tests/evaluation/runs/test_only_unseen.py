"""Conditions with only the requests on which a new protocol can decide."""

import pytest

from annotation.models import Person, Project
from annotation.services.projects import Refused
from evaluation.models import Run
from evaluation.reports.protocol.sentences import frozen_facts
from evaluation.services.runs import extend_run, newer_than, start_run
from tests.evaluation.runs.small_study import begin, finish, freeze, register
from tests.evaluation.services.test_extending import bring


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    return finish(begin(engineer, study, ["original", "human"]))


def second(run: Run, engineer: Person) -> Run:
    """A finished run over the new request d alone, under a second version of the rules."""
    bring(run.project)
    late = register(engineer, run.project, judging="human_for_critical", audit_per_kind=0)
    return finish(
        start_run(
            actor=engineer,
            project=run.project,
            protocol=late,
            conditions=freeze(engineer, run.project, only_unseen=True),
            arm_names=["original", "human"],
        )
    )


def test_conditions_without_the_wish_have_no_word_of_it(study: Project, engineer: Person) -> None:
    assert "only_unseen" not in freeze(engineer, study).content


def test_requests_with_a_result_before_the_newest_rules_are_left_out(
    run: Run, engineer: Person
) -> None:
    content = second(run, engineer).conditions.content
    assert (set(content["requests"]), set(content["contracts"])) == ({"d"}, {"d"})
    assert content["only_unseen"] is True


def test_the_facts_say_that_requests_were_left_out(run: Run, engineer: Person) -> None:
    told = {
        fact.label: fact.text for fact in frozen_facts(second(run, engineer).conditions.content)
    }
    assert told["Requests"] == "1 request, only those without a result before"


def test_nothing_left_is_refused(run: Run, engineer: Person) -> None:
    from django.utils import timezone

    with pytest.raises(Refused, match="Every request has a result already"):
        freeze(engineer, run.project, only_unseen=True, unseen_before=timezone.now())


def test_other_parts_may_be_frozen_over_the_same_requests_later(run: Run, engineer: Person) -> None:
    """What the rules themselves decided since does not count."""
    later = second(run, engineer)
    again = freeze(engineer, run.project, only_unseen=True, k=2)
    assert again.content["requests"] == later.conditions.content["requests"]


def test_extending_takes_new_requests_and_leaves_the_seen_ones_out(
    run: Run, engineer: Person
) -> None:
    later = second(run, engineer)
    assert not newer_than(later).anything
    extended = extend_run(actor=engineer, run=later, arm_names=["keywords"])
    assert set(extended.cases.values_list("request__key", flat=True)) == {"d"}
