"""Large files by a real web server, PostgreSQL, a real queue and a real worker: done once, or not
at all.
"""

import json
import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from tests.services.installation import Installation, kill
from tests.walk.site import Site

pytestmark = pytest.mark.services
STUDY = "/p/demo/"
API = "/api/v1/projects/demo/"
BIG, LARGE = 40_000, 6_000  # both above what the web server does by itself
JOB = """
    SELECT state, rows_done, attempts, lease_owner, cancel_wanted, report
    FROM annotation_importjob WHERE public_id = %s
"""
HELD_UP = """
    SELECT count(*) FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO "annotation_importrecord"%%'
"""


class Job(NamedTuple):
    state: str
    rows_done: int
    attempts: int
    lease_owner: str
    cancel_wanted: bool
    report: dict[str, Any] | None


def rows(mark: str, count: int) -> SimpleUploadedFile:
    line = '{"id": "%s-%d", "class": "%s", "text": "What was the profit?", "turns": [{"role": "user", "text": "x"}]}\n'  # noqa: E501
    data = "".join(line % (mark, n, mark) for n in range(count))
    return SimpleUploadedFile(f"{mark}.jsonl", data.encode())


class _Form(HTMLParser):
    """What the last form with a select would send."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self._select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "input" and found.get("type") != "checkbox":
            self.fields[found.get("name") or ""] = found.get("value") or ""
        elif tag == "select":
            self._select = found.get("name") or ""
            self.fields[self._select] = ""
        elif tag == "option" and "selected" in found:
            self.fields[self._select] = found.get("value") or ""


class Engineer:
    """The demo's engineer at a browser without JavaScript."""

    persona = "engineer"

    def __init__(self, site: Site) -> None:
        self.site, self.jar = site, CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.ask(f"/demo/{self.persona}/")
        self.ask(f"{STUDY}import/")

    def ask(self, path: str, fields: dict[str, Any] | None = None) -> tuple[str, str]:
        """Get a page, or post a form; return where that led, and what is there."""
        request = urllib.request.Request(f"{self.site.url}{path}")  # noqa: S310
        if fields is not None:
            token = next(cookie.value for cookie in self.jar if cookie.name == "csrftoken")
            request.data = encode_multipart(BOUNDARY, fields)
            request.add_header("Content-Type", MULTIPART_CONTENT)
            request.add_header("X-CSRFToken", token or "")
        with self._opener.open(request, timeout=30) as answer:
            return answer.url.removeprefix(self.site.url), answer.read().decode()

    def api(self, path: str, fields: dict[str, Any] | None = None) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.ask(f"{API}{path}", fields)[1])
        return answer

    def press(self, page: str, act: str) -> None:
        """Send the form of an import as it stands there."""
        self.ask(page, {**_Form(self.ask(page)[1]).fields, "act": act})

    def import_file(self, file: SimpleUploadedFile) -> str:
        """Import by the API; return the job's id."""
        job = self.api("imports/", {"kind": "requests", "file": file})
        assert job["state"] == "queued"
        return str(job["id"])


class Database:
    """What stands in the database, read past the product."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._own = psycopg.connect(address, autocommit=True)

    def count(self, table: str, field: str, value: str) -> int:
        statement = f"SELECT count(*) FROM {table} WHERE {field} LIKE %s"  # noqa: S608 our names
        (found,) = self._own.execute(statement, [value]).fetchone() or (0,)
        return int(found)

    def came_in(self, mark: str) -> tuple[int, int, int]:
        """How many requests of a file stand there, how many turns, and how often it came in."""
        turns = "annotation_turn t JOIN annotation_request r ON r.id = t.request_id"
        return (
            self.count("annotation_request", "key", f"{mark}-%"),
            self.count(turns, "r.key", f"{mark}-%"),
            self.count("annotation_importrecord", "filename", f"{mark}.jsonl"),
        )

    def job(self, job_id: str) -> Job:
        return Job(*self._own.execute(JOB, [job_id]).fetchone())  # type: ignore[misc]

    def is_held_up(self) -> bool:
        return bool((self._own.execute(HELD_UP).fetchone() or (0,))[0])

    @contextmanager
    def no_end(self) -> Iterator[None]:
        """No import can end: it stops when its rows are written and its record is not."""
        with psycopg.connect(self._address) as connection:
            connection.execute("LOCK TABLE annotation_importrecord IN SHARE MODE")
            yield


def wait(what: str, holds: Callable[[], bool], site: Installation) -> None:
    until = time.monotonic() + 40
    while not holds():
        if time.monotonic() > until:
            tail = site.log.read_text(errors="replace")[-3000:]
            raise AssertionError(
                f"40 s passed, waiting until {what}. The worker's log ends:\n{tail}"
            )
        time.sleep(0.01)


@pytest.fixture
def site(
    on_postgres: Callable[..., Installation], redis_url: str, tmp_path: Path
) -> Iterator[Site]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    made = on_postgres(redis_url)
    served = Site(tmp_path, made.database_url, made.broker_url, port)
    with served.served():
        yield served


def is_of(owner: str, worker: Any) -> bool:
    """Whether the process that holds a lease was started by that worker."""
    pid = owner.split(":")[1]
    return pid.isdecimal() and os.getsid(int(pid)) == worker.pid


def test_a_worker_imports_what_a_person_confirmed_and_progress_is_seen(site: Site) -> None:
    engineer, there = Engineer(site), Database(site.database_url)
    page, _shown = engineer.ask(f"{STUDY}import/", {"file": rows("big", BIG)})
    job_id = page.rstrip("/").rpartition("/")[2]
    assert there.job(job_id).state == "uploaded"
    with site.worker() as worker:
        engineer.press(page, "check")
        wait("it is checked", lambda: there.job(job_id).state == "uploaded", site)
        assert there.came_in("big") == (0, 0, 0)
        seen: list[int] = []
        owners: set[str] = set()

        def is_done() -> bool:
            job, shown = there.job(job_id), engineer.api(f"imports/{job_id}/")
            seen.append(shown["rows_done"])
            owners.update({job.lease_owner} - {""})
            return bool(shown["state"] == "done")

        engineer.press(page, "import")
        wait("it is imported", is_done, site)
        assert all(is_of(owner, worker) for owner in owners) and len(owners) == 1
    assert seen == sorted(seen) and len(set(seen) - {0, BIG}) > 0, set(seen)
    assert there.came_in("big") == (BIG, BIG, 1)
    assert f"{BIG} written" in engineer.ask(page)[1].replace(",", "")


def test_a_cancelled_import_writes_nothing(site: Site) -> None:
    engineer, there = Engineer(site), Database(site.database_url)
    with site.worker():
        with there.no_end():
            job_id = engineer.import_file(rows("cancelled", LARGE))
            wait("its rows are written", there.is_held_up, site)
            engineer.ask(f"{STUDY}import/{job_id}/cancel/", {})
            job = there.job(job_id)
            assert (job.state, job.cancel_wanted) == ("running", True)
        wait("it ended", lambda: there.job(job_id).state == "cancelled", site)
    assert there.came_in("cancelled") == (0, 0, 0)
    assert there.count("annotation_requestclass", "name", "cancelled") == 0
    assert engineer.api(f"imports/{job_id}/")["said"] == "Cancelled. Nothing was written."


def test_what_a_killed_worker_was_writing_is_imported_once_by_the_next(site: Site) -> None:
    engineer, there = Engineer(site), Database(site.database_url)
    with there.no_end(), site.worker() as worker:
        job_id = engineer.import_file(rows("killed", LARGE))
        wait("its rows are written", there.is_held_up, site)
        assert is_of(there.job(job_id).lease_owner, worker)
        kill(worker)
        left = there.job(job_id)
    assert (left.state, left.attempts) == ("running", 1)
    assert there.came_in("killed") == (0, 0, 0)
    with site.worker():
        wait("another worker did it", lambda: there.job(job_id).state == "done", site)
    done = there.job(job_id)
    assert done.attempts == 2 and done.report and done.report["written"] == LARGE
    assert there.came_in("killed") == (LARGE, LARGE, 1)
    assert there.count("annotation_ledgerentry", "subject", f"{LARGE} requests") == 1


def test_an_import_whose_database_went_away_is_given_back_at_once(
    on_postgres: Callable[..., Installation],
) -> None:
    process = on_postgres().begin("tests.annotation.importing.cutting", stdout=subprocess.PIPE)
    out, _nothing = process.communicate(timeout=60)
    assert json.loads(out.splitlines()[-1]) == ["queued", 0, "done", 3, 2]
