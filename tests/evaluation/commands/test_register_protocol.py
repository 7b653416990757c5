import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Person, Project
from tests.evaluation.runs.small_study import register


def test_the_rules_in_a_file_are_registered(
    project: Project, engineer: Person, tmp_path: Path
) -> None:
    content = {**register(engineer, project).content, "name": "from-file"}
    file = tmp_path / "protocol.json"
    file.write_text(json.dumps(content))
    out = io.StringIO()
    call_command("register_protocol", "study", file, stdout=out)
    registered = project.protocols.get(name="from-file")
    assert out.getvalue().splitlines()[:2] == [
        f"Protocol from-file 1 is registered: {registered.sha256}",
        "No request had an approved contract then, so none had a result.",
    ]


def test_the_command_says_what_the_rules_can_show_and_what_they_void(
    study: Project, engineer: Person, tmp_path: Path
) -> None:
    content = {**register(engineer, study).content, "judging": "human_for_all"}
    file = tmp_path / "protocol.json"
    file.write_text(json.dumps(content))
    out = io.StringIO()
    call_command("register_protocol", "study", file, stdout=out)
    said = out.getvalue()
    assert "None of the 3 requests that they decide had a result then." in said
    assert "Decisions under gate 1 are void from now on." in said
    assert "dated-fact:\n  Completeness: of 2 resolved requests at most 1 may lose a" in said
    # A ceiling of 90 % takes two clean answers: (1 - 0.9)^2 <= 0.05 < 1 - 0.9.
    assert "Lost answers: if the original answers all 2 correctly" in said
    assert "  Warning: follow-up: A ceiling of 90 % needs 2 clean answers, and 1 resolved" in said


@pytest.mark.parametrize("text", ["{", "[]", "{}"])
def test_a_file_that_holds_no_rules_is_refused_with_a_sentence(
    project: Project, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "protocol.json"
    file.write_text(text)
    with pytest.raises(CommandError):
        call_command("register_protocol", "study", file)
    assert not project.protocols.exists()


def test_a_missing_file_is_named(project: Project, tmp_path: Path) -> None:
    with pytest.raises(
        CommandError, match="nothing.json cannot be read: No such file or directory."
    ):
        call_command("register_protocol", "study", tmp_path / "nothing.json")
