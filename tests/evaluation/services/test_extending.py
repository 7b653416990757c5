"""A run extended with an arm or with requests is a new run that takes over what is there."""

from typing import Any

import pytest

from annotation.models import Person, Project
from annotation.services.projects import Refused
from evaluation.models import Run
from evaluation.runs import freezing
from evaluation.services.runs import cancel_run, extend_run, extending, newer_than
from tests.evaluation.runs.small_study import begin, constraint, finish, named, take_in

NEW = "Who owns Lark Bakery?"


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    return finish(begin(engineer, study, ["original", "human"]))


def bring(project: Project) -> None:
    """A request with its contract comes after the run."""
    take_in(project, "requests", [{"id": "d", "class": "plain", "text": NEW, "evidence": [["d4"]]}])
    row: dict[str, Any] = {
        "request": "d",
        "constraints": [constraint("c1", "referent", NEW, "Lark Bakery", named("Lark Bakery"))],
        "ambiguity": {"unresolved": False, "readings": []},
    }
    take_in(project, "contracts", [row])


def taken_over(run: Run, earlier: Run) -> int:
    return run.cases.filter(stages__taken_from=earlier).distinct().count()


def test_another_arm_is_a_new_run_that_computes_only_that(run: Run, engineer: Person) -> None:
    extended = finish(extend_run(actor=engineer, run=run, arm_names=["keywords"]))
    assert (extended.number, extended.state) == (2, "finished")
    assert set(extended.arm_content) == {"original", "human", "keywords"}
    assert extended.conditions_id == run.conditions_id
    assert (extended.cases.count(), taken_over(extended, run)) == (9, 6)


def test_nothing_that_was_concluded_is_changed(run: Run, engineer: Person) -> None:
    before = Run.objects.filter(pk=run.pk).values().get()
    finish(extend_run(actor=engineer, run=run, arm_names=["keywords"]))
    assert Run.objects.filter(pk=run.pk).values().get() == before


def test_the_ledger_says_which_run_was_extended_and_by_what(run: Run, engineer: Person) -> None:
    extended = extend_run(actor=engineer, run=run, arm_names=["keywords"])
    entry = run.project.ledger.get(kind="run.extended")
    assert entry.subject == f"run {extended.number}"
    assert entry.content == {"run": 1, "arms": ["keywords"], "requests": 0}


def test_new_requests_are_run_under_the_same_parts_frozen_anew(run: Run, engineer: Person) -> None:
    bring(run.project)
    extended = finish(extend_run(actor=engineer, run=run, with_new_requests=True))
    frozen, before = extended.conditions.content, run.conditions.content
    assert frozen["requests"].keys() - before["requests"].keys() == {"d"}
    changed = {key for key in frozen if frozen[key] != before.get(key)}
    assert changed == {"requests", "contracts"}
    assert (extended.cases.count(), taken_over(extended, run)) == (8, 6)


def test_what_came_since_is_counted(run: Run) -> None:
    before = newer_than(run)
    bring(run.project)
    after = newer_than(run)
    assert not before.anything
    assert (after.requests, after.contracts, after.corpus, after.code) == (1, 0, None, False)


def test_another_corpus_is_said_to_compute_everything_anew(run: Run) -> None:
    take_in(run.project, "corpus", [{"_id": "d1", "text": "Something else."}])
    assert newer_than(run).computes_all_anew


@pytest.mark.parametrize(
    "asked", [{}, {"arm_names": ["human"]}, {"with_new_requests": True}], ids=str
)
def test_extending_by_nothing_is_refused(asked: dict[str, Any], run: Run, engineer: Person) -> None:
    with pytest.raises(Refused, match="Nothing would be new"):
        extend_run(actor=engineer, run=run, **asked)
    assert Run.objects.count() == 1


def test_an_unknown_arm_is_refused_and_nothing_is_started(run: Run, engineer: Person) -> None:
    with pytest.raises(Refused, match="There is no arm “nobody”"):
        extend_run(actor=engineer, run=run, arm_names=["nobody"])
    assert not run.project.ledger.filter(kind="run.extended").exists()


def test_a_run_at_work_is_not_extended(study: Project, engineer: Person) -> None:
    run = begin(engineer, study, ["original"])
    with pytest.raises(Refused, match="it can be extended once it is over"):
        extend_run(actor=engineer, run=run, arm_names=["keywords"])


def test_a_cancelled_run_is_extended_by_what_it_has(study: Project, engineer: Person) -> None:
    run = cancel_run(actor=engineer, run=begin(engineer, study, ["original"]))
    extended = extend_run(actor=engineer, run=run, arm_names=["keywords"])
    assert finish(extended).state == "finished"


def test_a_double_click_extends_once(run: Run, engineer: Person) -> None:
    first = extend_run(actor=engineer, run=run, arm_names=["keywords"])
    assert extend_run(actor=engineer, run=run, arm_names=["keywords"]) == first
    assert run.project.ledger.filter(kind="run.extended").count() == 1


def test_conditions_of_another_code_are_not_used_again(
    run: Run, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (extending, freezing):
        monkeypatch.setattr(module, "code_sha256", lambda: "f" * 64)
    with pytest.raises(Refused, match="have them frozen anew"):
        extend_run(actor=engineer, run=run, arm_names=["keywords"])
    extended = extend_run(actor=engineer, run=run, arm_names=["keywords"], with_new_requests=True)
    assert extended.conditions.content["code"]["sha256"] == "f" * 64
