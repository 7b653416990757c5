import pytest

from annotation.importing.problems import ImportRefused
from annotation.models import Project
from annotation.services.imports import import_file
from evaluation.models import UploadedRun
from tests.evaluation.runs.small_study import take_in

HIT = {"id": "d1", "rank": 1, "score": 2.0}


def line(**changed: object) -> dict:
    return {"request": "a", "hits": [HIT], "answer": "EUR 10 million", **changed}


def refusal(project: Project, *rows: dict) -> list[tuple[int | None, str, str]]:
    """Import the rows, which must be refused; return row, column and code of each fault."""
    with pytest.raises(ImportRefused) as refused:
        take_in(project, "run", rows, "cand")
    assert not UploadedRun.objects.exists()
    return [(p.row, p.column, p.code) for p in refused.value.problems.shown]


def test_hits_are_stored_in_the_order_of_their_ranks(study: Project) -> None:
    hits = [{"id": "d2", "rank": 2, "score": 1}, HIT]
    take_in(study, "run", [line(hits=hits)], "cand")
    assert [hit["id"] for hit in UploadedRun.objects.get().content["hits"]] == ["d1", "d2"]


def test_a_logged_run_of_a_request_without_a_contract_is_refused(study: Project) -> None:
    assert refusal(study, line(request="open")) == [(1, "request", "no_contract")]


def test_a_second_row_for_a_request_is_refused(study: Project) -> None:
    assert refusal(study, line(), line()) == [(2, "request", "duplicate_id")]


@pytest.mark.parametrize(
    ("hit", "code"),
    [
        ({**HIT, "id": "d99"}, "unknown_document"),
        ({**HIT, "id": 7}, "unknown_document"),
        ({**HIT, "rank": 0}, "bad_rank"),
        ({**HIT, "rank": True}, "bad_rank"),
        ({**HIT, "score": "high"}, "bad_score"),
        ({**HIT, "score": None}, "bad_score"),
    ],
)
def test_a_hit_that_cannot_be_one_is_refused(study: Project, hit: dict, code: str) -> None:
    assert refusal(study, line(hits=[hit])) == [(1, "hits", code)]


def test_a_document_that_stands_twice_is_refused(study: Project) -> None:
    assert refusal(study, line(hits=[HIT, {**HIT, "rank": 2}])) == [(1, "hits", "duplicate_hit")]


@pytest.mark.parametrize("query", ["first", [1], True, -1])
def test_a_sub_query_number_that_is_none_is_refused(study: Project, query: object) -> None:
    assert refusal(study, line(hits=[{**HIT, "query": query}])) == [(1, "hits", "bad_query")]


def test_the_lists_that_a_fused_hit_stood_in_are_kept(study: Project) -> None:
    found = [{"query": 0, "rank": 3, "by": "bm25"}, {"query": 1, "rank": 1}]
    take_in(study, "run", [line(hits=[{**HIT, "found": found}])], "cand")
    assert UploadedRun.objects.get().content["hits"] == [{**HIT, "query": 0, "found": found}]


@pytest.mark.parametrize(
    "found", ["bm25", [1], [{}], [{"query": 0, "rank": 0}], [{"query": 0, "rank": 1, "x": 2}]]
)
def test_lists_that_are_none_are_refused(study: Project, found: object) -> None:
    assert refusal(study, line(hits=[{**HIT, "found": found}])) == [(1, "hits", "bad_found")]


def test_equal_ranks_of_two_sub_queries_are_ordered_by_id(study: Project) -> None:
    hits = [{"id": "d2", "rank": 1, "score": 9, "query": 1}, HIT]
    take_in(study, "run", [line(hits=hits)], "cand")
    assert [hit["id"] for hit in UploadedRun.objects.get().content["hits"]] == ["d2", "d1"]


def content(project: Project, **changed: object) -> dict:
    """Import one line; return what was kept of it."""
    take_in(project, "run", [line(**changed)], "cand")
    return dict(UploadedRun.objects.get().content)


def test_one_file_may_have_the_queries_too(study: Project) -> None:
    kept = content(study, queries=["p", "q"], filters={"year": "2022"})
    assert (kept["kind"], kept["queries"], kept["filters"]) == (
        "subqueries",
        ["p", "q"],
        {"year": "2022"},
    )


def test_the_kind_of_a_rewrite_may_be_named(study: Project) -> None:
    assert content(study, kind="expansion", queries=["p"])["kind"] == "expansion"


def test_no_answer_is_told_from_an_abstention(study: Project) -> None:
    rows = [{"request": "a", "hits": [HIT]}, line(request="b", answer=None)]
    take_in(study, "run", rows, "cand")
    kept = {row.request.key: row.content for row in UploadedRun.objects.all()}
    assert "answer" not in kept["a"] and kept["b"]["answer"] is None


def test_hits_that_were_not_logged_are_told_from_none_found(study: Project) -> None:
    rows = [{"request": "a", "answer": "x"}, {"request": "b", "hits": [], "answer": "x"}]
    take_in(study, "run", rows, "cand")
    kept = {row.request.key: row.content for row in UploadedRun.objects.all()}
    assert "hits" not in kept["a"] and kept["b"]["hits"] == []


def test_what_it_took_is_kept(study: Project) -> None:
    took = {"latency_ms": 9, "tokens": {"in": 5, "out": 1}, "cost_usd": 0.1, "calls": 2}
    assert {
        name: content_ for name, content_ in content(study, **took).items() if name in took
    } == took


def test_a_failure_keeps_its_status_and_its_words(study: Project) -> None:
    row = {"request": "a", "status": "timed_out", "error": "no reply in 30 s"}
    take_in(study, "run", [row], "cand")
    kept = UploadedRun.objects.get().content
    assert (kept["status"], kept["error"]) == ("timed_out", "no reply in 30 s")


def test_an_error_without_a_status_is_the_provider_s(study: Project) -> None:
    take_in(study, "run", [{"request": "a", "error": "502"}], "cand")
    assert UploadedRun.objects.get().content["status"] == "provider_error"


FAULTS = [
    ({"answer": " "}, ("answer", "empty_text")),
    ({"status": "crashed"}, ("status", "unknown_value")),
    ({"status": "abstained"}, ("status", "contradiction")),
    ({"status": "ok", "answer": None}, ("status", "contradiction")),
    ({"status": "ok", "error": "502"}, ("status", "contradiction")),
    ({"citations": ["d2"]}, ("citations", "unknown_citation")),
    ({"citations": ["d77"]}, ("citations", "unknown_document")),
    ({"calls": 1.5}, ("calls", "bad_number")),
    ({"cost_usd": -1}, ("cost_usd", "bad_number")),
    ({"tokens": {"in": "7"}}, ("tokens", "bad_number")),
    ({"kind": "summary", "queries": ["q"]}, ("kind", "unknown_value")),
    ({"kind": "standalone"}, ("queries", "missing")),
    ({"filters": {"year": "2022"}}, ("filters", "missing")),
]


@pytest.mark.parametrize("changed, place", FAULTS)
def test_a_field_that_cannot_be_so_is_named_with_its_row(
    study: Project, changed: dict, place: tuple[str, str]
) -> None:
    assert refusal(study, line(), line(request="b", **changed)) == [(2, *place)]


def test_a_row_that_logs_nothing_is_refused(study: Project) -> None:
    assert refusal(study, {"request": "a", "latency_ms": 3}) == [(1, "", "nothing_logged")]


def test_a_document_that_is_cited_twice_is_kept_once(study: Project) -> None:
    assert content(study, citations=["d1", "d1"])["citations"] == ["d1"]


@pytest.mark.parametrize("first", ["rewrites", "run"])
def test_both_files_of_an_arm_must_name_the_same_queries(study: Project, first: str) -> None:
    rewrite = {"request": "a", "kind": "standalone", "queries": ["p"]}
    files = {"rewrites": rewrite, "run": line(queries=["q"])}
    take_in(study, first, [files.pop(first)], "cand")
    ((kind, row),) = files.items()
    with pytest.raises(ImportRefused) as refused:
        take_in(study, kind, [row], "cand")
    assert [(p.column, p.code) for p in refused.value.problems.shown] == [
        ("queries", "contradiction")
    ]


def test_both_files_of_an_arm_combine(study: Project) -> None:
    take_in(study, "rewrites", [{"request": "a", "kind": "standalone", "queries": ["q"]}], "cand")
    take_in(study, "run", [line(queries=["q"])], "cand")
    arm = study.arms.get(name="cand")
    assert (arm.uploaded_rewrites.count(), arm.uploaded_runs.count()) == (1, 1)


def test_what_is_logged_and_what_is_missing_is_counted(study: Project) -> None:
    failed = {"request": "c", "status": "timed_out"}
    report = take_in(study, "run", [line(queries=["q"]), line(request="b", answer=None)], "cand")
    assert report.notes[0].startswith(
        "Requests in the file: 2. Logged: hits of 2, queries of 1, answers of 2; abstained: 1."
    )
    assert "Requests that the file leaves out, counted as not run: 1." in report.notes
    assert report.notes[1].startswith("Hits in the longest list: 1. Freeze k = 1 ")
    report = take_in(study, "run", [failed], "cand")
    assert "Failed in the pipeline, counted and never scored: timed_out 1." in report.notes


def test_a_request_without_a_row_that_has_a_rewrite_is_searched_here(study: Project) -> None:
    take_in(study, "rewrites", [{"request": "b", "kind": "standalone", "queries": ["q"]}], "cand")
    report = take_in(study, "run", [line()], "cand")
    assert "Requests that the file leaves out, counted as not run: 1." in report.notes
    assert "Not in the file, but rewritten and so searched here: 1." in report.notes


def test_an_empty_cell_of_a_csv_is_not_logged_and_abstained_says_so(study: Project) -> None:
    hits = '"[{""id"": ""d1"", ""rank"": 1, ""score"": 2}]"'
    data = f"request,hits,answer,status,calls\na,{hits},,,2\nb,{hits},,abstained,\n".encode()
    owner = study.created_by
    import_file(
        actor=owner, project=study, kind="run", filename="run.csv", data=data, target="cand"
    )
    kept = {row.request.key: row.content for row in UploadedRun.objects.all()}
    assert "answer" not in kept["a"] and kept["a"]["calls"] == 2
    assert (kept["b"]["answer"], kept["b"]["status"]) == (None, "abstained")


def test_a_field_that_nothing_reads_is_named(study: Project) -> None:
    rows = [line(latency=120, metadata={"shard": 3}), line(request="b", latency=90)]
    report = take_in(study, "run", rows, "cand")
    assert "Fields that are not read, only kept as metadata: “latency” in 2." in report.notes


def test_a_hit_without_its_score_is_told_what_a_hit_needs(study: Project) -> None:
    with pytest.raises(ImportRefused) as refused:
        take_in(study, "run", [line(hits=[{"id": "d1", "rank": 1}])], "cand")
    (problem,) = refused.value.problems.shown
    assert problem.code == "bad_score"
    assert problem.message.startswith("hit 1: score missing: each hit needs its rank")


def test_a_logged_fallback_is_marked_and_is_no_rewrite(study: Project) -> None:
    row = line(queries=["And its revenue?"], kind="standalone", fell_back=True)
    report = take_in(study, "run", [row], "cand")
    kept = UploadedRun.objects.get().content
    assert (kept["kind"], kept["fell_back"], "metadata" in kept) == ("unchanged", True, False)
    assert any(note.startswith("Fell back to the original: 1 of 1.") for note in report.notes)


@pytest.mark.parametrize("word", ["yes", 1])
def test_a_fallback_is_true_or_false(study: Project, word: object) -> None:
    assert refusal(study, line(fell_back=word)) == [(1, "fell_back", "not_a_flag")]
