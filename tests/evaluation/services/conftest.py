"""A run whose judgements wait for people, and people who judge."""

import pytest

from annotation.models import Person, Project
from evaluation.models import Judgement, Run
from evaluation.runs.tasks import conclude_run
from evaluation.services.runs import start_run
from tests.evaluation.judging import CANDIDATE, draw, judge_called
from tests.evaluation.runs.fixtures import file_database, study
from tests.evaluation.runs.small_study import finish, freeze, register, upload

__all__ = ["file_database", "study"]


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    """A finished run whose protocol wants people for critical constraints, and all are critical.
    Nothing is drawn to check the judge.
    """
    upload(study, "cand", CANDIDATE)
    made = finish(
        start_run(
            actor=engineer,
            project=study,
            protocol=register(engineer, study, judging="human_for_critical"),
            conditions=freeze(engineer, study),
            arm_names=["original", "cand"],
        )
    )
    draw(made)
    return made


@pytest.fixture
def sure_run(study: Project, engineer: Person) -> Run:
    """A finished run in which the judge is sure of everything and nothing is drawn."""
    upload(study, "cand", CANDIDATE)
    made = finish(
        start_run(
            actor=engineer,
            project=study,
            protocol=register(engineer, study),
            conditions=freeze(engineer, study),
            arm_names=["original", "cand"],
        )
    )
    Judgement.objects.filter(judgement="unsure").update(judgement="stated")
    draw(made)
    return made


@pytest.fixture
def second(run: Run) -> Person:
    return judge_called("second", run)


@pytest.fixture
def third(run: Run) -> Person:
    return judge_called("third", run)


@pytest.fixture
def concluded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The runs of which results were asked for, one entry each time."""
    asked: list[int] = []
    monkeypatch.setattr(
        "evaluation.services.judgements.reconclude", lambda run: asked.append(run.pk)
    )
    return asked


@pytest.fixture
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message to conclude is handled where it is sent."""
    monkeypatch.setattr(conclude_run, "delay", conclude_run.run)
