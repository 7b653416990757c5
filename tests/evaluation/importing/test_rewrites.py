import pytest

from annotation.importing.problems import ImportRefused
from annotation.models import Project
from evaluation.models import Arm, UploadedRewrite
from tests.evaluation.runs.small_study import take_in, upload


def refusal(project: Project, *rows: dict, arm: str = "cand") -> list[tuple[int | None, str, str]]:
    """Import the rows, which must be refused; return row, column and code of each fault."""
    with pytest.raises(ImportRefused) as refused:
        take_in(project, "rewrites", rows, arm)
    assert not UploadedRewrite.objects.exists()
    return [(p.row, p.column, p.code) for p in refused.value.problems.shown]


def line(**changed: object) -> dict:
    return {"request": "a", "kind": "standalone", "queries": ["q"], **changed}


def test_rewrites_make_an_uploaded_arm(study: Project) -> None:
    upload(study, "cand", {"a": "Alder Foods"})
    arm = study.arms.get(name="cand")
    assert arm.source == Arm.Source.UPLOADED
    assert arm.uploaded_rewrites.get().content["queries"] == ["Alder Foods"]


def test_rewrites_of_a_request_without_a_contract_are_refused(study: Project) -> None:
    assert refusal(study, line(), line(request="open")) == [(2, "request", "no_contract")]


def test_a_second_rewrite_of_a_request_is_refused(study: Project) -> None:
    assert refusal(study, line(), line()) == [(2, "request", "duplicate_id")]


def test_a_file_may_add_the_rewrites_that_an_arm_lacks(study: Project) -> None:
    upload(study, "cand", {"a": "x"})
    upload(study, "cand", {"b": "y"})
    assert study.arms.get(name="cand").uploaded_rewrites.count() == 2


@pytest.mark.parametrize("arm", ["original", "human", ""])
def test_a_reserved_or_missing_arm_is_refused(study: Project, arm: str) -> None:
    assert refusal(study, line(), arm=arm) == [(None, "", "bad_arm")]


def test_an_arm_that_runs_here_takes_no_rewrites(study: Project) -> None:
    Arm.objects.create(project=study, name="cand", source="engine", rewriter="keywords")
    assert refusal(study, line()) == [(None, "", "bad_arm")]


def test_an_unknown_request_is_refused(study: Project) -> None:
    assert refusal(study, line(request="nobody")) == [(1, "request", "unknown_request")]


def test_a_rewrite_without_query_and_clarification_is_refused(study: Project) -> None:
    assert refusal(study, line(queries=[])) == [(1, "queries", "missing")]


def test_a_clarification_needs_no_query(study: Project) -> None:
    row = {"request": "a", "kind": "clarification", "clarification": "Which year?"}
    take_in(study, "rewrites", [row], "cand")
    assert UploadedRewrite.objects.get().content["queries"] == []


def test_an_error_needs_no_query(study: Project) -> None:
    take_in(study, "rewrites", [{"request": "a", "kind": "error"}], "cand")
    assert UploadedRewrite.objects.get().content["kind"] == "error"


def test_a_kind_that_nobody_knows_is_refused(study: Project) -> None:
    found = refusal(study, line(kind="summary"))
    assert [(row, column) for row, column, _code in found] == [(1, "kind")]


def test_the_ledger_has_the_hash_of_what_came(study: Project) -> None:
    upload(study, "cand", {"a": "x"})
    entry = study.ledger.get(kind="rewrites.imported")
    assert (entry.subject, entry.content["rows"]) == ("arm cand", 1)


def test_a_retrieval_project_takes_rewrites_without_contracts(study: Project) -> None:
    study.purpose = Project.Purpose.RETRIEVAL
    study.save()
    upload(study, "cand", {"open": "Lark Bakery"})
    assert UploadedRewrite.objects.count() == 1


def test_a_rewriter_that_fell_back_says_what_was_searched(study: Project) -> None:
    assert refusal(study, line(queries=[], fell_back=True)) == [(1, "queries", "missing")]
    take_in(study, "rewrites", [line(queries=["the original"], fell_back=True)], "cand")
    kept = UploadedRewrite.objects.get().content
    assert (kept["kind"], kept["fell_back"]) == ("unchanged", True)
