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
    assert out.getvalue() == f"Protocol from-file 1 is registered: {registered.sha256}\n"


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
    with pytest.raises(CommandError, match="nothing.json"):
        call_command("register_protocol", "study", tmp_path / "nothing.json")
