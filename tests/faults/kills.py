"""Workers killed -9 at random points of a run: the parent alone, a child alone, or all at once.

Whatever was killed, the run ends with the result of an undisturbed one, no row stands twice, and no
call is made twice but those that were under way.
"""

import random
import subprocess
import time
from typing import Any

from tests.faults.acts_of import LARGE, LARGE_ARMS
from tests.faults.found import Found, span
from tests.faults.site import Site, children, kill_one
from tests.services.installation import kill

RUN: dict[str, Any] = {"study": LARGE, "arms": LARGE_ARMS, "reader": "endpoint"}
LATENCY_S = 0.05
PROCESSES, CONNECTIONS = 2, 4
PER_RUN = 10
AGAIN_S = 60.0
VICTIMS = ("everything", "parent", "child")


def run(site: Site, seed: int, kills: int) -> Found:
    """Kill so often, in as many runs as that takes."""
    found = Found(
        "Workers killed",
        "A worker of two processes killed -9 at random points of a run of 424 cases with about 500 "
        "calls of 50 ms: the parent alone, a child alone, or both with all children.",
        seed,
        columns=("run", "killed", "calls (undisturbed)", "most attempts", "result", "seconds"),
    )
    began = time.monotonic()
    rng = random.Random(seed)  # noqa: S311 it chooses when, and guards nothing
    right, calls = undisturbed(site)
    left, number, again = kills, 0, []
    while left > 0:
        number += 1
        left -= _one(site, found, rng, min(left, PER_RUN), number, right, calls, again)
    found.figures = {
        "kills": str(kills - left),
        "progress again": span(again),
        "runs": str(number),
    }
    found.seconds = time.monotonic() - began
    return found


def undisturbed(site: Site, given: dict[str, Any] = RUN) -> tuple[dict[str, Any], int]:
    """A run by a worker that nobody touches: what came out, and how many calls it took. Once for
    each site.
    """
    if (known := str(given)) in site.undisturbed:
        return site.undisturbed[known]
    site.fakes.tell(latency_s=LATENCY_S)
    run_id = site.acts.ask("start", **given)
    worker = site.begin_worker(processes=PROCESSES)
    try:
        site.wait("the undisturbed run is over", lambda: site.is_over(run_id))
    finally:
        kill(worker)
    facts: dict[str, Any] = site.acts.ask("facts", run=run_id)
    assert facts["state"] == "finished", facts
    site.undisturbed[known] = facts, site.fakes.calls()
    return site.undisturbed[known]


def differences(facts: dict[str, Any], right: dict[str, Any]) -> list[str]:
    """What a run has otherwise than the undisturbed one."""
    found = []
    if facts["state"] != "finished":
        found.append(f"it is {facts['state']}: {facts['error']} {facts['by_state']}")
    elif any(facts[name] != right[name] for name in ("result_sha256", "rows_sha256")):
        found.append("its result is another")
    if facts["doubled"]:
        found.append(f"{facts['doubled']} rows stand twice")
    return found


def _one(
    site: Site,
    found: Found,
    rng: random.Random,
    kills: int,
    number: int,
    right: dict[str, Any],
    calls: int,
    again: list[float],
) -> int:
    """One run with up to so many kills; return how many there were."""
    began = time.monotonic()
    site.fakes.tell(latency_s=LATENCY_S)
    run_id = site.acts.ask("start", **RUN)
    points = sorted(rng.sample(range(1, right["cases"] - 10), kills))
    worker = site.begin_worker(processes=PROCESSES)
    killed: dict[str, int] = dict.fromkeys(VICTIMS, 0)
    broken = []
    try:
        for point in points:
            site.wait(f"{point} cases are done", lambda p=point: _passed(site, run_id, p))
            if site.is_over(run_id):
                break
            victim = rng.choice(VICTIMS)
            before = site.done(run_id)
            worker = _kill(site, worker, victim, rng)
            killed[victim] += 1
            took = _until_more(site, run_id, before)
            again.append(took)
            if took > AGAIN_S:
                broken.append(f"no progress for {took:.0f} s after {victim} was killed at {before}")
        site.wait("the run is over", lambda: site.is_over(run_id), 180)
    finally:
        kill(worker)
    facts = site.acts.ask("facts", run=run_id)
    wrong = differences(facts, right)
    broken += wrong
    made, count = site.fakes.calls(), sum(killed.values())
    most = calls + count * PROCESSES * CONNECTIONS
    if made > most:
        broken.append(f"{made} calls were made, where at most {most} are right")
    found.check(not broken, f"run {number}, kills at {points}: {'; '.join(broken)}")
    found.rows.append(
        (
            str(number),
            ", ".join(f"{n} × {victim}" for victim, n in killed.items() if n),
            f"{made} ({calls}; at most {most})",
            str(facts["most_attempts"]),
            "NOT the same" if wrong else "the same",
            f"{time.monotonic() - began:.0f}",
        )
    )
    return count


def _passed(site: Site, run: int, point: int) -> bool:
    return site.done(run) >= point or site.is_over(run)


def _until_more(site: Site, run: int, before: int) -> float:
    return site.wait(
        f"more than {before} cases are done",
        lambda: site.done(run) > before or site.is_over(run),
        2 * AGAIN_S,
    )


def _kill(
    site: Site, worker: "subprocess.Popen[str]", victim: str, rng: random.Random
) -> "subprocess.Popen[str]":
    """Kill the victim; return the worker that then works: a new one unless the old one lives."""
    if victim == "child":
        if pids := children(worker.pid):
            kill_one(rng.choice(pids))
        return worker
    if victim == "parent":
        orphans = children(worker.pid)
        kill_one(worker.pid)
        worker.wait()
        new = site.begin_worker(processes=PROCESSES)
        for orphan in orphans:  # they go on for a while, as late workers
            kill_one(orphan) if rng.random() < 0.5 else None
        return new
    kill(worker)
    return site.begin_worker(processes=PROCESSES)
