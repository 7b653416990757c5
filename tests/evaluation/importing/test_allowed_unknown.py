"""D54, D57: what a logged run names that the project does not have."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.importing.mapping import Reading
from annotation.importing.problems import ImportRefused
from annotation.models import Person, Project
from annotation.services.imports import ImportReport, import_file
from evaluation.models import UploadedRun

TREC = b"a Q0 d9 1 9 t\na Q0 d1 2 8 t\nzz Q0 d1 1 9 t\n"
ROWS = [
    {
        "request": "a",
        "hits": [{"id": "d9", "rank": 1, "score": 9}, {"id": "d1", "rank": 2, "score": 8}],
        "answer": "x",
        "citations": ["d9", "d1"],
    },
    {"request": "zz", "hits": [], "answer": "x"},
]
JSONL = "\n".join(map(json.dumps, ROWS)).encode()


def take(
    project: Project, owner: Person, data: bytes, form: str = "jsonl", **options: str
) -> ImportReport:
    return import_file(
        actor=owner, project=project, kind="run", filename="run", data=data, target="cand",
        reading=Reading(format=form), options=options,
    )  # fmt: skip


@pytest.mark.parametrize("form, data", [("trec", TREC), ("jsonl", JSONL)])
def test_they_are_refused_with_their_count(
    form: str, data: bytes, study: Project, owner: Person
) -> None:
    with pytest.raises(ImportRefused) as refused:
        take(study, owner, data, form)
    told = " ".join(refused.value.problems.notes)
    assert "Hits whose document the corpus does not have: 1, of 1 unknown ids." in told
    assert "Rows whose request the project does not have: 1." in told
    assert "--allow-unknown" in told and not UploadedRun.objects.exists()


@pytest.mark.parametrize("form, data", [("trec", TREC), ("jsonl", JSONL)])
def test_where_allowed_they_are_left_out_and_counted(
    form: str, data: bytes, study: Project, owner: Person
) -> None:
    report = take(study, owner, data, form, allow_unknown="on", missing_not_run="on")
    kept = UploadedRun.objects.get().content
    assert [(hit["id"], hit["rank"]) for hit in kept["hits"]] == [("d1", 2)]
    told = " ".join(report.notes)
    assert "1 unknown ids. They are left out; the hits below them keep their order and move up" in (
        told
    )
    assert "Rows whose request the project does not have: 1. They are left out." in report.notes


def test_citations_of_unknown_documents_are_left_out_too(study: Project, owner: Person) -> None:
    take(study, owner, JSONL, allow_unknown="on")
    assert UploadedRun.objects.get().content["citations"] == ["d1"]


def test_requests_that_a_trec_run_leaves_out_may_be_not_run(study: Project, owner: Person) -> None:
    report = take(study, owner, b"a Q0 d1 1 9 t\n", "trec", missing_not_run="on")
    assert UploadedRun.objects.count() == 1
    assert "Requests that the file leaves out, counted as not run: 2." in report.notes


def test_the_command_takes_the_flag_and_says_what_it_would_do(
    study: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "run.jsonl"
    file.write_bytes(JSONL)
    asked: list[Any] = ["import_run", "study", file, "--arm", "cand", "--dry-run", "--json"]
    with pytest.raises(CommandError):
        call_command(*asked)
    refused = json.loads(capsys.readouterr().out)
    assert (refused["refused"], refused["written"], refused["faults"]) == (True, 0, 3)
    call_command(*asked, "--allow-unknown")
    report = json.loads(capsys.readouterr().out)
    assert (report["rows"], report["written"], report["dry_run"]) == (2, 0, True)
    assert not UploadedRun.objects.exists()
