"""How the application starts, and what it asks of its database."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.db.utils import ConnectionHandler

ROOT = Path(__file__).resolve().parents[2]


def start(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "INTACT_DATA_DIR": str(tmp_path), **environment},
        capture_output=True,
        text=True,
    )


def test_without_a_secret_it_says_so_in_one_sentence_and_stops(tmp_path: Path) -> None:
    ended = start(tmp_path)
    assert ended.returncode != 0
    lines = ended.stderr.strip().splitlines()
    assert len(lines) == 1 and "INTACT_SECRET_KEY is not set" in lines[0]


def test_a_short_secret_is_refused(tmp_path: Path) -> None:
    ended = start(tmp_path, INTACT_SECRET_KEY="short")
    assert ended.returncode != 0 and "at least 50" in ended.stderr


def test_the_demo_needs_no_secret(tmp_path: Path) -> None:
    assert start(tmp_path, INTACT_DEMO="1").returncode == 0


@pytest.mark.skipif(
    settings.DATABASES["default"]["ENGINE"] != "django.db.backends.sqlite3",
    reason="the PRAGMAs are SQLite's",
)
@pytest.mark.django_db
def test_a_file_database_has_the_pragmas(tmp_path: Path) -> None:
    default = {**settings.DATABASES["default"], "NAME": str(tmp_path / "file.sqlite3")}
    connection = ConnectionHandler({"default": default})["default"]
    with connection.cursor() as cursor:
        found = {
            name: cursor.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "busy_timeout")
        }
    connection.close()
    # https://www.sqlite.org/pragma.html#pragma_synchronous: 1 is NORMAL
    assert found == {"journal_mode": "wal", "synchronous": 1, "busy_timeout": 20_000}
    assert default["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
