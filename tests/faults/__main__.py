"""`make faults`: what the engine does when endpoints fail, workers are killed, and the broker or
the database goes away. Everything is real but the endpoints: PostgreSQL, Valkey, Celery workers.

With --write, what came out is written into docs/faults.md. It ends with 1 if anything did not hold.
"""

import argparse
import os
import platform
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.faults import kills, kinds, outages, twofold
from tests.faults.found import Found
from tests.faults.site import MISSING, Site, end_when_asked, site, wheels_are_here

DOC = Path(__file__).resolve().parents[2] / "docs" / "faults.md"
CAMPAIGNS = ("kinds", "kills", "twice", "broker", "postgres")


def campaign(name: str, seed: int, short: bool) -> Found:
    """Run one campaign on a fresh installation."""
    run = {
        "kinds": _kinds,
        "kills": lambda seed, short: _on(
            lambda s: kills.run(s, seed, 5 if short else 50),
            INTACT_CONNECTIONS=str(kills.CONNECTIONS),
        ),
        "twice": lambda seed, short: _on(lambda s: twofold.run(s, seed, 1 if short else 5)),
        "broker": lambda seed, short: _on(
            lambda s: outages.broker(s, seed, 2 if short else 20, 1 if short else 3)
        ),
        "postgres": lambda seed, short: _on(
            lambda s: outages.postgres(s, seed, 2 if short else 10),
            INTACT_CONNECTIONS=str(kills.CONNECTIONS),
        ),
    }[name]
    return run(seed, short)


def _on(act: Callable[[Site], Found], **more: str) -> Found:
    with site(**more) as made:
        return act(made)


def _kinds(seed: int, short: bool) -> Found:
    chosen = kinds.combinations((0.3,) if short else kinds.SHARES)
    if short:
        chosen = random.Random(seed).sample(chosen, 6)  # noqa: S311 a choice, no secret
    with site(broker="none", INTACT_ENDPOINT_PATIENCE_S=kinds.PATIENCE_S) as made:
        return kinds.run(made, seed, chosen)


def page(all_found: list[Found], seconds: float) -> Iterator[str]:
    """The lines of docs/faults.md."""
    yield "# What faults do to a run"
    yield ""
    yield (
        "Written by `make faults WRITE=1`. Real PostgreSQL, Valkey and Celery workers; only the "
        "chat endpoint and the search are fakes, scripted and seeded (`tests/faults/fakes.py`). "
        '"The same result" means that the SHA-256 of the result and that of every stage and '
        "judgement equal those of a run that nobody disturbed."
    )
    yield ""
    cores = os.cpu_count()
    yield (
        f"Machine: {platform.machine()}, {cores} cores, {platform.system()}, Python "
        f"{platform.python_version()}. {time.strftime('%Y-%m-%d')}, {seconds / 60:.0f} minutes."
    )
    yield ""
    yield "| campaign | held | figures | seed | seconds |"
    yield "| --- | --- | --- | --- | --- |"
    for found in all_found:
        figures = "; ".join(f"{name}: {value}" for name, value in found.figures.items())
        yield f"| {found.name} | {found.share} | {figures} | {found.seed} | {found.seconds:.0f} |"
    for found in all_found:
        yield from _section(found)


def _section(found: Found) -> Iterator[str]:
    yield from ("", f"## {found.name}", "", found.what, "")
    yield f"| {' | '.join(found.columns)} |"
    yield f"| {' | '.join('---' for _column in found.columns)} |"
    for row in found.rows:
        yield f"| {' | '.join(row)} |"
    if found.broken:
        yield from ("", "What did not hold:", "")
        yield from (f"- {line}" for line in found.broken)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/faults.md")
    parser.add_argument("--short", action="store_true", help="about two minutes")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--only", choices=CAMPAIGNS, nargs="*", default=CAMPAIGNS)
    given = parser.parse_args()
    if not wheels_are_here():
        sys.stderr.write(MISSING + "\n")
        return 2
    end_when_asked()
    began = time.monotonic()
    all_found = []
    for name in given.only:
        sys.stdout.write(f"{name}, seed {given.seed} …\n")
        sys.stdout.flush()
        try:
            found = campaign(name, given.seed, given.short)
        except (AssertionError, OSError) as fault:
            found = Found(name, "This campaign could not be ended.", given.seed)
            found.check(False, f"{type(fault).__name__}: {fault}")
        all_found.append(found)
        sys.stdout.write(f"  {found.share} held, {found.seconds:.0f} s, {found.figures}\n")
        sys.stdout.flush()
    text = "\n".join(page(all_found, time.monotonic() - began)) + "\n"
    if given.write:
        DOC.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 1 if any(found.broken for found in all_found) else 0


if __name__ == "__main__":
    sys.exit(main())
