import json

import pytest

from evaluation.judging_file import BrokenLine
from evaluation.labelled_cases import judge_cases


def line(**changes):
    text = "Which dams opened before 1990?"
    value = {"relation": "before", "start": None, "end": "1990", "calendar": "calendar"}
    time = {
        "id": "c1", "kind": "time", "materiality": "critical", "value": value, "admissible": [],
        "span": {"turn": 0, "start": 18, "end": 29},
    }  # fmt: skip
    case = {
        "id": "x1",
        "request": {"id": "r1", "turns": [], "text": text},
        "contract": {"constraints": [time], "ambiguity": {"unresolved": False, "readings": []}},
        "rewrite": {
            "kind": "standalone",
            "queries": ["dams opened after 1990 according to newspapers"],
            "filters": {},
        },
        "expected": {"c1": "altered"},
        "expected_added": ["evidence"],
        "phenomenon": "bound",
    }
    return json.dumps({**case, **changes})


def test_a_case_is_judged_and_its_answers_stand_beside_the_right_ones():
    (case,) = judge_cases([line(), ""])
    (one,) = case.constraints
    assert (one.case, one.kind, one.phenomenon, one.critical) == ("x1", "time", "bound", True)
    assert (one.expected, one.said) == ("altered", "altered")
    assert (case.added_expected, case.added_said) == (("evidence",), ("evidence",))


def test_the_labels_do_not_reach_the_judge():
    (one,) = judge_cases([line(expected={"c1": "stated"}, expected_added=[])])
    assert (one.constraints[0].said, one.added_said) == ("altered", ("evidence",))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"expected": {}}, "one label for each constraint"),
        ({"expected": {"c1": "kept"}}, "“kept” is no label"),
        ({"expected_added": ["place"]}, "list of kinds"),
        ({"id": ""}, "“id” must be a text"),
        ({"rewrite": {"kind": "poem"}}, "“rewrite.kind” must be one of"),
    ],
)
def test_a_line_that_cannot_be_scored_is_told_with_its_row(changes, words):
    with pytest.raises(BrokenLine, match=f"row 2: .*{words}"):
        list(judge_cases(["", line(**changes)]))


def test_an_id_that_comes_twice_is_refused():
    with pytest.raises(BrokenLine, match="row 2: the id x1 comes twice"):
        list(judge_cases([line(), line()]))
