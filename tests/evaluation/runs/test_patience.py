"""How long a worker waits for an endpoint that is away, and what the run says meanwhile."""

import pytest

from annotation.models import Person, Project
from evaluation.generation.errors import EndpointAway
from evaluation.models import Run
from evaluation.runs import patience
from evaluation.runs.patience import Patience
from tests.evaluation.runs.small_study import begin


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    return begin(engineer, study, ["original"])


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    monkeypatch.setattr(patience.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(patience, "_away_since", {})
    return now


AWAY = EndpointAway("endpoint x is away.", again_in=5.0)


def test_it_waits_for_two_minutes_over_slices_of_time(run: Run, clock: list[float]) -> None:
    for _slice in range(5):
        Patience(run).away(AWAY)
        clock[0] += 30
    with pytest.raises(EndpointAway):
        Patience(run).away(AWAY)


def test_a_run_that_rested_meanwhile_is_waited_for_anew(run: Run, clock: list[float]) -> None:
    Patience(run).away(AWAY)
    clock[0] += 3600  # somebody paused it
    Patience(run).away(AWAY)
    clock[0] += 100
    Patience(run).away(AWAY)


def test_what_a_killed_process_said_it_waits_for_is_taken_back_by_another(
    run: Run, clock: list[float]
) -> None:
    Patience(run).away(AWAY)
    patience._away_since.clear()  # the other process knows nothing of it
    run.refresh_from_db()
    Patience(run).forget()
    run.refresh_from_db()
    assert run.notice == ""


def test_a_run_that_was_paused_meanwhile_waits_for_nothing(run: Run, clock: list[float]) -> None:
    waiting = Patience(run)
    Run.objects.filter(pk=run.pk).update(state=Run.State.PAUSED)
    waiting.away(AWAY)
    run.refresh_from_db()
    assert (run.state, run.notice) == ("paused", "")
