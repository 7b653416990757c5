"""The audit of the judge: what is drawn, what counts as wrong, and what the bound says."""

import tracemalloc
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from annotation.canonical import content_hash
from evaluation.scoring.audit import (
    NO_PAIR,
    NOT_DRAWN,
    ONE_PERSON,
    UNCHECKED,
    Item,
    Sure,
    Tally,
    agreement,
    compared,
    draw,
    error_rate,
)

ITEM = Item("cand", "dated-fact", "time", "stated", "matcher:time/1")


def sure(row: int, kind: str = "time", by: str = "") -> Sure:
    return Sure(row, f"r{row}", "cand", "c1", kind, by or f"matcher:{kind}/1")


def tally(*items: Item) -> Tally:
    found = Tally()
    for item in items:
        found.add(item)
    return found


# ---------------------------------------------------------------- drawing


def test_the_first_of_each_kind_in_the_order_of_the_hash_are_drawn() -> None:
    rows = [sure(n) for n in range(30)]
    in_order = sorted(rows, key=lambda row: content_hash([7, row.request, "cand", "c1"]))
    assert draw(rows, per_kind=5, seed=7) == sorted(row.row for row in in_order[:5])


def test_the_order_of_the_rows_draws_nothing_else() -> None:
    rows = [sure(n, kind) for n in range(40) for kind in ("time", "status")]
    assert draw(rows, per_kind=3, seed=1) == draw(rows[::-1], per_kind=3, seed=1)


def test_another_seed_draws_another_sample() -> None:
    rows = [sure(n) for n in range(60)]
    assert draw(rows, per_kind=10, seed=1) != draw(rows, per_kind=10, seed=2)


def test_each_kind_has_its_own_sample_and_a_small_one_is_drawn_whole() -> None:
    rows = [*(sure(n) for n in range(30)), *(sure(100 + n, "status") for n in range(3))]
    drawn = draw(rows, per_kind=10, seed=0)
    assert Counter(row >= 100 for row in drawn) == {False: 10, True: 3}


def test_what_a_model_settled_is_a_kind_of_its_own() -> None:
    rows = [*(sure(n) for n in range(9)), *(sure(100 + n, by="model:m/0a1b2c3d") for n in range(9))]
    assert Counter(row >= 100 for row in draw(rows, per_kind=4, seed=0)) == {False: 4, True: 4}


def test_none_a_kind_draws_nothing() -> None:
    assert draw([sure(1)], per_kind=0, seed=0) == []


def test_a_hundred_thousand_rows_are_never_held_at_once() -> None:
    def rows() -> Iterator[Sure]:
        for n in range(100_000):
            yield sure(n)

    tracemalloc.start()
    try:
        assert len(draw(rows(), per_kind=20, seed=7)) == 20
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


# ---------------------------------------------------------------- what is wrong


@pytest.mark.parametrize(
    ("label", "decided", "found"),
    [
        ("stated", "stated", "same"),
        ("stated", "filtered", "other_word"),
        ("dropped", "altered", "other_word"),
        ("stated", "altered", "wrong"),
        ("filtered", "dropped", "wrong"),
        ("dropped", "stated", "wrong"),
        ("stated", None, ""),
    ],
)
def test_only_the_other_side_of_kept_and_lost_is_wrong(
    label: str, decided: str | None, found: str
) -> None:
    assert compared(label, decided) == found


def test_the_audit_counts_what_was_drawn_and_not_what_people_judged_besides() -> None:
    drawn = replace(ITEM, drawn=True)
    found = tally(
        replace(drawn, decided="stated"),
        replace(drawn, decided="filtered"),
        replace(drawn, decided="dropped"),
        drawn,
        replace(ITEM, decided="dropped"),
        replace(ITEM, label="unsure"),
    ).audit(0.95)["time"]
    assert (found.population, found.drawn, found.checked) == (5, 4, 3)
    assert (found.wrong, found.other_word, found.error.value) == (1, 1, 1 / 3)


# The upper ends of statsmodels' proportion_confint(k, n, alpha=0.1, method="beta").
@pytest.mark.parametrize(
    ("wrong", "checked", "high"),
    [(0, 20, 0.13910834), (1, 20, 0.21610616), (2, 50, 0.12061416), (5, 5, 1.0)],
)
def test_the_bound_is_the_exact_one_sided_one(wrong: int, checked: int, high: float) -> None:
    found = error_rate(wrong, checked, 60, level=0.95)
    assert (found.high, found.low) == (pytest.approx(high, abs=1e-7), None)


@pytest.mark.parametrize(("drawn", "reason"), [(0, NOT_DRAWN), (20, UNCHECKED)])
def test_without_a_checked_one_there_is_no_rate_and_a_reason(drawn: int, reason: str) -> None:
    found = error_rate(0, 0, drawn, level=0.95)
    assert (found.value, found.high, found.reason) == (None, None, reason)


# ---------------------------------------------------------------- who judged


@pytest.mark.parametrize(
    ("changed", "who"),
    [
        ({}, "matcher"),
        ({"by": "model:m/0a1b2c3d"}, "model"),
        ({"decided": "dropped"}, "person"),
        ({"label": "unsure"}, "open"),
        ({"wanted": True}, "open"),
        ({"by": "model:m/0a1b2c3d", "wanted": True}, "open"),
        ({"people": ("stated",)}, "matcher"),
    ],
)
def test_whose_word_counts(changed: dict[str, object], who: str) -> None:
    assert replace(ITEM, **changed).who == who  # type: ignore[arg-type]


def test_each_arm_and_kind_has_a_count_of_each() -> None:
    told = tally(ITEM, ITEM, replace(ITEM, label="unsure")).to_json(0.95, judges=1)
    assert told["by"] == {"cand": {"time": {"matcher": 2, "model": 0, "person": 0, "open": 1}}}


def test_a_model_is_counted_by_its_name_with_what_people_said_of_it() -> None:
    row = replace(ITEM, by="model:m/0a1b2c3d")
    told = tally(
        row, replace(row, decided="stated"), replace(row, decided="dropped"), ITEM
    ).to_json(0.95, judges=1)
    assert told["model"] == {"m/0a1b2c3d": {"settled": 3, "checked": 2, "agreed": 1}}


def test_all_together_adds_up_the_kinds() -> None:
    drawn = replace(ITEM, drawn=True, decided="stated")
    whole = tally(drawn, replace(drawn, kind="status", decided="dropped"), ITEM).to_json(
        0.95, judges=1
    )["audit"]["all"]
    assert (whole["population"], whole["drawn"], whole["checked"], whole["wrong"]) == (3, 2, 2, 1)


def test_what_the_judge_decided_in_a_class_leaves_out_people_and_other_arms() -> None:
    found = tally(
        ITEM,
        replace(ITEM, by="model:m/0a1b2c3d"),
        replace(ITEM, kind="status", decided="stated"),
        replace(ITEM, kind="evidence", arm="original"),
        replace(ITEM, kind="evidence", request_class="follow-up"),
    ).judge_audit("cand", "dated-fact", 0.95)
    assert (found.constraints, found.decided) == (3, {"time": 1, "model": 1})


# ---------------------------------------------------------------- two people


def test_agreement_is_that_of_the_first_two() -> None:
    said = replace(ITEM, people=("stated", "dropped", "dropped"))
    same = replace(ITEM, people=("stated", "stated"))
    found = tally(said, same, replace(ITEM, people=("stated",))).to_json(0.95, judges=2)
    assert (found["agreement"]["items"], found["agreement"]["same"]) == (2, 1)


def test_alpha_of_two_people() -> None:
    # Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", example B: nominal data of
    # two observers without gaps, alpha = 0.692.
    found = agreement([*zip("aabbdcccedda", "babbbccceddd", strict=True)])
    assert (found["items"], found["same"], round(found["alpha"]["value"], 3)) == (12, 9, 0.692)


def test_another_word_on_the_same_side_is_counted_beside() -> None:
    found = agreement([("stated", "filtered"), ("stated", "dropped"), ("altered", "altered")])
    assert (found["same"], found["same_side"]) == (1, 2)


@pytest.mark.parametrize(("judges", "reason"), [(1, ONE_PERSON), (2, NO_PAIR)])
def test_without_two_people_there_is_no_agreement_and_a_reason(judges: int, reason: str) -> None:
    found = tally(ITEM).to_json(0.95, judges=judges)["agreement"]
    assert (found["raw"], found["alpha"]) == ({"value": None, "reason": reason},) * 2
