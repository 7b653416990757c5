"""A faulty file: every fault with its row and column, and nothing written."""

import pytest

from annotation.importing.problems import ImportRefused
from annotation.importing.requests import RequestsFile
from annotation.models import Corpus, Document, ImportRecord, Project, Request
from tests.annotation.conftest import DOCUMENTS, REQUESTS, Import

FAULTY = {
    "a duplicate id": ("requests", [*REQUESTS, REQUESTS[0]], (3, "id", "duplicate_id")),
    "a look-alike id": (
        "requests",
        [{**REQUESTS[0], "id": "RUN"}, {**REQUESTS[0], "id": "ＲＵＮ"}],
        (2, "id", "look_alike_id"),
    ),
    "an invisible character in an id": (
        "requests",
        [{**REQUESTS[0], "id": "r\u200b1"}],
        (1, "id", "bad_id"),
    ),
    "broken JSON on row 3": (
        "requests",
        b'{"id": "a", "class": "c", "text": "x"}\n\n{"id": \n',
        (3, "", "broken_json"),
    ),
    "a missing column": ("requests", [{"id": "a", "class": "c"}], (1, "text", "missing")),
    "an empty file": ("requests", b"", (None, "", "empty")),
    "a document without a text": (
        "corpus",
        [DOCUMENTS[0], {"_id": "e", "title": "x"}],
        (2, "text", "missing"),
    ),
    "a corpus without words": ("corpus", [{"_id": "e", "text": " "}], (None, "", "empty")),
    "evidence that names a missing document": (
        "requests",
        [{**REQUESTS[0], "evidence": [["d1"], ["d9"]]}],
        (1, "evidence", "unknown_document"),
    ),
    "an unknown request id": (
        "twins",
        [{"id": "t", "family": "date", "base": "r1", "twin": "r9", "constraint": "c1"}],
        (1, "twin", "unknown_request"),
    ),
    "an unknown speaker": (
        "requests",
        [{"id": "a", "class": "c", "text": "x", "turns": [{"role": "bot", "text": "y"}]}],
        (1, "turns", "unknown_role"),
    ),
    "a date that is none": (
        "requests",
        [{"id": "a", "class": "c", "text": "x", "reference_date": "30.6.2024"}],
        (1, "reference_date", "bad_date"),
    ),
    "bytes that are not UTF-8": ("corpus", b'{"_id": "a"}\n{"_id": "\xe9"}', (2, "", "encoding")),
    "a key that stands twice": (
        "requests",
        b'{"id": "a", "id": "b", "class": "c", "text": "x"}',
        (1, "id", "repeated_key"),
    ),
}


def stored() -> list[int]:
    return [m.objects.count() for m in (Corpus, Document, Request, ImportRecord)]


@pytest.mark.parametrize("case", FAULTY)
def test_a_fault_is_named_with_its_place_and_nothing_is_written(
    case: str, project: Project, take_in: Import
) -> None:
    kind, content, place = FAULTY[case]
    take_in("corpus", DOCUMENTS)
    before = [*stored(), project.ledger.count()]
    with pytest.raises(ImportRefused) as refused:
        take_in(kind, content)
    shown = refused.value.problems.shown
    assert place in [(p.row, p.column, p.code) for p in shown]
    assert all(p.message.endswith(".") and p.file for p in shown)
    assert [*stored(), project.ledger.count()] == before


def test_one_fault_in_the_last_row_keeps_the_good_rows_out_too(take_in: Import) -> None:
    with pytest.raises(ImportRefused):
        take_in("corpus", [*DOCUMENTS, {"_id": "d3"}])
    assert Document.objects.count() == 0


def test_evidence_without_a_corpus_says_to_import_the_corpus_first(take_in: Import) -> None:
    with pytest.raises(ImportRefused, match="import the corpus first"):
        take_in("requests", REQUESTS)


def test_an_id_of_an_earlier_file_is_refused(filled: Project, take_in: Import) -> None:
    with pytest.raises(ImportRefused, match="has a request “r1” already"):
        take_in("requests", [{**REQUESTS[0], "text": "Another text?"}])


def test_faults_stand_in_the_order_of_the_file(take_in: Import) -> None:
    with pytest.raises(ImportRefused) as refused:
        take_in("corpus", b'{"_id": "a"}\n{oops\n{"_id": "b"}')
    assert [p.row for p in refused.value.problems.shown] == [1, 2, 3]


def test_a_hundred_faults_are_shown_and_all_are_counted(take_in: Import) -> None:
    with pytest.raises(ImportRefused) as refused:
        take_in("corpus", [{"_id": str(n)} for n in range(130)])
    assert (len(refused.value.problems.shown), refused.value.problems.total) == (100, 130)


def test_a_semicolon_csv_is_told_apart(take_in: Import) -> None:
    with pytest.raises(ImportRefused, match="delimiter"):
        take_in("requests", b"id;class;text\na;c;x\n", "requests.csv")


def test_two_imports_at_once_refuse_the_second_with_a_sentence(
    take_in: Import, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in("corpus", DOCUMENTS)
    row = {"id": "r1", "class": "c", "text": "x"}
    real = RequestsFile.check

    def check_then_another_writes(self, project, rows, problems, target):  # type: ignore[no-untyped-def]
        parsed = real(self, project, rows, problems, target)
        monkeypatch.setattr(RequestsFile, "check", real)
        take_in("requests", [{**row, "text": "the other's"}])
        return parsed

    monkeypatch.setattr(RequestsFile, "check", check_then_another_writes)
    with pytest.raises(ImportRefused, match="import it again"):
        take_in("requests", [row])
    assert Request.objects.get().text == "the other's"
