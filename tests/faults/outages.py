"""The broker restarted and emptied, and PostgreSQL stopped as by a loss of power, under a run: it
ends by itself, with the result of an undisturbed one.
"""

import random
import time
from typing import Any

from tests.faults.acts_of import SMALL
from tests.faults.found import Found, span
from tests.faults.kills import LATENCY_S, PROCESSES, RUN, differences, undisturbed
from tests.faults.site import Site
from tests.services.installation import kill

AGAIN_S = 60.0
DOWN_S = 0.5
PAGE_S = 6.0
SLOW_S = LATENCY_S * 4  # so that a run lasts for several outages
SLOWER_S = 0.3
FEW: dict[str, Any] = {"study": SMALL, "arms": ["original", "prompt"], "reader": "endpoint"}
# Another run, of few cases and without calls.
OTHER: dict[str, Any] = {"study": SMALL, "arms": ["original"]}


def broker(site: Site, seed: int, restarts: int, emptied: int) -> Found:
    """Restart and empty the broker so often, while runs go on and new ones are started."""
    assert site.broker is not None
    found = Found(
        "The broker away",
        "Valkey is stopped for half a second and started again, or comes back empty and a run was "
        "started meanwhile, while a worker with its scheduler works on a run of 40 cases. Both "
        "runs end by themselves (after a restart, the sweep of every 30 seconds is done at once).",
        seed,
        columns=("what", "times", "consuming again", "runs the same"),
    )
    began = time.monotonic()
    rng = random.Random(seed)  # noqa: S311 it chooses an order, and guards nothing
    right, _calls = undisturbed(site, FEW)
    acts = ["restarted"] * restarts + ["emptied"] * emptied
    rng.shuffle(acts)
    took: dict[str, list[float]] = {"restarted": [], "emptied": []}
    same: dict[str, int] = {"restarted": 0, "emptied": 0}
    pages: list[float] = []
    worker = site.begin_worker(beat=True, processes=PROCESSES)
    try:
        for act in acts:
            run_id, another, seconds = _broken_broker(site, rng, act, pages)
            took[act].append(seconds)
            said = f"{act}, run {run_id}"
            found.check(seconds <= AGAIN_S, f"{said}: consuming after {seconds:.0f} s")
            if act == "restarted":  # the scheduler would, within 30 s
                site.acts.ask("sweep")
            for run in (run_id, another):
                site.wait(f"run {run} is over", lambda r=run: site.is_over(r), 180)
            same[act] += _is_same(site, found, right, run_id, said)
    finally:
        kill(worker)
    found.rows = [
        (act, str(len(times)), span(times), f"{same[act]} of {len(times)}")
        for act, times in took.items()
    ]
    longest = max(pages, default=0.0)
    found.check(longest <= PAGE_S, f"starting a run took {longest:.1f} s")
    found.figures = {
        "consuming again": span([*took["restarted"], *took["emptied"]]),
        "starting a run meanwhile": span(pages),
    }
    found.seconds = time.monotonic() - began
    return found


def _broken_broker(
    site: Site, rng: random.Random, act: str, pages: list[float]
) -> tuple[int, int, float]:
    """Start a run, break the broker at some point of it, and start another: it shows when somebody
    consumes again. Return both runs and the seconds until then. `pages` gets the seconds that
    starting a run took while the broker was away.
    """
    assert site.broker is not None
    run_id = site.acts.ask("start", **FEW)
    point = rng.randrange(0, 36)
    site.wait(f"{point} cases are done", lambda: _passed(site, run_id, point))
    site.broker.stop()
    begun = time.monotonic()
    if act == "emptied":  # and a run whose messages nobody took
        another = site.acts.ask("start", **OTHER)
        pages.append(time.monotonic() - begun)
    else:
        time.sleep(DOWN_S)
    site.broker.start()
    if act == "emptied":
        site.broker.empty()
    else:
        another = site.acts.ask("start", **OTHER)
    seconds = site.wait("a worker consumes again", lambda: site.done(another) > 0, 2 * AGAIN_S)
    return run_id, another, seconds


def _passed(site: Site, run: int, point: int) -> bool:
    return site.done(run) >= point or site.is_over(run)


def _is_same(site: Site, found: Found, right: dict[str, Any], run: int, what: str) -> bool:
    wrong = differences(site.acts.ask("facts", run=run), right)
    return found.check(not wrong, f"{what}: {'; '.join(wrong)}")


def postgres(site: Site, seed: int, stops: int) -> Found:
    """Stop PostgreSQL at once so often under a run."""
    assert site.postgres is not None
    found = Found(
        "PostgreSQL stopped hard",
        "PostgreSQL is stopped in mode immediate (as by a loss of power) and started again, while "
        "a worker with its scheduler works on a run of 424 cases.",
        seed,
        columns=("stop", "cases kept before", "after", "away for", "progress, from the stop"),
    )
    began = time.monotonic()
    rng = random.Random(seed)  # noqa: S311 it chooses when, and guards nothing
    right, calls = undisturbed(site)
    again: list[float] = []
    worker = site.begin_worker(beat=True, processes=PROCESSES)
    runs = made = 0
    try:
        while len(again) < stops:
            runs += 1
            site.fakes.tell(latency_s=SLOW_S)
            run_id = site.acts.ask("start", **RUN)
            for point in sorted(rng.sample(range(1, 380), min(5, stops - len(again)))):
                if not _stopped_at(site, found, run_id, point, again):
                    break
            site.wait("the run is over", lambda r=run_id: site.is_over(r), 240)
            made += site.fakes.calls()
            _is_same(site, found, right, run_id, f"run {run_id}")
    finally:
        kill(worker)
    found.figures = {
        "runs": str(runs),
        "progress, from the stop": span(again),
        "calls": f"{made} ({calls * runs} undisturbed)",
    }
    found.seconds = time.monotonic() - began
    return found


def _stopped_at(site: Site, found: Found, run: int, point: int, again: list[float]) -> bool:
    assert site.postgres is not None
    site.wait(f"{point} cases are done", lambda: _passed(site, run, point))
    if site.is_over(run):
        return False
    before, begun = site.done(run), time.monotonic()
    site.postgres.stop_hard()
    time.sleep(DOWN_S)
    site.postgres.start()
    away, after = time.monotonic() - begun, site.done(run)
    found.check(after >= before, f"stop at {before}: {before - after} kept cases are gone")
    site.wait(
        "there is progress again",
        lambda: site.done(run) > before or site.is_over(run),
        2 * AGAIN_S,
    )
    seconds = time.monotonic() - begun
    again.append(seconds)
    found.check(seconds <= AGAIN_S, f"stop at {before}: no progress for {seconds:.0f} s")
    found.rows.append(
        (str(len(again)), str(before), str(after), f"{away:.1f} s", f"{seconds:.1f} s")
    )
    return True
