"""The engine: how many cases a second it gets through its stages, and what a call costs it."""

import json
import os
import subprocess
import sys
from typing import Any

from tests.bench.stub import Stub

ROWS = list[tuple[str, str, str]]
ARMS = ("original", "human", "instant")


def orchestration(rows: ROWS, sizes: tuple[int, int] = (2_000, 10_000)) -> None:
    """Instant parts, two processes on SQLite, at two sizes: the speed, and whether memory grows."""
    measured = [_run_instant(size) for size in sizes]
    (_s, _c, small, small_whole), (speed, concluding, large, large_whole) = measured
    scale = f"{sizes[1]:,} requests × 3 arms, contracts judged, SQLite, 2 worker processes"
    rows.append(("Cases through all stages", f"{speed:.0f} a second", scale))
    rows.append(("The conclusion of that run", f"{concluding:.1f} s", scale))
    between = f"between {sizes[0]:,} and {sizes[1]:,} requests, most memory of a worker"
    rows.append(
        (
            "Memory while cases are run",
            f"{small:.0f} → {large:.0f} MB ({large / small - 1:+.0%})",
            between,
        )
    )
    rows.append(
        (
            "Memory with the conclusion",
            f"{small_whole:.0f} → {large_whole:.0f} MB ({large_whole / small_whole - 1:+.0%})",
            between,
        )
    )


def endpoint(rows: ROWS, requests: int = 1_000) -> None:
    """1,000 requests × 3 arms against a stub of 50 ms with 32 connections, one worker."""
    from tests.bench.engine_study import begin

    with Stub(latency_s=0.05) as stub:
        for processes in (1, 2):
            project = fresh_project(requests)
            os.environ.update(INTACT_LLM_BASE_URL=stub.url, INTACT_LLM_MODEL="stub")
            os.environ["INTACT_CONNECTIONS"] = str(32 // processes)
            run = begin(project, arms=ARMS, retriever="instant", reader="endpoint")
            stub.reset()
            reports = _work(run.pk, processes)
            took = max(r["at"] for r in reports) - min(r["began"] for r in reports)
            ideal = stub.calls * stub.latency_s / 32
            cpu = sum(r["cases"]["cpu"] for r in reports) / stub.calls * 1000
            rows.append(
                (
                    f"A run against an endpoint, processes: {processes}",
                    f"{took / ideal:.2f} × calls × latency / connections",
                    f"{requests:,} requests × 3 arms, {stub.calls:,} calls of 50 ms, 32 "
                    f"connections, SQLite; {cpu:.1f} ms of processor time a call, start included",
                )
            )
            for name in ("INTACT_LLM_BASE_URL", "INTACT_LLM_MODEL", "INTACT_CONNECTIONS"):
                os.environ.pop(name)


def fresh_project(requests: int) -> Any:
    """An empty database with the study in it."""
    from django.core.management import call_command

    from tests.bench.engine_study import build

    call_command("migrate", verbosity=0)
    call_command("flush", interactive=False, verbosity=0)
    return build(requests)


def _run_instant(requests: int) -> tuple[float, float, float, float]:
    from tests.bench.engine_study import begin

    run = begin(fresh_project(requests), arms=ARMS, retriever="instant", reader="instant")
    cases = run.cases.count()
    reports = _work(run.pk, 2)
    began = min(report["began"] for report in reports)
    ended = max(report["at"] for report in reports)
    over = max(report["over"] for report in reports)
    return (
        cases / (ended - began),
        over - ended,
        max(report["cases"]["mb"] for report in reports),
        max(report["whole"]["mb"] for report in reports),
    )


def _work(run_pk: int, processes: int) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "tests.bench.engine_worker", str(run_pk)]
    workers = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _n in range(processes)
    ]
    return [json.loads(worker.communicate()[0].splitlines()[-1]) for worker in workers]
