"""Every message delivered twice: the same result with the same number of calls."""

import time

from tests.faults.found import Found
from tests.faults.kills import LATENCY_S, PROCESSES, RUN, differences, undisturbed
from tests.faults.site import Site
from tests.services.installation import kill


def run(site: Site, seed: int, runs: int) -> Found:
    found = Found(
        "Every message twice",
        "A run of 424 cases whose every message, from the page and from the workers, goes out "
        "twice.",
        seed,
        columns=("run", "calls", "calls undisturbed", "result", "seconds"),
    )
    began = time.monotonic()
    right, calls = undisturbed(site)
    site.acts.ask("send_messages", times=2)
    for number in range(1, runs + 1):
        begun = time.monotonic()
        site.fakes.tell(latency_s=LATENCY_S)
        run_id = site.acts.ask("start", **RUN)
        worker = site.begin_worker(processes=PROCESSES, app="tests.faults.twice")
        try:
            site.wait("the run is over", lambda r=run_id: site.is_over(r))
        finally:
            kill(worker)
        facts, made = site.acts.ask("facts", run=run_id), site.fakes.calls()
        wrong = differences(facts, right)
        found.check(not wrong, f"run {number}: {'; '.join(wrong)}")
        found.check(made == calls, f"run {number}: {made} calls where {calls} are right")
        found.rows.append(
            (
                str(number),
                str(made),
                str(calls),
                "NOT the same" if wrong else "the same",
                f"{time.monotonic() - begun:.0f}",
            )
        )
    site.acts.ask("send_messages", times=1)
    found.figures = {"runs": str(runs), "messages": "each twice"}
    found.seconds = time.monotonic() - began
    return found
