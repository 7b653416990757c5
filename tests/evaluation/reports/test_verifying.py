"""A report is computed again from its own rows: whatever was changed in it is found and named."""

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.canonical import content_hash
from annotation.models import Person, Project
from evaluation.models import Arm, Run, StageResult, Verdict
from evaluation.reports.exports.as_json import json_pieces, report_json
from evaluation.reports.exports.verifying import verify_file
from evaluation.runs.code import code_sha256
from evaluation.scoring.recomputing import computed_elsewhere, recompute
from evaluation.scoring.report_differences import Unreadable
from evaluation.scoring.report_form import NOT_CHECKED
from evaluation.scoring.result import unmeasured
from tests.evaluation.runs.pair_study import CONTROLS, SWAPPED
from tests.evaluation.runs.small_study import take_in
from tests.evaluation.views.worlds import run_with

Report = dict[str, Any]


@pytest.fixture
def report(run: Run) -> Report:
    read: Report = json.loads("".join(json_pieces(run)))
    return read


def paths(report: Report) -> list[str]:
    return [difference.path for difference in recompute(report)]


def verify(*args: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    try:
        call_command("report", *args, stdout=out, stderr=err)
    except SystemExit as ended:
        return int(str(ended.code)), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def case_of(report: Report, arm: str, request: str) -> dict[str, Any]:
    rows = [row for row in report["rows"]["cases"]]
    return next(
        row for row in rows if (row["outcome"]["arm"], row["outcome"]["request"]) == (arm, request)
    )


def test_an_export_agrees_with_its_rows(report: Report) -> None:
    assert recompute(report) == ()


def test_so_does_one_with_failed_pairs_and_rejected_controls(
    study: Project, engineer: Person
) -> None:
    take_in(study, "twins", CONTROLS)
    run = run_with(engineer, study, {"cand": SWAPPED}, judging="human_for_critical")
    report = json.loads("".join(json_pieces(run)))
    assert report["result"]["controls"]["judged"] and report["result"]["pairs"]
    assert recompute(report) == ()


def test_a_changed_judgement_is_found(report: Report) -> None:
    case = case_of(report, "cand", "a")
    lost = next(j for j in case["outcome"]["judgements"] if j["judgement"] == "altered")
    lost["judgement"] = "stated"
    found = paths(report)
    assert any(path.startswith("result.scorecard.arms[cand/all].scores.") for path in found)
    assert "verdicts[cand/dated-fact].inputs_sha256" in found


def test_a_changed_p_value_is_found_and_both_numbers_are_said(report: Report) -> None:
    row = next(r for r in report["result"]["scorecard"]["differences"] if r["scope"] == "all")
    row["answers"]["test"]["value"] = 0.04
    found = {d.path: d for d in recompute(report)}
    path = "result.scorecard.differences[cand/all].answers.test.value"
    assert str(found[path]) == f"{path}: the report states 0.04, its rows give 1.0."
    assert "result_sha256" in found


def test_a_missing_row_is_found_and_named(report: Report) -> None:
    report["rows"]["cases"].remove(case_of(report, "cand", "c"))
    assert "rows.cases: c under cand" in paths(report)


def test_a_row_that_stands_twice_is_found(report: Report) -> None:
    report["rows"]["cases"].append(case_of(report, "cand", "c"))
    assert "rows.cases: c under cand" in paths(report)


def test_a_changed_latency_is_found_although_no_hash_is_over_it(report: Report) -> None:
    row = next(r for r in report["result"]["scorecard"]["arms"] if r["scope"] == "all")
    row["measured"]["latency_ms"]["value"] = 1.5
    assert any(path.endswith("measured.latency_ms.value") for path in paths(report))


def _verdict(report: Report) -> None:
    report["verdicts"][0]["outcome"] = "clarify"


def _ceiling(report: Report) -> None:
    report["protocol"]["content"]["classes"]["*"]["completeness_floor"] = 0.1


def _condition(report: Report) -> None:
    report["conditions"]["content"]["k"] = 9


def _judge(report: Report) -> None:
    case_of(report, "original", "a")["judged"][0]["label"] = "dropped"


def _stage(report: Report) -> None:
    case_of(report, "cand", "a")["first_lost"]["stage"] = "generation"


def _twin(report: Report) -> None:
    report["rows"]["twins"] = []


def _gone(report: Report) -> None:
    report["verdicts"].pop()


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (_verdict, "verdicts[cand/dated-fact].outcome"),
        (_ceiling, "protocol.sha256"),
        (_condition, "conditions.sha256"),
        (_judge, "rows.cases[original/a].judged.c1"),
        (_stage, "rows.cases[cand/a].first_lost.stage"),
        (_twin, "result.pairs"),
        (_gone, "verdicts[cand/follow-up]"),
    ],
)
def test_whatever_was_changed_is_found(
    change: Callable[[Report], None], path: str, report: Report
) -> None:
    change(report)
    assert any(found.startswith(path) for found in paths(report))


def test_hashes_that_were_made_to_fit_do_not_help(report: Report) -> None:
    row = next(r for r in report["result"]["scorecard"]["arms"] if r["arm"] == "cand")
    row["scores"]["critical_completeness"]["estimate"]["value"] = 1.0
    report["result_sha256"] = content_hash(unmeasured(report["result"]))
    assert paths(report) == [
        "result.scorecard.arms[cand/all].scores.critical_completeness.estimate.value"
    ]


def test_rounding_of_the_last_digit_is_no_difference(report: Report) -> None:
    row = next(r for r in report["result"]["scorecard"]["arms"] if r["arm"] == "cand")
    estimate = row["scores"]["constraint_preservation"]["estimate"]
    estimate["value"] *= 1 + 1e-15
    assert [path for path in paths(report) if path != "result_sha256"] == []


def test_a_row_without_sense_is_named(report: Report) -> None:
    report["rows"]["cases"][2]["outcome"]["status"] = "fine"
    with pytest.raises(Unreadable, match=r"rows\.cases, row 3: .*status 'fine' is unknown"):
        recompute(report)


@pytest.mark.parametrize("report", [[], {}, {"schema": "report/1"}, {"schema": "report/2"}])
def test_what_is_no_report_is_refused_with_a_sentence(report: Any) -> None:
    with pytest.raises(Unreadable, match=r"\.$"):
        recompute(report)


def test_a_report_of_other_code_says_so(report: Report) -> None:
    assert computed_elsewhere(report, code_sha256()) == ""
    assert "a difference may come from that" in computed_elsewhere(report, "0" * 64)


def test_the_document_is_the_same_each_time_and_however_it_is_read(run: Run) -> None:
    text = "".join(json_pieces(run))
    assert text == "".join(json_pieces(run))
    assert json.loads(text) == json.loads(json.dumps(report_json(run)))


def test_a_file_is_verified_without_the_database(
    run: Run, tmp_path: Path, django_assert_num_queries: Any
) -> None:
    file = tmp_path / "r.json"
    file.write_text("".join(json_pieces(run)), encoding="utf-8")
    with django_assert_num_queries(0):
        found = verify_file(file)
    assert (found.cases, found.verdicts, found.differences) == (9, 2, ())


def test_a_file_that_was_laid_out_anew_is_read_too(report: Report, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    file.write_text(json.dumps(report), encoding="utf-8")
    assert verify_file(file).differences == ()


def test_the_command_says_what_was_computed_and_exits_with_0(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    call_command("report", "study/1", "--output", str(file), stdout=StringIO())
    assert verify("--verify", str(file)) == (
        0,
        f"Not checked, because the file says it once: {'; '.join(NOT_CHECKED)}.\n"
        "r.json: 9 cases and 2 verdicts were computed again from the rows; everything agrees.\n",
        "",
    )


def test_the_command_exits_with_1_where_a_figure_was_changed(
    report: Report, tmp_path: Path
) -> None:
    file = tmp_path / "r.json"
    _stage(report)
    file.write_text(json.dumps(report), encoding="utf-8")
    code, out, _err = verify("--verify", str(file))
    assert code == 1
    assert out.startswith('rows.cases[cand/a].first_lost.stage: the report states "generation"')
    assert out.endswith("1 place differs.\n")


@pytest.mark.parametrize(
    "text", [None, "{", '{"schema": "report/1"}', '{"a": 1, "a": 2}', "[" * 9999]
)
def test_the_command_exits_with_3_where_there_is_nothing_to_read(
    text: str | None, tmp_path: Path
) -> None:
    file = tmp_path / "r.json"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    code, out, err = verify("--verify", str(file))
    assert (code, out) == (3, "") and err.endswith(".\n")


def test_something_behind_the_last_case_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    file.write_text("".join(json_pieces(run)) + "{}", encoding="utf-8")
    assert verify("--verify", str(file))[0] == 3


def test_a_run_is_verified_from_its_rows(run: Run) -> None:
    assert verify("study/1", "--verify")[0] == 0


def test_a_stored_result_that_its_rows_do_not_give_is_found(run: Run) -> None:
    result = run.result or {}
    result["stages"]["cand"]["none"] = 7
    Run.objects.filter(pk=run.pk).update(result=result)
    code, out, _err = verify("study/1", "--verify")
    assert code == 1 and "result.stages.cand.none: the report states 7" in out


def test_a_case_whose_stages_give_another_score_is_found(run: Run) -> None:
    stage = StageResult.objects.get(
        case__run=run, case__arm__name="cand", case__request__key="c", stage="answer"
    )
    StageResult.objects.filter(pk=stage.pk).update(
        content={**stage.content, "answer": "The Ministry of Trains"}
    )
    code, out, _err = verify("study/1", "--verify")
    assert code == 1 and "case c under cand.outcome.answer_text: the report states" in out


def test_arms_of_a_run_that_the_ledger_does_not_have_are_found(run: Run) -> None:
    content = {**run.arm_content, "cand": {**run.arm_content["cand"], "rewrites": "0" * 64}}
    Run.objects.filter(pk=run.pk).update(arm_content=content)
    code, out, _err = verify("study/1", "--verify")
    assert code == 1 and "arms.cand.rewrites: the report states" in out
    assert "ledger.arms: the report states" in out and "the ledger has" in out


def test_a_verdict_word_that_the_ledger_does_not_have_is_found(run: Run) -> None:
    Verdict.objects.filter(run=run, request_class__name="dated-fact").update(outcome="clarify")
    code, out, _err = verify("study/1", "--verify")
    assert code == 1 and "ledger.verdicts.cand/dated-fact: the report states" in out


def test_an_arm_that_the_project_calls_a_reference_is_found(run: Run) -> None:
    Arm.objects.filter(project=run.project, name="cand").update(source=Arm.Source.HUMAN)
    code, out, _err = verify("study/1", "--verify")
    assert code == 1 and "arms.source.cand: the report states" in out


@pytest.mark.parametrize("args", [["--verify"], ["study/1", "--verify", "f.json"], ["study/1"]])
def test_a_call_without_what_it_needs_is_refused_with_a_sentence(args: list[str], run: Run) -> None:
    with pytest.raises(CommandError, match=r"Name "):
        call_command("report", *args, stdout=StringIO())
