"""The workflow in docs/examples is what it says: every command in it exists with these options."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands, load_command_class

from evaluation.management.deciding import NO_ANSWER

ROOT = Path(__file__).parents[2]
WORKFLOW = ROOT / "docs/examples/gate-workflow.yml"
GUIDE = ROOT / "docs/ci-gate.md"


def steps() -> list[dict[str, Any]]:
    read = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = read["jobs"]["gate"]["steps"]
    return found


def commands(text: str) -> list[list[str]]:
    """What stands behind `manage.py` in each line, without what a shell does with its output."""
    lines = re.findall(r"python manage\.py ([^\n`]+)", text)
    return [shlex.split(line.partition(" > ")[0], comments=True) for line in lines]


def in_workflow() -> list[list[str]]:
    return [words for step in steps() for words in commands(step.get("run", ""))]


def in_guide() -> list[list[str]]:
    return commands(GUIDE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("words", [*in_workflow(), *in_guide()], ids=" ".join)
def test_every_command_takes_what_it_is_given(words: list[str]) -> None:
    name, *arguments = words
    command = load_command_class(get_commands()[name], name)
    # The parser ends with an error where an argument is unknown, missing, or no choice.
    parser = command.create_parser("manage.py", name)
    parser.parse_args(arguments)


def test_the_workflow_goes_from_the_files_to_the_gate() -> None:
    names = [words[0] for words in in_workflow()]
    wanted = ["import_requests", "import_rewrites", "evaluate", "report", "gate"]
    assert [name for name in dict.fromkeys(names) if name in wanted] == wanted
    assert "import_run" in names


def test_reports_are_written_and_kept_before_the_gate_may_stop_the_build() -> None:
    kept = [step.get("name") for step in steps() if "upload-artifact" in step.get("uses", "")]
    order = [step.get("name") for step in steps()]
    assert kept and order.index(kept[0]) < order.index("Gate") == len(order) - 1


def test_the_guide_has_the_exit_codes_of_the_gate() -> None:
    codes = re.findall(r"^\| (\d) \|", GUIDE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert codes == ["0", "1", "2", str(NO_ANSWER)]


@pytest.mark.parametrize("file", [WORKFLOW, GUIDE], ids=lambda file: file.name)
def test_no_outside_host_is_named(file: Path) -> None:
    hosts = re.findall(r"https?://([^/\s\"')}:]+)", file.read_text(encoding="utf-8"))
    assert set(hosts) <= {"127.0.0.1"}
