"""What a program says of a file, as JSON: a value of a wrong type is told in a sentence."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.importing.mapping import Reading
from annotation.models import ImportJob, Person, Project
from tests.annotation.api.conftest import program
from tests.annotation.conftest import lines
from tests.annotation.importing.conftest import request

__all__ = ["program"]

WRONG = [
    {"encoding": ["utf-8"]},
    {"format": {"a": 1}},
    {"format": []},
    {"delimiter": 1},
    {"delimiter": False},
    {"columns": "text"},
    {"columns": {"theirs": 1}},
    {"options": "x"},
]


@pytest.mark.parametrize("given", [*WRONG, ["utf-8"], "utf-8", None, 7])
def test_a_value_of_a_wrong_type_is_refused_in_a_sentence(given: Any) -> None:
    with pytest.raises(ValueError, match=r"must|object") as refused:
        Reading.from_json(given)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("empty", [{}, {"encoding": None, "format": "", "columns": None}])
def test_what_is_left_out_is_as_the_name_of_the_file_says(empty: Any) -> None:
    assert Reading.from_json(empty) == Reading()


def test_what_was_said_is_read_as_it_was_written() -> None:
    said = Reading("csv", "cp1252", ";", {"question": "text"})
    assert Reading.from_json(said.to_json()) == said


@pytest.mark.parametrize("given", WRONG, ids=str)
def test_a_program_that_says_it_wrongly_is_answered_and_leaves_no_job(
    given: Any, project: Project, engineer: Person, program: Callable[..., Client]
) -> None:
    file = SimpleUploadedFile("r.jsonl", lines([request()]))
    body = {"kind": "requests", "file": file, "mapping": json.dumps(given)}
    answer = program(engineer).post("/api/v1/projects/study/imports/", body)
    assert answer.status_code < 500 and answer.json()["detail"]
    assert not ImportJob.objects.exclude(state=ImportJob.State.CANCELLED).exists()
