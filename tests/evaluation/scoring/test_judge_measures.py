"""The measures of a judge, against examples worked out by hand."""

import pytest

from evaluation.scoring.judge_measures import (
    JudgedConstraint,
    Ratio,
    grouped,
    measure_additions,
    measure_judgements,
)

# expected, said, critical. Kept 5, lost 5 (4 of them critical); decided 8, right 5.
EXAMPLE = (
    ("stated", "stated", True),
    ("stated", "unsure", True),
    ("stated", "altered", True),  # a false alarm
    ("filtered", "stated", True),  # kept all the same, but the wrong word
    ("filtered", "filtered", False),
    ("altered", "altered", True),
    ("altered", "dropped", True),  # the loss is found, under the wrong word
    ("altered", "unsure", True),
    ("dropped", "dropped", True),
    ("dropped", "dropped", False),  # no critical one
)


def judged(*rows, kind="time"):
    return [
        JudgedConstraint(f"x{number}", "c1", kind, "", critical, expected, said)
        for number, (expected, said, critical) in enumerate(rows)
    ]


@pytest.mark.parametrize(
    ("measure", "part", "whole"),
    [
        ("accuracy", 5, 10),
        ("accuracy_decided", 5, 8),
        ("coverage", 8, 10),
        ("critical_loss_recall", 3, 4),
        ("preserved_recall", 3, 5),
        ("false_alarm_rate", 1, 5),
    ],
)
def test_the_measures_of_ten_constraints(measure, part, whole):
    found = measure_judgements(judged(*EXAMPLE))
    assert found.n == 10
    assert getattr(found, measure) == Ratio(part, whole)


def test_macro_f1_is_the_mean_over_the_labels_that_occur():
    # stated 2·1/(3+2), filtered 2·1/(2+1), altered 2·1/(3+2), dropped 2·2/(2+3)
    assert measure_judgements(judged(*EXAMPLE)).macro_f1 == pytest.approx(
        (2 / 5 + 2 / 3 + 2 / 5 + 4 / 5) / 4
    )
    assert measure_judgements(judged(("stated", "stated", True))).macro_f1 == 1


def test_calling_everything_stated_finds_no_loss_and_raises_no_alarm():
    found = measure_judgements(judged(*((right, "stated", True) for right, _, _ in EXAMPLE)))
    assert (found.critical_loss_recall.value, found.false_alarm_rate.value) == (0, 0)
    assert found.accuracy == Ratio(3, 10)


def test_an_abstention_is_neither_a_loss_found_nor_a_constraint_kept():
    found = measure_judgements(judged(("dropped", "unsure", True), ("stated", "unsure", True)))
    assert (found.critical_loss_recall, found.preserved_recall) == (Ratio(0, 1), Ratio(0, 1))
    assert found.false_alarm_rate == Ratio(0, 1)
    assert found.accuracy_decided.value is None


def test_nothing_has_no_measures():
    found = measure_judgements([])
    assert (found.accuracy.value, found.macro_f1) == (None, None)


def test_only_a_decision_can_be_wrong():
    wrong = [one.wrong for one in judged(*EXAMPLE)]
    assert wrong == [False, False, True, True, False, False, True, False, False, False]


def test_additions_are_matched_by_kind_within_a_case():
    found = measure_additions(
        [
            (["time", "status"], ["time"]),  # one of two found
            (["referent"], ["time"]),  # another kind is no match
            (["time"], ["time", "time"]),  # one expected, two listed
            ([], ["evidence"]),  # a clean case with an alarm
            ([], []),
        ]
    )
    assert found.precision == Ratio(2, 5)
    assert found.recall == Ratio(2, 4)
    assert found.f1 == Ratio(4, 9)
    assert found.false_alarm_rate == Ratio(1, 2)


def test_constraints_are_grouped_in_the_order_of_their_names():
    rows = judged(EXAMPLE[0], kind="time") + judged(EXAMPLE[0], kind="status")
    groups = grouped(rows, lambda one: one.kind)
    assert {name: len(some) for name, some in groups.items()} == {"status": 1, "time": 1}
    assert list(groups) == ["status", "time"]
