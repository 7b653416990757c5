"""D51–D54: a TREC run as a logged run of an arm."""

from typing import Any

import pytest
from django.core.management import call_command

from annotation.importing.mapping import Reading
from annotation.importing.problems import ImportRefused, Problems
from annotation.models import Person, Project
from annotation.services.imports import ImportReport, import_file
from evaluation.importing.trec import trec_rows
from evaluation.models import UploadedRun

RUN = b"a Q0 d1 1 9.5 bm25\na Q0 d2 2 9.1 bm25\nb Q0 d2 1 3 bm25\n"


def take(project: Project, owner: Person, data: bytes) -> ImportReport:
    return import_file(
        actor=owner, project=project, kind="run", filename="bm25.run", data=data, target="cand",
        reading=Reading(format="trec"),
    )  # fmt: skip


def faults(data: bytes) -> list[tuple[int | None, str]]:
    problems = Problems("bm25.run")
    list(trec_rows(data, problems))
    return [(p.row, p.code) for p in problems.shown]


def hits(request: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = UploadedRun.objects.get(request__key=request).content["hits"]
    return found


def test_a_run_comes_in_as_the_hits_of_its_requests(study: Project, owner: Person) -> None:
    take(study, owner, RUN)
    assert [(h["id"], h["rank"], h["score"]) for h in hits("a")] == [("d1", 1, 9.5), ("d2", 2, 9.1)]


def test_the_order_is_that_of_the_scores_whatever_lines_and_ranks_say() -> None:
    data = b"a Q0 d1 1 1.0 t\na Q0 d2 2 2.0 t\n"
    (row,) = trec_rows(data, Problems("f"))
    assert [h["id"] for h in row.values["hits"]] == ["d2", "d1"]


def test_d52_ties_are_ordered_as_trec_eval_orders_them_with_a_warning() -> None:
    """trec_eval sorts by score, then by document id, both descending (form_res_rels.c)."""
    problems = Problems("f")
    data = b"a Q0 d1 1 2.0 t\na Q0 d9 2 2.0 t\na Q0 d3 3 5 t\n"
    (row,) = trec_rows(data, problems)
    assert [h["id"] for h in row.values["hits"]] == ["d3", "d9", "d1"]
    assert [w.code for w in problems.warnings] == ["tied_score"]


def test_d51_tabs_and_blanks_part_the_columns() -> None:
    assert faults(b"a\tQ0\td1\t1\t9.5\tt\n\na  Q0  d2  2  9  t\n") == []


BAD = [
    pytest.param(b"a Q0 d1 1 9.5", "column_count", id="D51-5-columns"),
    pytest.param(b"a Q0 d1 1 9.5 t x", "column_count", id="D51-7-columns"),
    pytest.param(b"a Q0 d1 first 9.5 t", "bad_rank", id="D51-rank"),
    pytest.param(b"a Q0 d1 -1 9.5 t", "bad_rank", id="D51-negative-rank"),
    pytest.param(b"a Q0 d1 1 high t", "bad_score", id="D51-score"),
    pytest.param(b"a Q0 d1 1 9,5 t", "bad_score", id="D48-decimal-comma"),
    pytest.param(b"a Q0 d1 1 NaN t", "bad_score", id="D51-nan"),
    pytest.param(b"a Q0 d1 1 inf t", "bad_score", id="D51-inf"),
    pytest.param(b"a Q0 d1 1 1e999 t", "bad_score", id="D51-1e999"),
    pytest.param("a Q0 d1 1 ٣ t".encode(), "bad_score", id="D19-other-digits"),
    pytest.param(b"a Q0 d\xe9 1 1 t", "encoding", id="D3-byte"),
    pytest.param(b"a Q0 d0 1 1 t", "duplicate_hit", id="D53-twice"),
]


@pytest.mark.parametrize("line, code", BAD)
def test_a_bad_line_is_told_with_its_number(line: bytes, code: str) -> None:
    assert faults(b"a Q0 d0 1 10 t\n" + line + b"\n") == [(2, code)]


def test_d57_an_unknown_document_is_told_with_its_own_line(study: Project, owner: Person) -> None:
    with pytest.raises(ImportRefused) as refused:
        take(study, owner, b"a Q0 d1 1 9 t\na Q0 d77 2 8 t\n")
    assert [(p.row, p.code) for p in refused.value.problems.shown] == [(2, "unknown_document")]


def test_d54_a_query_that_nobody_asked_is_refused(study: Project, owner: Person) -> None:
    with pytest.raises(ImportRefused) as refused:
        take(study, owner, b"zz Q0 d1 1 9 t\n")
    assert [(p.row, p.code) for p in refused.value.problems.shown] == [(1, "unknown_request")]


def test_d54_requests_that_the_run_lacks_come_in_empty_and_are_counted(
    study: Project, owner: Person
) -> None:
    report = take(study, owner, b"a Q0 d1 1 9 t\n")
    assert hits("b") == [] and hits("c") == []
    assert any(note.startswith("2 requests are not in the run") for note in report.notes)


def test_d54_requests_without_evidence_are_counted(study: Project, owner: Person) -> None:
    study.requests.filter(key="a").update(evidence=None)
    report = take(study, owner, RUN)
    assert any("1 of 2 requests have no evidence recorded" in note for note in report.notes)


def test_the_command_reads_a_trec_run(study: Project, tmp_path: Any) -> None:
    file = tmp_path / "bm25.run"
    file.write_bytes(RUN)
    call_command("import_run", "study", file, "--arm", "cand", "--format", "trec")
    assert len(hits("a")) == 2


def test_without_the_format_a_trec_run_is_told_how_to_come_in(
    study: Project, owner: Person
) -> None:
    with pytest.raises(ImportRefused, match="--format trec"):
        import_file(actor=owner, project=study, kind="run", filename="r", data=RUN, target="cand")


def test_requests_that_the_run_leaves_out_are_no_rows_of_the_file(
    study: Project, owner: Person
) -> None:
    report = take(study, owner, b"a Q0 d1 1 9 t\n")
    assert (report.rows, report.written) == (1, 1)
    assert UploadedRun.objects.count() == 3
