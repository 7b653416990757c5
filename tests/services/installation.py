"""One installation in a folder of its own: database, broker, and processes that are stopped by
their id.
"""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

ROOT = Path(__file__).parents[2]
RUN = """
    SELECT r.state, r.error, r.result_sha256,
           (SELECT COUNT(*) FROM evaluation_case c WHERE c.run_id = r.id AND c.state = 'done')
    FROM evaluation_run r ORDER BY r.id DESC LIMIT 1
"""

LONGEST = 240  # seconds of one act, on a machine that does other things too


@dataclass(frozen=True)
class RunRow:
    state: str
    error: str
    result_sha256: str
    done: int

    @property
    def is_over(self) -> bool:
        return self.state in ("finished", "failed")


@dataclass
class Installation:
    """Where everything of one installation is. An empty address is the product's default."""

    folder: Path
    database_url: str = ""
    broker_url: str = ""

    @property
    def environment(self) -> dict[str, str]:
        dropped = ("INTACT_", "CELERY_", "DATABASE_", "DJANGO_")
        kept = {k: v for k, v in os.environ.items() if not k.startswith(dropped)}
        named = {"DATABASE_URL": self.database_url, "CELERY_BROKER_URL": self.broker_url}
        return {
            **kept,
            **{name: value for name, value in named.items() if value},
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "INTACT_DEMO": "1",
            "INTACT_BUNDLED_LLM": "0",
            "INTACT_DATA_DIR": str(self.folder),
            "PYTHONUNBUFFERED": "1",
        }

    def begin(self, *command: str, **options: Any) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=ROOT,
            env=self.environment,
            text=True,
            **options,
        )

    def act(self, *act: str) -> Any:
        """Do one of `tests.services.acts` in a process of its own; return what it printed."""
        process = self.begin(
            "tests.services.acts", *act, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        try:
            out, error = process.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            process.kill()
            raise AssertionError(f"{act} took over {LONGEST} s") from None
        assert process.returncode == 0, f"{act} ended with {process.returncode}:\n{error[-3000:]}"
        return json.loads(out.splitlines()[-1])

    @contextmanager
    def worker(self) -> Iterator["subprocess.Popen[str]"]:
        """A real Celery worker with two processes, ended with everything that it started."""
        log = self.log.open("a")
        command = ["celery", "-A", "config", "worker", "--concurrency", "2", "--loglevel", "INFO"]
        process = self.begin(*command, stdout=log, stderr=log, start_new_session=True)
        try:
            yield process
        finally:
            kill(process)  # a warm shutdown of an idle pool takes Celery five seconds
            log.close()

    @property
    def log(self) -> Path:
        return self.folder / "worker.log"

    def newest_run(self) -> RunRow:
        """Read the newest run's row straight from the database."""
        if self.database_url:
            with psycopg.connect(self.database_url) as connection:
                return RunRow(*connection.execute(RUN).fetchone())
        connection = sqlite3.connect(self.folder / "intact.sqlite3", timeout=20)
        try:
            return RunRow(*connection.execute(RUN).fetchone())
        finally:
            connection.close()

    def wait_for(
        self, what: str, holds: Callable[[RunRow], bool], worker: "subprocess.Popen[str]"
    ) -> RunRow:
        """Return the newest run once `holds` is true of it; fail after 120 s with the log's end."""
        until = time.monotonic() + 120
        while not holds(row := self.newest_run()):
            ended = worker.poll()
            if ended is not None or time.monotonic() > until:
                why = f"the worker ended with {ended}" if ended is not None else "120 s passed"
                tail = self.log.read_text(errors="replace")[-3000:]
                raise AssertionError(f"waiting until {what}: {why}. {row}\nIts log ends:\n{tail}")
            time.sleep(0.01)
        return row


def kill(process: "subprocess.Popen[str]") -> None:
    """Kill the process and all it started, as a machine that loses its power does."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
