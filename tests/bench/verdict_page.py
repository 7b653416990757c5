"""How fast the verdict page, the constraint matrix, a case, the list of runs and two compared runs
are in a run of 10,000 requests under four arms, and what its conclusion takes.

`python -m tests.bench.verdict_page NAME` makes one on whatever database Django has and prints its
figures as JSON; with `--built` it measures the one that is there.
"""

import json
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

REQUESTS = 10_000
TIMES = 4  # each address is opened so often; the first time counts as well
WHO = "verdict-engineer"
Rows = list[tuple[str, str, str]]

MATRIX = "1/matrix/"
ARMS = ("candidate-1", "candidate-2")
PAGES: dict[str, tuple[str, ...]] = {
    "Verdict page": (
        *(f"1/?arm={arm}" for arm in ARMS),
        *(f"1/?arm={arm}&class=class-{n:02}" for arm in ARMS for n in (0, 3, 7, 11)),
    ),
    "Matrix, a filter": tuple(
        f"{MATRIX}?arm=candidate-1&{filters}"
        for filters in (
            "lost=0", "lost=1", "lost=new", "lost=gained", "lost=differs", "lost=open", "lost=near",
            "lost=0&class=class-03", "lost=0&kind=time", "lost=0&materiality=minor",
            "lost=1&class=class-03&kind=referent", "request=r00004",
            *(f"stage={stage}" for stage in ("rewrite", "retrieval", "generation", "undetermined")),
        )
    ),
    "Matrix, an order": tuple(
        f"{MATRIX}?arm=candidate-1&lost={lost}&sort={sort}"
        for lost in "01"
        for sort in ("", "request", "class", "kind", "materiality", "stage")
    ),
    "Matrix, a search": tuple(
        f"{MATRIX}?arm=candidate-1&lost={lost}&q={words}"
        for lost in "01"
        for words in ("company", "Company 77", "STRASSBURG", "årdal 2007", "r0123", "nowhere")
    ),
    "Matrix, a page": tuple(
        f"{MATRIX}?arm=candidate-1&lost=0&page={page}" for page in (1, 2, 300, 600, 99_999)
    ),
    "Case page": tuple(f"1/cases/r{n:05}/" for n in (0, 1, 19, 5_000, 9_999)),
    "List of runs": ("",),
    "Two candidates compared": ("compare/?a=1:candidate-1&b=1:candidate-2",),
}  # fmt: skip


def verdict(rows: Rows) -> None:
    """Add the figures of SQLite, measured in a process of its own."""
    from tests.bench.desk import in_own_process

    with tempfile.TemporaryDirectory() as folder:
        rows += in_own_process("tests.bench.verdict_page", "SQLite", folder)


def measure(name: str, *, built: bool = False) -> Rows:
    """Make a run, conclude it and open its pages through the test client."""
    from django.core.management import call_command

    from evaluation.models import Judgement, Run
    from evaluation.reports.charts.warming import draw_ahead
    from evaluation.runs.conclusion import conclude
    from tests.bench.verdict_study import build

    call_command("migrate", verbosity=0)
    found: Rows = []
    run = Run.objects.get() if built else build(REQUESTS)
    scale = (
        f"{name}, {REQUESTS:,} requests × {run.arms.count()} arms, "
        f"{Judgement.objects.count():,} judgements"
    )
    if not built:
        began, busy = time.perf_counter(), time.process_time()
        conclude(run.pk)
        spent, busy = time.perf_counter() - began, time.process_time() - busy
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        said = f"{spent:.0f} s ({busy:.0f} s of the processor), at most {peak:.0f} MB"
        found.append(("Conclusion", said, scale))
    draw_ahead(run.pk)  # as the task that concludes does
    client = _client()
    for title, addresses in PAGES.items():
        found.append((title, _opened(client, addresses), scale))
    return found


def _opened(client: Any, addresses: Iterable[str]) -> str:
    """Open the addresses, all of them again and again; p50, p95, p99 and the most queries."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    wanted = [f"/p/verdict/runs/{address}" for address in addresses]
    spent: list[float] = []
    busy: list[float] = []
    worst, queries = (0.0, ""), 0
    for _time in range(TIMES):
        for address in wanted:
            began, working = time.perf_counter(), time.process_time()
            answer = client.get(address)
            spent.append(time.perf_counter() - began)
            busy.append(time.process_time() - working)
            if answer.status_code != 200:  # noqa: PLR2004
                raise RuntimeError(f"{address}: {answer.status_code}")
            worst = max(worst, (spent[-1], address))
    for address in wanted:
        with CaptureQueriesContext(connection) as captured:
            client.get(address)
        queries = max(queries, len(captured))
    cuts = statistics.quantiles(spent, n=100, method="inclusive")
    own = statistics.quantiles(busy, n=100, method="inclusive")
    sys.stderr.write(f"{worst[0] * 1000:.0f} ms at most: {worst[1]}\n")
    return (
        f"p50 {cuts[49] * 1000:.0f} ms, p95 {cuts[94] * 1000:.0f} ms, p99 {cuts[98] * 1000:.0f} ms"
        f" (of the processor: p50 {own[49] * 1000:.0f} ms, p95 {own[94] * 1000:.0f} ms),"
        f" at most {queries} queries"
    )


def _client() -> Any:
    from django.conf import settings
    from django.test import Client

    from annotation.models import Person

    settings.ALLOWED_HOSTS = ["testserver"]
    client = Client()
    client.force_login(Person.objects.get(username=WHO))
    client.get("/p/verdict/")
    return client


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    import django

    django.setup()
    figures = measure(sys.argv[1], built="--built" in sys.argv)
    sys.stdout.write(json.dumps(figures, ensure_ascii=False) + "\n")
