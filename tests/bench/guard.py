"""How long one call of the guard takes without a contract: `make bench`, part `guard`.

Every request of the demo study with each of its rewrites, each text met for the first time, on one
core. The language model is loaded before, which takes some seconds once a process.
"""

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

Rows = list[tuple[str, str, str]]


def guard(rows: Rows) -> None:
    from evaluation.demo.loading import STUDY
    from evaluation.guard import RequestText, Rewrite, warm_up
    from evaluation.guard import guard as asked

    def lines(name: str) -> list[dict[str, Any]]:
        return [json.loads(x) for x in (STUDY / name).read_text(encoding="utf-8").splitlines()]

    requests = {r["id"]: r for r in lines("requests.jsonl")}
    people = [(r["request"], {"queries": [r["text"]]}) for r in lines("standalone.jsonl")]
    candidate = [(r["request"], _sent(r)) for r in lines("rewrites.jsonl")]
    pairs = [*people, *candidate]

    def call(key: str, rewrite: dict[str, Any]) -> None:
        asked(RequestText.from_json(requests[key]), Rewrite.from_json(_whole(rewrite)))

    warm_up()
    with _one_core():
        for key, rewrite in pairs[:20]:
            call(key, rewrite)
        scale = f"{len(pairs)} rewrites of the demo study, each text new, one core"
        rows.append(("One call of guard()", _told(pairs, call), scale))
        again = "the same, each request asked about before: the rewrite alone is new"
        rows.append(("The same, the request known", _known(pairs, call), again))
        _over_http(rows, requests, pairs)


@contextmanager
def _one_core() -> Iterator[None]:
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def _over_http(rows: Rows, requests: dict[str, Any], pairs: Sequence[Any]) -> None:
    """The same through the test client, with a token: no network."""
    from django.core.management import call_command
    from django.test import Client

    from annotation.models import Person
    from annotation.services.tokens import create_token

    call_command("migrate", verbosity=0)
    person = Person.objects.create(username="pipeline")
    token = create_token(actor=person, name="bench", scopes=["read"])[1]
    client = Client(SERVER_NAME="localhost", headers={"Authorization": f"Bearer {token}"})

    def call(key: str, rewrite: dict[str, Any]) -> None:
        known = ("text", "turns", "reference_date")
        request = {name: requests[key][name] for name in known if requests[key].get(name)}
        body = {"request": request, "rewrite": rewrite}
        answer = client.post("/api/v1/guard/", body, content_type="application/json")
        if answer.status_code != 200:
            raise SystemExit(f"The guard answered {answer.status_code}: {answer.content!r}")

    for key, rewrite in pairs[:20]:
        call(key, rewrite)
    scale = "the same over HTTP with a token, through the test client"
    rows.append(("One call of /api/v1/guard/", _told(pairs, call), scale))
    again = "the same over HTTP, each request asked about before"
    rows.append(("The same, the request known", _known(pairs, call), again))


def _known(pairs: Sequence[Any], call: Callable[[str, dict[str, Any]], None]) -> str:
    """As `_told`, after every request was asked about once: only the rewrites are read anew."""
    for key, rewrite in pairs:
        call(key, rewrite)
    return _told(pairs, call, _forget_rewrites)


def _told(
    pairs: Sequence[Any],
    call: Callable[[str, dict[str, Any]], None],
    forget: Callable[[], None] | None = None,
) -> str:
    """The median and the 95th percentile of the time and of the processor's; before each call
    `forget` is called, by default `_forget`: nothing that was read before is remembered.
    """
    waited, worked = [], []
    for key, rewrite in pairs:
        (forget or _forget)()
        began, at_work = time.perf_counter(), time.process_time()
        call(key, rewrite)
        waited.append(1000 * (time.perf_counter() - began))
        worked.append(1000 * (time.process_time() - at_work))
    return (
        f"{_at(waited, 0.5)} ms median, {_at(waited, 0.95)} ms p95 "
        f"(processor {_at(worked, 0.5)} and {_at(worked, 0.95)})"
    )


def _at(values: list[float], share: float) -> str:
    """The value below which a share of them lies."""
    return f"{sorted(values)[min(len(values) - 1, round(share * len(values)))]:.1f}"


def _forget() -> None:
    from contracts import language
    from contracts.suggestions import _suggest
    from evaluation.proposals.proposing import _propose
    from evaluation.proposals.unresolved import _unresolved

    for remembered in (language._parsed, _suggest, _propose, _unresolved):
        remembered.cache_clear()
    _forget_rewrites()


def _forget_rewrites() -> None:
    """Forget every text that was read, but not what was found in the requests."""
    from evaluation.scoring.preservation.text import read_text
    from evaluation.scoring.preservation.times.time_mentions import _find_times

    for remembered in (read_text, _find_times):
        remembered.cache_clear()


def _sent(row: dict[str, Any]) -> dict[str, Any]:
    """What the address takes of a line of rewrites.jsonl."""
    return {k: row[k] for k in ("kind", "queries", "filters", "clarification") if k in row}


def _whole(rewrite: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "standalone", **rewrite}
