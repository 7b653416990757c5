"""gate, compare and report end with 3 and a sentence where they have no answer, as a shell sees
it.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from annotation.models import Project
from evaluation.management.commands import gate

ROOT = Path(__file__).resolve().parents[3]


def shell(*arguments: str, database: str) -> tuple[int, str]:
    environment = {"PATH": os.environ["PATH"], "INTACT_DEMO": "1", "DATABASE_URL": database}
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["gate", "study/1"], "The database cannot be read"),
        (["gate", "study/1", "--nope"], "unrecognized arguments: --nope"),
        (["gate"], "the following arguments are required"),
        (["compare", "1:a", "1:b"], "The database cannot be read"),
        (["report", "nosuch/1", "--verify"], "The database cannot be read"),
        (["report", "--verify"], "Name a file"),
        (["report", "--verify", "x", "--format", "poem"], "invalid choice"),
    ],
)
def test_what_is_no_answer_is_3_with_a_sentence(
    arguments: list[str], said: str, tmp_path: Path
) -> None:
    """The database is there and was never migrated."""
    code, err = shell(*arguments, database=f"sqlite:///{tmp_path}/empty.sqlite3")
    assert code == 3 and said in err and "Traceback" not in err


@pytest.mark.parametrize("database", ["postgres://127.0.0.1:1/x", "nonsense://x"])
def test_a_database_that_is_away_or_no_address_is_3(database: str) -> None:
    code, err = shell("gate", "study/1", database=database)
    assert code == 3 and "Traceback" not in err


def test_help_is_no_fault(tmp_path: Path) -> None:
    assert shell("gate", "--help", database=f"sqlite:///{tmp_path}/x.sqlite3")[0] == 0


def from_shell(command: gate.Command) -> int:
    with pytest.raises(SystemExit) as ended:
        command.run_from_argv(["manage.py", "gate", "study/1", "--skip-checks"])
    return int(str(ended.value.code))


@pytest.mark.parametrize("fault", [KeyError("sentence"), OperationalError("disk I/O error")])
def test_a_fault_on_the_way_is_no_fallback(
    fault: Exception, study: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    def fail(*_given: object) -> None:
        raise fault

    monkeypatch.setattr(gate, "run_named", fail)
    monkeypatch.setattr("django.core.management.base.connections.close_all", lambda: None)
    assert from_shell(gate.Command()) == 3
    assert str(fault) in capsys.readouterr().err


def test_a_number_of_thousands_of_digits_names_no_run(study: Project) -> None:
    for name in ("9" * 5000, f"study/{'9' * 5000}", f"id:{'9' * 5000}"):
        with pytest.raises(SystemExit) as ended:
            call_command("gate", name)
        assert ended.value.code == 3


def test_a_report_of_a_run_that_is_not_there_says_so(study: Project) -> None:
    with pytest.raises(CommandError, match="There is no run"):
        call_command("report", "study/9", "--verify")
