"""A report that somebody changed and made to fit: each change is found, refused, or listed
among what a file says only once.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from annotation.canonical import content_hash
from annotation.models import Person, Project
from evaluation.models import Run
from evaluation.reports.exports.as_json import json_pieces
from evaluation.scoring.recomputing import pairs_gone, recompute
from evaluation.scoring.report_differences import Unreadable
from evaluation.scoring.result import unmeasured
from tests.evaluation.runs.pair_study import CONTROLS, SWAPPED
from tests.evaluation.runs.small_study import take_in
from tests.evaluation.views.worlds import run_with

Report = dict[str, Any]
LATER = "2999-01-01T00:00:00+00:00"


@pytest.fixture
def report(study: Project, engineer: Person) -> Report:
    """A report with pairs, controls and waiting judgements."""
    take_in(study, "twins", CONTROLS)
    run = run_with(engineer, study, {"cand": SWAPPED}, judging="human_for_critical")
    read: Report = json.loads("".join(json_pieces(run)))
    return read


def fitted(report: Report) -> Report:
    """With every hash as a forger would write it."""
    report["arms_sha256"] = content_hash(report["arms"])
    report["result_sha256"] = content_hash(unmeasured(report["result"]))
    for name in ("conditions", "protocol"):
        report[name]["sha256"] = content_hash(report[name]["content"])
    for verdict in report["verdicts"]:
        content = {k: v for k, v in verdict.items() if k not in ("version", "sha256")}
        verdict["sha256"] = content_hash(content)
    return report


def paths(report: Report) -> list[str]:
    return [difference.path for difference in recompute(fitted(report))]


def forged(report: Report) -> Report:
    return {**report["verdicts"][0], "outcome": "release", "sentence": "Release."}


def test_what_was_written_agrees(report: Report) -> None:
    assert recompute(report) == ()


@pytest.mark.parametrize("place", [0, 1, 99])
def test_a_forged_verdict_beside_the_true_one_is_found_wherever_it_stands(
    report: Report, place: int
) -> None:
    arm, name = report["verdicts"][0]["arm"], report["verdicts"][0]["request_class"]
    report["verdicts"].insert(place, forged(report))
    found = paths(report)
    assert f"verdicts[{arm}/{name}]" in found and f"verdicts[{arm}/{name}].outcome" in found


def test_a_verdict_that_stands_twice_unchanged_is_found(report: Report) -> None:
    first = report["verdicts"][0]
    report["verdicts"].insert(0, dict(first))
    assert paths(report) == [f"verdicts[{first['arm']}/{first['request_class']}]"]


def test_a_candidate_that_is_called_a_reference_is_found_and_owes_its_verdicts(
    report: Report,
) -> None:
    report["arms"]["cand"] = {"source": "human", "references": {}}
    report["verdicts"] = []
    report["facts"]["waiting"] = {}
    found = paths(report)
    assert "arms.cand.source" in found
    assert any(path.startswith("verdicts[cand/") for path in found)


def test_a_reserved_arm_is_no_candidate(report: Report) -> None:
    report["arms"]["original"] = {"source": "uploaded", "rewrites": "", "runs": None}
    assert paths(report) == ["arms.original.source"]


def _twice(name: str) -> Callable[[Report], Any]:
    return lambda r: r["rows"][name].append(dict(r["rows"][name][-1]))


@pytest.mark.parametrize(
    ("name", "path"), [("twins", "rows.twins["), ("controls", "rows.controls["), ("cases", "rows.")]
)
def test_a_row_that_stands_twice_is_found(report: Report, name: str, path: str) -> None:
    _twice(name)(report)
    assert any(found.startswith(path) for found in paths(report))


@pytest.mark.parametrize("name", ["cases", "twins"])
def test_rows_in_another_order_are_found(report: Report, name: str) -> None:
    if len(report["rows"][name]) == 1:
        report["rows"][name].insert(0, {**report["rows"][name][0], "id": "zz"})
    report["rows"][name].sort(key=json.dumps)
    report["rows"][name].reverse()
    assert f"rows.{name}" in paths(report)


def test_verdicts_in_another_order_are_found(report: Report) -> None:
    other = {**report["verdicts"][0], "request_class": "zz"}
    report["verdicts"] = [other, *report["verdicts"]]
    assert "verdicts" in paths(report)


def _set(*where: Any) -> Callable[[Report], None]:
    *way, key, value = where

    def change(report: Report) -> None:
        place: Any = report
        for step in way:
            place = place[step]
        place[key] = value

    return change


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (_set("state", "failed"), "state"),
        (_set("run", "1"), "run"),
        (_set("hypothetical", "no"), "hypothetical"),
        (_set("project", None), "project"),
        (_set("started", LATER), "finished"),
        (_set("finished", "yesterday"), "finished"),
        (_set("protocol", "registered", LATER), "started"),
        (_set("protocol", "name", "other"), "protocol.name"),
        (_set("protocol", "version", 0), "protocol.version"),
        (_set("void", {"version": 1, "registered_at": LATER}), "void.version"),
        (_set("void", {"version": 2, "registered_at": "x"}), "void.registered_at"),
        (_set("facts", "requests", 99), "facts.requests"),
        (_set("facts", "cases", 0), "facts.cases"),
        (_set("facts", "waiting", {}), "facts.waiting.cand"),
        (_set("facts", "unchecked", -1), "facts.unchecked"),
        (_set("verdicts", 0, "version", 0), "verdicts["),
        (_set("rows", "clusters", {"x": "y"}), "rows.clusters.x"),
        (_set("rows", "cases", 0, "foreign", {"nopair": "stated"}), "rows.cases["),
        (_set("rows", "cases", 0, "judged", 0, "kind", "time"), "rows.cases["),
        (_set("rows", "cases", 0, "judged", 0, "wanted", None), "rows.cases["),
        (_set("rows", "cases", 0, "judged", 0, "people", ["fine"]), "rows.cases["),
        (_set("rows", "cases", 0, "judged", 0, "decided", "stated"), "rows.cases["),
        (_set("rows", "controls", 0, "worst", "no"), "rows.controls["),
    ],
)
def test_what_its_parts_say_of_each_other_is_checked(
    report: Report, change: Callable[[Report], None], path: str
) -> None:
    change(report)
    assert any(found.startswith(path) for found in paths(report))


def test_the_hash_of_the_arms_is_over_the_arms(report: Report) -> None:
    report["arms"]["cand"]["rewrites"] = "0" * 64
    assert [difference.path for difference in recompute(report)] == ["arms_sha256"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (_set("note", "released"), "note: a report has no such key"),
        (_set("rows", "z", 1), "rows.z: a report has no such key"),
        (_set("rows", "cases", 0, "z", 1), "rows.cases, row 1.z: a report has no such key"),
        (_set("rows", "cases", 0, "judged", 0, "z", 1), r"judged\.z: a report has no such key"),
        (_set("rows", "twins", 0, "z", 1), "rows.twins, row 1.z: a report has no such key"),
        (_set("rows", "controls", 0, "z", 1), "rows.controls, row 1.z: a report has no such"),
        (_set("protocol", "z", 1), "protocol.z: a report has no such key"),
        (_set("facts", "z", 1), "facts.z: a report has no such key"),
        (_set("arms", "cand", "z", 1), "arms.cand.z: a report has no such key"),
        (_set("void", {"version": 2}), "void: registered_at is missing"),
        (_set("arms", "cand", {"source": "both"}), "arms.cand: .both. is no source"),
        (_set("conditions", "content", {}), "conditions.content.requests: it is no object"),
    ],
)
def test_a_key_that_no_report_has_is_refused_with_its_path(
    report: Report, change: Callable[[Report], None], sentence: str
) -> None:
    change(report)
    with pytest.raises(Unreadable, match=sentence):
        recompute(report)


@pytest.mark.parametrize("key", ["void", "arms_sha256", "verdicts", "facts"])
def test_a_report_without_one_of_its_keys_is_refused(report: Report, key: str) -> None:
    del report[key]
    with pytest.raises(Unreadable, match=f"{key} is missing"):
        recompute(report)


def test_pairs_that_were_deleted_since_are_named_as_the_reason(report: Report) -> None:
    assert pairs_gone(report) == ""
    gone = report["rows"]["twins"].pop()["id"]
    assert gone in pairs_gone(report) and "deleted after the run was concluded" in pairs_gone(
        report
    )


def test_the_ledger_has_the_hash_of_the_arms(report: Report) -> None:
    run = Run.objects.get()
    entry = run.project.ledger.get(kind="run.concluded")
    assert entry.content["arms"] == report["arms_sha256"] == content_hash(run.arm_content)
