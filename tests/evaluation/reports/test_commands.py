"""gate, report, judge and the two imports, as a pipeline calls them."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.exporting.cells import harmless
from annotation.models import Person, Project
from contracts.models import Contract
from evaluation.models import Run, UploadedRun, Verdict
from tests.evaluation.runs.small_study import CONTRACTS, REQUESTS, begin, register
from tests.evaluation.services.test_extending import bring


def gate(*args: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("gate", *args, stdout=out, stderr=err)
    return int(str(ended.value.code)), out.getvalue(), err.getvalue()


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        (("release", "release"), 0),
        (("release", "fallback"), 1),
        (("not_assessable", "clarify"), 1),
        (("release", "clarify"), 2),
    ],
)
def test_the_gate_exits_as_the_stored_verdicts_say(
    outcomes: tuple[str, str], code: int, run: Run
) -> None:
    for verdict, outcome in zip(Verdict.objects.current(run), outcomes, strict=True):
        Verdict.objects.filter(pk=verdict.pk).update(outcome=outcome)
    assert gate("study/1")[0] == code


def test_the_gate_prints_a_line_for_each_class(run: Run) -> None:
    lines = gate("1", "--project", "study")[1].splitlines()
    sentences = [v.content["sentence"] for v in Verdict.objects.current(run)]
    assert lines == [f"cand: {sentence}" for sentence in sentences]


def test_the_gate_s_json_holds_the_verdicts(run: Run) -> None:
    told = json.loads(gate(f"id:{run.pk}", "--json", "--arm", "cand")[1])
    assert (told["exit_code"], [v["request_class"] for v in told["verdicts"]]) == (
        0, ["dated-fact", "follow-up"],
    )  # fmt: skip


@pytest.mark.parametrize("args", [["study/9"], ["other/1"], ["x"], ["study/1", "--arm", "human"]])
def test_a_run_or_arm_that_is_unknown_is_3_with_a_sentence(args: list[str], run: Run) -> None:
    code, _out, err = gate(*args)
    assert code == 3 and err.endswith(".\n")


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("queued", "is waiting for a worker: it has no verdict yet."),
        ("running", "is running: it has no verdict yet."),
        ("paused", "is paused: it has no verdict until it is resumed."),
        ("cancelled", "was cancelled: it has no verdict. Start another."),
        ("failed", "failed: Broken."),
    ],
)
def test_a_run_without_verdicts_is_3_with_its_sentence(
    state: str, sentence: str, study: Project, engineer: Person
) -> None:
    run = begin(engineer, study, ["original", "keywords"])
    Run.objects.filter(pk=run.pk).update(state=state, error="Broken.")
    assert gate("study/1") == (3, "", f"Run study/1 {sentence}\n")


def test_the_gate_of_a_void_run_is_3_whatever_was_decided(run: Run, engineer: Person) -> None:
    bring(run.project)
    register(engineer, run.project, judging="human_for_all")
    code, out, err = gate("study/1")
    assert code == 3
    assert err.startswith("The verdicts of run study/1 are void: gate 1 is superseded by version 2")
    assert err.endswith("UTC. Start a run under gate 2.\n")
    assert all(line.startswith("cand: void: ") for line in out.splitlines())
    told = json.loads(gate("study/1", "--json")[1])
    assert (told["exit_code"], told["void"]["version"]) == (3, 2)


def test_the_gate_s_json_says_of_standing_verdicts_that_nothing_voids_them(run: Run) -> None:
    assert json.loads(gate("study/1", "--json")[1])["void"] is None


def test_the_json_report_is_the_stored_run(run: Run, tmp_path: Path) -> None:
    call_command("report", "study/1", "--output", str(tmp_path / "r.json"), stdout=StringIO())
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert report["result"] == run.result
    assert report["conditions"]["sha256"] == run.conditions.sha256
    assert [v["sha256"] for v in report["verdicts"]] == [
        v.sha256 for v in Verdict.objects.current(run)
    ]


def test_the_csv_report_has_a_line_for_each_arm_request_and_constraint(
    run: Run, tmp_path: Path
) -> None:
    output = tmp_path / "r.csv"
    call_command("report", "1", "--format", "csv", "--output", str(output), stdout=StringIO())
    with output.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    lost = [(r["arm"], r["request"], r["constraint"]) for r in lines if r["judgement"] == "altered"]
    assert (len(lines), lost) == (15, [("cand", "a", "c2")])


def test_the_csv_report_tells_unresolved_requests_from_scored_ones(
    run: Run, tmp_path: Path
) -> None:
    Contract.objects.filter(request__key="c").update(unresolved=True)
    output = tmp_path / "r.csv"
    call_command("report", "1", "--format", "csv", "--output", str(output), stdout=StringIO())
    with output.open(encoding="utf-8", newline="") as file:
        told = {(line["request"], line["unresolved"]) for line in csv.DictReader(file)}
    assert told == {("a", "false"), ("b", "false"), ("c", "true")}


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_cell_that_a_spreadsheet_would_run_gets_an_apostrophe(text: str) -> None:
    assert harmless(text) == f"'{text}"


def judge_line(**changed: Any) -> str:
    line = {
        "id": "j1",
        "request": REQUESTS[0],
        "contract": CONTRACTS[0],
        "rewrite": {"kind": "standalone", "queries": ["Alder Foods revenue fiscal year 2021"]},
    }
    return json.dumps(line | changed)


def test_judge_prints_the_judgements_without_the_database(tmp_path: Path) -> None:
    file = tmp_path / "judge.jsonl"
    file.write_text(judge_line() + "\n", encoding="utf-8")
    out = StringIO()
    call_command("judge", str(file), "--json", stdout=out)
    judged = {j["constraint"]: j["judgement"] for j in json.loads(out.getvalue())["judgements"]}
    assert judged == {"c1": "stated", "c2": "altered"}


def test_judge_tells_every_broken_line_with_its_row_and_judges_the_others(tmp_path: Path) -> None:
    broken = [
        judge_line(rewrite={"kind": "poem"}),
        "{",
        judge_line(contract={"constraints": [{"id": "c1"}]}),
        judge_line(contract={"constraints": [3]}),
        judge_line(request={"text": 3}),
        judge_line(request={"text": "hi", "turns": "x"}),
    ]
    file = tmp_path / "judge.jsonl"
    file.write_text("\n".join([judge_line(), "", *broken]), encoding="utf-8")
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("judge", str(file), "--json", stdout=out, stderr=err)
    rows = [line.split(":")[0] for line in err.getvalue().splitlines()]
    assert (ended.value.code, len(out.getvalue().splitlines())) == (1, 1)
    assert rows == [f"judge.jsonl, row {row}" for row in range(3, 9)]


def test_judge_says_when_the_file_is_not_there() -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("judge", "/nowhere/judge.jsonl")


def test_a_logged_run_is_imported_as_one_arm(study: Project, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    row = {"request": "a", "hits": [{"id": "d1", "rank": 1, "score": 1.5}], "answer": "x"}
    file.write_text(json.dumps(row), encoding="utf-8")
    call_command("import_run", "study", str(file), "--arm", "team", stdout=StringIO())
    assert UploadedRun.objects.get().arm.name == "team"


def test_rewrites_are_imported_as_one_arm(study: Project, tmp_path: Path) -> None:
    file = tmp_path / "rewrites.jsonl"
    file.write_text(json.dumps({"request": "a", "kind": "standalone", "queries": ["x"]}))
    call_command("import_rewrites", "study", str(file), "--arm", "mine", stdout=StringIO())
    assert study.arms.get(name="mine").uploaded_rewrites.count() == 1
