"""D53–D58: a BEIR folder, read strictly, with everything that does not meet counted."""

import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.importing.problems import ImportRefused, Problem
from annotation.models import Corpus, Person, Project, Request
from annotation.services.imports import ImportReport, import_file
from tests.annotation.conftest import lines

CORPUS = [
    {"_id": "1", "title": "Harrow", "text": "Harrow Water serves two towns."},
    {"_id": "2", "title": "", "text": "Profit was 4 million.", "metadata": {"year": 2022}},
]
QUERIES = [{"_id": "1", "text": "What was the profit?"}, {"_id": "q2", "text": "Which towns?"}]
QRELS = [("1", "2", "1"), ("1", "1", "0"), ("q2", "1", "2")]

Take = Callable[..., ImportReport]


def qrels(rows: list[tuple[str, str, str]], header: str = "query-id\tcorpus-id\tscore") -> bytes:
    return "\n".join([header, *("\t".join(row) for row in rows), ""]).encode()


def files(**changed: bytes) -> dict[str, bytes]:
    whole = {"corpus": lines(CORPUS), "queries": lines(QUERIES), "test": qrels(QRELS), **changed}
    names = {"corpus": "corpus.jsonl", "queries": "queries.jsonl"}
    return {names.get(name, f"qrels/{name}.tsv"): data for name, data in whole.items()}


@pytest.fixture
def take(project: Project, owner: Person) -> Take:
    def taken(members: dict[str, bytes] | None = None, data: bytes = b"", **options: str) -> Any:
        return import_file(
            actor=owner,
            project=project,
            kind="beir",
            filename="scifact.zip",
            members=members,
            data=data,
            options=options,
        )

    return taken


@pytest.fixture
def refusal(take: Take) -> Callable[..., list[Problem]]:
    def refused(members: dict[str, bytes], **options: str) -> list[Problem]:
        with pytest.raises(ImportRefused) as found:
            take(members, **options)
        assert not Corpus.objects.exists() and not Request.objects.exists()
        return found.value.problems.shown

    return refused


def test_documents_queries_and_grades_come_in(take: Take) -> None:
    report = take(files())
    assert (report.rows, report.written) == (7, 4)
    first, second = Request.objects.order_by("key")
    assert (first.key, first.evidence, second.evidence) == ("1", [["2"]], [["1"]])
    assert first.request_class.name == "beir"
    assert Corpus.objects.get().documents.get(key="2").metadata == {"year": 2022}


def test_ids_of_queries_and_documents_are_apart(take: Take) -> None:
    """Query 1 and document 1 are two things, as in SciFact and NFCorpus."""
    take(files())
    assert Request.objects.filter(key="1").exists()
    assert Corpus.objects.get().documents.filter(key="1").exists()


@pytest.mark.parametrize("top", ["", "scifact/"])
def test_a_zip_of_the_folder_is_read(top: str, take: Take) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files().items():
            archive.writestr(top + name, data)
    assert take(None, out.getvalue()).written == 4


def test_a_tar_of_the_folder_is_read(take: Take) -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, data in files().items():
            info = tarfile.TarInfo(f"./scifact/{name}")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    assert take(None, out.getvalue()).written == 4


def test_the_same_folder_twice_changes_nothing(take: Take) -> None:
    take(files())
    assert take(files()).already_present


def test_a_folder_of_a_path_is_read_by_the_command(project: Project, tmp_path: Path) -> None:
    for name, data in files(dev=qrels([("q2", "2", "1")])).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    out = io.StringIO()
    arguments = ["--split", "dev", "--class", "fact"]
    call_command("import_beir", "study", tmp_path, *arguments, stdout=out, stderr=io.StringIO())
    asked = Request.objects.get()
    assert (asked.key, asked.request_class.name, asked.evidence) == ("q2", "fact", [["2"]])


def test_a_split_that_is_not_there_is_told_with_those_that_are(
    refusal: Callable[..., list[Problem]],
) -> None:
    (found,) = refusal(files(), split="dev")
    assert "qrels/dev.tsv" in found.message and "qrels/test.tsv" in found.message


def test_d54_queries_without_a_judgement_are_counted_and_stay_out(take: Take) -> None:
    report = take(files(test=qrels(QRELS[:1])))
    assert "1 of 2 queries have no judgement in qrels/test.tsv: they are left out." in report.notes
    assert Request.objects.get().key == "1"


def test_d55_a_query_without_a_relevant_document_has_no_evidence(take: Take) -> None:
    report = take(files(test=qrels([("1", "2", "0"), ("q2", "1", "1")])))
    assert Request.objects.get(key="1").evidence is None
    assert report.notes[0].startswith("1 of 2 queries have no document of grade 1 or more")


BAD = [
    pytest.param({"corpus": lines([{"text": "x"}])}, "corpus.jsonl", 1, "missing", id="D56-no-id"),
    pytest.param(
        {"corpus": lines([{"_id": 7, "text": "x"}])}, "corpus.jsonl", 1, "id_not_text",
        id="D56-numeric-id",
    ),
    pytest.param(
        {"queries": lines([{"_id": 7, "text": "x"}])}, "queries.jsonl", 1, "id_not_text",
        id="D56-numeric-query",
    ),
    pytest.param(
        {"test": qrels([*QRELS, QRELS[0]])}, "qrels/test.tsv", 5, "duplicate_qrel",
        id="D53-duplicate-qrel",
    ),
    pytest.param(
        {"test": qrels([("1", "9", "1")])}, "qrels/test.tsv", 2, "unknown_document",
        id="D57-document",
    ),
    pytest.param(
        {"test": qrels([("q9", "1", "1")])}, "qrels/test.tsv", 2, "unknown_query", id="D57-query"
    ),
    pytest.param(
        {"test": qrels([], header="1\t2\t1")}, "qrels/test.tsv", 1, "no_header", id="D58-no-header"
    ),
    pytest.param(
        {"test": qrels([("1", "2", "high")])}, "qrels/test.tsv", 2, "bad_grade", id="D58-no-number"
    ),
    pytest.param(
        {"test": qrels([("1", "2", "1", "x")])}, "qrels/test.tsv", 2, "cell_count",  # type: ignore[list-item]
        id="D23-four-cells",
    ),
]  # fmt: skip


@pytest.mark.parametrize("changed, file, row, code", BAD)
def test_what_is_broken_is_told_with_its_file_and_row(
    changed: dict[str, bytes], file: str, row: int, code: str, refusal: Callable[..., list[Problem]]
) -> None:
    assert (file, row, code) in [(p.file, p.row, p.code) for p in refusal(files(**changed))]


def test_d56_a_document_without_text_is_read_by_its_title_with_a_warning(take: Take) -> None:
    report = take(files(corpus=lines([*CORPUS, {"_id": "3", "title": "Only", "text": ""}])))
    assert Corpus.objects.get().documents.get(key="3").text == "Only"
    assert [(w.file, w.row, w.code) for w in report.warnings] == [("corpus.jsonl", 3, "empty_text")]


def test_d56_a_document_without_words_is_left_out_with_a_warning(take: Take) -> None:
    report = take(files(corpus=lines([*CORPUS, {"_id": "3", "title": "", "text": " "}])))
    assert report.warned == 1 and Corpus.objects.get().document_count == 2


def test_d57_missing_documents_are_counted_and_may_be_allowed(take: Take) -> None:
    report = take(
        files(test=qrels([*QRELS, ("1", "9", "1"), ("q9", "1", "1")])), allow_missing="on"
    )
    assert report.notes[0].startswith("1 of 5 judgements name a document, and 1 a query")
    assert Request.objects.get(key="1").evidence == [["2"]]


def test_d58_negative_grades_are_no_evidence(take: Take) -> None:
    take(files(test=qrels([("1", "2", "-1"), ("1", "1", "1")])))
    assert Request.objects.get().evidence == [["1"]]


def test_the_command_says_what_to_do_about_missing_documents(
    project: Project, tmp_path: Path
) -> None:
    for name, data in files(test=qrels([("1", "9", "1")])).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    with pytest.raises(CommandError, match="1 of 1 judgements name a document"):
        call_command("import_beir", "study", tmp_path)
