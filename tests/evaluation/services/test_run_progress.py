"""How far a run is, and how long it may take."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Person, Project
from annotation.services.ledger import database_time
from evaluation.models import Case, Run
from evaluation.services.runs import pause_run, progress
from evaluation.services.runs.estimating import Pace, rounded, seconds_left
from evaluation.services.runs.losses import losses
from evaluation.services.runs.progress import in_words
from tests.evaluation.runs.small_study import begin, finish

NOW = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    run = begin(engineer, study, ["original", "human"])
    Run.objects.filter(pk=run.pk).update(state=Run.State.RUNNING)
    run.refresh_from_db()
    return run


def many(run: Run, *, closed: int, waiting: int, seconds: float) -> None:
    """Give the run cases of further requests, `closed` of them one after the other lately."""
    first = run.cases.order_by("pk").first()
    assert first is not None
    made = run.project.requests.bulk_create(
        type(first.request)(
            project=run.project, key=f"m{closed}-{n}", text=f"Why {n}?", position=100 * closed + n,
            request_class=first.request.request_class, sha256="0" * 64,
        )
        for n in range(closed + waiting)
    )  # fmt: skip
    now = database_time()
    Case.objects.bulk_create(
        Case(
            run=run, arm=first.arm, request=request,
            state="done" if n < closed else "pending", stages_done=4 if n < closed else 0,
            closed_at=now - timedelta(seconds=seconds * n / closed) if n < closed else None,
        )
        for n, request in enumerate(made)
    )  # fmt: skip


def test_progress_counts_rows(study: Project, engineer: Person) -> None:
    run = begin(engineer, study, ["original", "human"])
    before = progress(run)
    after = progress(finish(run))
    assert (before.total, before.closed) == (6, 0)
    assert (after.total, after.closed, after.by_arm["human"]) == (6, 6, {"done": 3})


def test_progress_counts_each_arm_at_each_stage(run: Run) -> None:
    cases = run.cases.filter(arm__name="human").order_by("pk")
    for case, (state, kept) in zip(
        cases, (("failed", 1), ("dead", 2), ("running", 3)), strict=True
    ):
        Case.objects.filter(pk=case.pk).update(state=state, stages_done=kept)
    human = next(arm for arm in progress(run).arms if arm.arm == "human")
    assert (human.total, human.done, human.failed, human.dead) == (3, 0, 1, 1)
    assert human.stages == (3, 2, 1, 0)


def test_progress_asks_as_often_however_many_cases_there_are(run: Run) -> None:
    counts = []
    for n in (1, 40):
        many(run, closed=n, waiting=0, seconds=30)
        with CaptureQueriesContext(connection) as asked:
            progress(run)
        counts.append(len([query for query in asked if "clock_timestamp" not in query["sql"]]))
    assert counts == [2, 2]


def test_a_steady_run_has_an_estimate_with_the_doubt_of_its_pace(run: Run) -> None:
    many(run, closed=50, waiting=294, seconds=50)  # one a second; 300 wait with those of the study
    counted = progress(run)
    assert counted.recent == 50 and counted.waiting == 300
    # 2·√49 / 49 = 0.286, so 300 s are 233 to 420 s: 3 to 7 minutes in whole ones
    assert counted.estimate == "about 3 to 7 minutes"


def test_few_cases_give_no_estimate_and_the_reason(run: Run) -> None:
    many(run, closed=19, waiting=10, seconds=30)
    counted = progress(run)
    assert counted.estimate is None
    assert counted.no_estimate == (
        "There is no estimate yet: it takes 20 closed cases and 10 seconds."
    )


def test_a_run_that_waits_has_no_estimate(run: Run) -> None:
    many(run, closed=50, waiting=300, seconds=50)
    Run.objects.filter(pk=run.pk).update(notice="The endpoint is away.")
    run.refresh_from_db()
    counted = progress(run)
    assert (counted.estimate, counted.no_estimate) == (
        None, "There is no estimate while the run waits.",
    )  # fmt: skip


def test_a_run_of_which_nothing_was_closed_lately_has_no_estimate(run: Run) -> None:
    many(run, closed=50, waiting=300, seconds=50)
    run.cases.filter(state="done").update(closed_at=database_time() - timedelta(minutes=2))
    run.cases.filter(state="pending", request__key="a").update(
        state="running", lease_owner="w1", leased_until=database_time() + timedelta(minutes=1)
    )
    counted = progress(run)
    assert (counted.workers, counted.estimate) == (1, None)
    assert counted.no_estimate.startswith("No case was closed in the last minute")


def test_a_run_without_a_worker_says_so(run: Run) -> None:
    assert progress(run).no_estimate.startswith("No worker is at work on this run")


def test_a_paused_run_estimates_nothing(run: Run, engineer: Person) -> None:
    many(run, closed=50, waiting=300, seconds=50)
    counted = progress(pause_run(actor=engineer, run=run))
    assert (counted.estimate, counted.no_estimate, counted.workers) == (None, "", 0)


def pace(cases: int, moments: int, seconds: float, ago: float = 0.0) -> Pace:
    last = NOW - timedelta(seconds=ago)
    return Pace(cases, moments, last - timedelta(seconds=seconds), last)


def test_cases_that_are_kept_together_count_as_one_moment() -> None:
    # Six batches of 50, ten seconds apart: 5 a second from five intervals, so ± 2·√5 / 5 = 0.894
    low, high = seconds_left(pace(300, 6, 50), waiting=1000, now=NOW) or (0.0, 0.0)
    assert (round(low), round(high)) == (106, 1894)


@pytest.mark.parametrize(
    "seen",
    [Pace(), pace(19, 19, 30), pace(40, 40, 9), pace(500, 5, 40), pace(1, 1, 0)],
    ids=["nothing", "19 cases", "9 seconds", "4 intervals", "one moment"],
)
def test_what_says_too_little_gives_no_range(seen: Pace) -> None:
    assert seconds_left(seen, waiting=100, now=NOW) is None


def test_silence_makes_the_time_left_longer() -> None:
    lively, silent = pace(50, 50, 25), pace(50, 50, 25, ago=30)
    spans = [seconds_left(seen, waiting=100, now=NOW) for seen in (lively, silent)]
    assert spans[0] and spans[1] and spans[1][0] > 2 * spans[0][0]


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (3, 8, "less than a minute"),
        (61, 95, "about 60 to 100 seconds"),
        (233, 420, "about 3 to 7 minutes"),
        (20, 150, "at most about 3 minutes"),
        (7300, 7900, "about 2 to 3 hours"),
        (7200, 7200, "about 2 hours"),
        (180_000, 350_000, "about 2 to 5 days"),
    ],
)
def test_a_range_is_said_in_whole_units_and_never_narrower(
    low: float, high: float, words: str
) -> None:
    assert in_words(low, high) == words


def test_a_rounded_range_holds_the_exact_one() -> None:
    sizes = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400}
    for low, high in ((1.0, 2.0), (59.0, 61.0), (119.0, 121.0), (3599.0, 7201.0)):
        unit, fewest, most = rounded(low, high)
        assert fewest * sizes[unit] <= low and most * sizes[unit] >= high


def test_lost_cases_are_told_by_their_sentence_the_most_frequent_first(run: Run) -> None:
    run.cases.filter(arm__name="human").update(state="failed", error="The endpoint timed out.")
    run.cases.filter(arm__name="original", request__key="b").update(
        state="dead", error="given up after 3 attempts: its workers ended before it did."
    )
    told = [(loss.n, loss.given_up, loss.sentence, loss.examples) for loss in losses(run)]
    assert told == [
        (3, False, "The endpoint timed out.", (("human", "a"), ("human", "b"), ("human", "c"))),
        (1, True, "given up after 3 attempts: its workers ended before it did.",
         (("original", "b"),)),
    ]  # fmt: skip
