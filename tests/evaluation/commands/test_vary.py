"""`manage.py vary`: a set from a terminal."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.models import Person, Project
from evaluation.models import VariationSet
from evaluation.varying.sealing import manifest_hash
from tests.evaluation.varied import makers

__all__ = ["makers"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("makers")]


def vary(*arguments: str) -> str:
    out = StringIO()
    call_command("vary", "study", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def told(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(vary(*arguments, "--json"))
    return found


def test_it_makes_a_set_and_says_what_came_of_it(study: Project, engineer: Person) -> None:
    lines = vary("--kind", "loud", "--kind", "picky", "--rate", "1", "--name", "both")
    assert "both: " in lines and "of 3 variations made" in lines
    assert "loud: " in lines and "entity_token_changed" in lines
    assert VariationSet.objects.get().state == "made"


def test_json_has_the_hash_the_counts_and_the_table(study: Project, engineer: Person) -> None:
    found = told("--kind", "loud:2", "--rate", "1")
    assert found["sha256"] == VariationSet.objects.get().sha256
    assert found["kinds"]["loud"] == {
        "made": 3,
        "failed": 0,
        "flags": {"entity_token_changed": 3, "unchanged": 0},
    }
    assert found["set"] == "loud-100-seed-7" and found["table_one"]["n"] == 3


def test_a_dry_run_says_how_many_and_makes_none(study: Project, engineer: Person) -> None:
    assert "2 of 3 requests would be varied: 2 loud." in vary(
        "--kind", "loud", "--rate", "0.5", "--dry-run"
    )
    assert told("--kind", "loud", "--rate", "0.5", "--dry-run") == {
        "kinds": {"loud": 2},
        "clean": 1,
    }
    assert not VariationSet.objects.exists()


def test_the_rows_of_the_file_have_the_sets_hash(
    study: Project, engineer: Person, tmp_path: Path
) -> None:
    file = tmp_path / "rows.jsonl"
    found = told("--kind", "spelling", "--rate", "1", "--mode", "protect", "--output", str(file))
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert manifest_hash(found["recipe"], rows) == found["sha256"]
    assert found["set"] == "spelling-protect-100-seed-7"


def test_the_same_command_again_is_the_same_set(study: Project, engineer: Person) -> None:
    arguments = ("--kind", "loud", "--rate", "1")
    assert told(*arguments) == told(*arguments)
    assert VariationSet.objects.count() == 1


def test_parameters_of_a_kind_are_given_as_json(study: Project, engineer: Person) -> None:
    found = told(
        "--kind", "spelling", "--rate", "1", "--parameters", 'spelling:{"word_share": 0.5}'
    )
    assert found["recipe"]["parameters"] == {"spelling": {"word_share": 0.5}}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--kind", "nothing"], "There is no variation “nothing”"),
        (["--kind", "loud:many"], "the weight must be a whole number"),
        (["--kind", "loud", "--kind", "loud"], "given twice"),
        (["--kind", "loud", "--rate", "2"], "above 0, at most 1"),
        (["--kind", "loud", "--parameters", "loud"], "write --parameters"),
        (["--kind", "loud", "--name", "two words"], "A set's name has at most"),
        (["--kind", "loud", "--rate", "1", "--output", "/nowhere/x"], "cannot be written"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(
    study: Project, engineer: Person, arguments: list[str], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        vary(*arguments)
