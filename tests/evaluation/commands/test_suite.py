"""`suite` runs pipelines over sets and says what the variations cost."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Person, Project
from evaluation.management.commands import suite
from evaluation.suites.tasks import work_on_suite
from tests.evaluation.suites.worlds import nested


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody answers, without the two seconds of asking."""
    monkeypatch.setattr(suite, "worker_is_online", lambda: False)
    monkeypatch.setattr(work_on_suite, "delay", lambda run_id: None)


@pytest.fixture
def sets(study: Project, engineer: Person) -> list[str]:
    return [one.name for one in nested(study)]


def told(*arguments: str) -> str:
    out, error = io.StringIO(), io.StringIO()
    call_command("suite", "study", *arguments, stdout=out, stderr=error)
    return out.getvalue().strip()


def test_the_cost_of_each_set_is_a_sentence_and_every_pipeline_a_line(sets: list[str]) -> None:
    pipeline = 'rewritten:{"rewriter": "keywords"}'
    named = [part for name in sets for part in ("--set", name)]
    lines = told(*named, "--pipeline", pipeline, "--k", "1").splitlines()
    assert lines[0] == "Suite run 1 is finished."
    assert lines[1].startswith("With typing errors in 25 % of the questions (typos 25), standard")
    assert "F1: clean / typos 25 / typos 50" in lines
    assert any(line.startswith("  rewritten:keywords: ") for line in lines)
    assert "12 of 12 rows are there; 0 of them failed." in lines


def test_the_four_conditions_are_a_line_for_each_pipeline_and_set(sets: list[str]) -> None:
    said = told("--set", sets[1], "--four-conditions")
    assert "  standard on typos 50, n = 2: QE-DE " in said and "interaction" in said


def test_json_has_the_whole_result(sets: list[str]) -> None:
    run = json.loads(told("--set", sets[0], "--json"))
    assert (run["state"], run["result"]["schema"]) == ("finished", "suite/variations/1")
    assert len(run["result_sha256"]) == 64


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--set", "nothing"], "study has no set “nothing”. Its sets: typos"),
        ([], "Choose at least one variation set."),
        (["--set", "typos 25", "--pipeline", "nothing"], 'no pipeline called "nothing"'),
        (["--set", "typos 25", "--pipeline", "hyde:{"], "are no JSON"),
        (["--resume", "9"], "study has no suite run 9."),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    arguments: list[str], sentence: str, sets: list[str]
) -> None:
    with pytest.raises(CommandError, match=sentence):
        told(*arguments)
