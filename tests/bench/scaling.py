"""How many cases a second, with one and two worker processes: `python -m tests.bench.scaling`.

The same run on PostgreSQL with Valkey and on SQLite with the folder queue, against a fake endpoint
that takes 50 ms for every answer, and without any endpoint. With --write, the table goes into
docs/scaling.md between its two marks; what stands around them was written by hand.
"""

import argparse
import os
import platform
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.faults.acts_of import MANY, SMALL
from tests.faults.site import MISSING, Site, children, end_when_asked, site, wheels_are_here
from tests.services.installation import kill

DOC = Path(__file__).resolve().parents[2] / "docs" / "scaling.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
LATENCY_S = 0.05
TICK = os.sysconf("SC_CLK_TCK")
RUNS: dict[str, dict[str, Any]] = {
    "endpoint": {"arms": ["original", "prompt-1", "prompt-2"], "reader": "endpoint"},
    "none": {"arms": ["original", "unchanged", "joined"], "reader": "extractive"},
}
LONGEST_S = 900.0


@dataclass
class Measured:
    """One run: its cases and calls, the seconds until the last case and until the verdicts, and how
    many cores each side kept busy meanwhile.
    """

    database: str
    endpoint: str
    processes: int
    cases: int
    calls: int
    seconds: float
    concluded: float
    busy: dict[str, float]

    def row(self) -> str:
        busy = ", ".join(f"{name} {share:.2f}" for name, share in self.busy.items())
        calls = f"{self.calls / self.seconds:.0f}" if self.calls else "–"
        cells = (
            self.database,
            self.endpoint,
            str(self.processes),
            f"{self.cases:,}",
            f"**{self.cases / self.seconds:.0f}**",
            calls,
            f"{self.seconds:.1f} s",
            f"{self.concluded:.1f} s",
            busy,
        )
        return f"| {' | '.join(cells)} |"


HEAD = (
    "| database, queue | endpoint | worker processes | cases | cases a second | calls a second | "
    f"all cases | verdicts after | cores busy |\n|{' --- |' * 9}"
)


def processor_seconds(pids: Iterable[int]) -> float:
    """What these processes and their ended children used so far."""
    found = 0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        found += sum(int(fields[n]) for n in (11, 12, 13, 14))
    return found / TICK


def _family(pid: int) -> list[int]:
    return [pid, *children(pid)]


def measure(made: Site, what: str, processes: int, database: str) -> Measured:
    """Let so many worker processes do the run."""
    worker = made.begin_worker(processes=processes)
    try:
        # A first small run: every process has loaded the application.
        warm = made.acts.ask("start", study=SMALL, arms=["original"])
        made.wait("the worker is warm", lambda: made.is_over(warm), LONGEST_S)
        made.fakes.tell(latency_s=LATENCY_S)
        sides = {
            "workers": lambda: processor_seconds(_family(worker.pid)),
            "endpoint": lambda: processor_seconds([made.fakes.process.pid]),
        }
        if made.postgres is not None:
            postmaster = made.postgres.server.get_pid()
            sides["PostgreSQL"] = lambda: processor_seconds(_family(postmaster))
        run = made.acts.ask("start", study=MANY, within=LONGEST_S, **RUNS[what])
        cases = made.acts.ask("facts", run=run)["cases"]
        began = time.monotonic()
        before = {name: spent() for name, spent in sides.items()}
        made.wait("all cases are done", lambda: made.done(run) >= cases, LONGEST_S)
        seconds = time.monotonic() - began
        busy = {name: (spent() - before[name]) / seconds for name, spent in sides.items()}
        concluded = made.wait("the run is over", lambda: made.is_over(run), LONGEST_S)
    finally:
        kill(worker)
    state = made.state(run)
    assert state == "finished", state
    endpoint = f"{LATENCY_S * 1000:.0f} ms an answer" if what == "endpoint" else "none"
    calls = made.fakes.calls()
    return Measured(database, endpoint, processes, cases, calls, seconds, concluded, busy)


def table(requests: int) -> list[str]:
    """Measure everything; return the lines of the table."""
    lines = HEAD.split("\n")
    for database, broker, name in (
        ("postgres", "valkey", "PostgreSQL, Valkey"),
        ("sqlite", "folder", "SQLite, folder"),
    ):
        with site(database=database, broker=broker) as made:
            made.acts.ask("load_many", requests=requests, within=LONGEST_S)
            for what in RUNS:
                for processes in (1, 2):
                    lines.append(measure(made, what, processes, name).row())
                    sys.stderr.write(lines[-1] + "\n")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.scaling", description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the table into docs/scaling.md")
    parser.add_argument("--requests", type=int, default=1000)
    given = parser.parse_args()
    if not wheels_are_here():
        sys.stderr.write(MISSING + "\n")
        return 2
    end_when_asked()
    machine = (
        f"Measured by `python -m tests.bench.scaling --write` on {os.cpu_count()} cores, "
        f"{platform.machine()}, Python {platform.python_version()}, {time.strftime('%Y-%m-%d')}; "
        f"{given.requests:,} requests × 3 arms; workers, database, queue and endpoint share the "
        "machine."
    )
    text = "\n".join([BEGIN, "", machine, "", *table(given.requests), "", END])
    if given.write:
        page = DOC.read_text(encoding="utf-8")
        head, rest = page.split(BEGIN)
        DOC.write_text(head + text + rest.split(END)[1], encoding="utf-8")
    else:
        sys.stdout.write(text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
