"""Rows that are inserted together are as Django would have written them."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Person, Project
from evaluation.models import Call, Case, StageResult
from evaluation.models.inserting import insert
from tests.evaluation.runs.small_study import begin


def test_columns_that_are_not_given_have_their_defaults(study: Project, engineer: Person) -> None:
    run = begin(engineer, study, ["original"])
    case = run.cases.first()
    insert(StageResult, [(case.pk, "rewrite", {"a": "ä"})], names=("case_id", "stage", "content"))
    row = StageResult.objects.get(case=case)
    assert (row.content, row.taken_from) == ({"a": "ä"}, None)
    assert abs((row.created_at - run.created_at).total_seconds()) < 60


def test_none_in_a_json_column_is_null_and_can_be_asked_for(
    study: Project, engineer: Person
) -> None:
    run = begin(engineer, study, ["original"])
    same = {"run": run, "worker": "w1", "leased_until": run.created_at}
    insert(Call, [("a" * 64, None), ("b" * 64, {"body": 1})], names=("key", "reply"), **same)
    assert Call.objects.filter(reply__isnull=True).get().key == "a" * 64


def test_a_conflict_leaves_the_row_that_was_first(study: Project, engineer: Person) -> None:
    case = begin(engineer, study, ["original"]).cases.first()
    names = ("case_id", "stage", "content")
    insert(StageResult, [(case.pk, "rewrite", {"n": 1})], names=names)
    rows = [(case.pk, "rewrite", {"n": 2}), (case.pk, "retrieve", {"n": 3})]
    insert(StageResult, rows, names=names, on_conflict="DO NOTHING")
    assert [row.content["n"] for row in StageResult.objects.order_by("pk")] == [1, 3]


def test_no_row_is_no_statement(db: None) -> None:
    with CaptureQueriesContext(
        connection,
    ) as asked:
        insert(Case, [], names=("arm_id",))
    assert len(asked) == 0
