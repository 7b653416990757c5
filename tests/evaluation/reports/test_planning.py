"""What rules can show, before the run. Right values: 0.97^n <= 0.05 from n = 99 on (the rule of
three says 100); Clopper-Pearson's upper 95 % bounds of 1 and 2 of 200 are 2.35 % and 3.11 %.
"""

from typing import Any

import pytest

from evaluation.reports.protocol.planning import (
    AtHand,
    General,
    Planned,
    fewest_systematic,
    planned,
    planned_of,
)

GENERAL = General(0.05, "mcnemar_exact")


def rule(n: int = 60, floor: float = 0.95, ceiling: float = 0.03, **pairs: int) -> dict[str, Any]:
    families = {name: {"max_failure_rate": 0.2, "min_pairs": k} for name, k in pairs.items()}
    return {
        "completeness_floor": floor, "regression_ceiling": ceiling, "min_requests": n,
        "families": families,
    }  # fmt: skip


def plan(wanted: dict[str, Any], hand: AtHand | None = None) -> Planned:
    return planned("dated-fact", wanted, GENERAL, hand)


@pytest.mark.parametrize(
    ("n", "floor", "said"),
    [
        (60, 0.95, "of 60 resolved requests at most 3 may lose a critical constraint."),
        (10, 0.9, "of 10 resolved requests at most 1 may lose a critical constraint."),
        (40, 0.955, "of 40 resolved requests at most 1 may lose a critical constraint."),
        (40, 1.0, "with 40 resolved requests none may lose a critical constraint."),
        (5, 0.0, "of 5 resolved requests at most 5 may lose a critical constraint."),
    ],
)
def test_the_floor_says_how_many_may_be_incomplete(n: int, floor: float, said: str) -> None:
    assert plan(rule(n, floor)).sentences[0] == f"Completeness: {said}"


def test_a_ceiling_that_the_requests_cannot_show_says_how_many_it_takes() -> None:
    assert plan(rule(60)).sentences[1] == (
        "Lost answers: a ceiling of 3 % takes 99 right answers of the original, none of them lost; "
        "60 resolved requests cannot show it."
    )


@pytest.mark.parametrize(
    ("n", "lost"), [(99, "0 lost answers pass"), (200, "1 lost answer passes")]
)
def test_a_ceiling_that_can_be_shown_says_how_many_may_be_lost(n: int, lost: str) -> None:
    assert plan(rule(n)).sentences[1] == (
        f"Lost answers: if the original answers all {n} correctly (how many is unknown before the "
        f"run), at most {lost} the ceiling of 3 %."
    )


def test_a_ceiling_of_nothing_can_never_be_shown() -> None:
    assert "no number of requests shows" in plan(rule(ceiling=0.0)).sentences[1]


def test_few_requests_find_no_difference_at_all() -> None:
    # 1 of 5 requests differs: p is never below 0.05 with fewer than 6 discordant ones.
    assert "not even a difference in one direction alone" in plan(rule(5)).sentences[2]


def test_the_difference_found_shrinks_with_more_requests() -> None:
    said = [plan(rule(n, ceiling=1.0)).sentences[2] for n in (200, 1000)]
    points = [float(text.split("difference of ")[1].split()[0]) for text in said]
    assert 0 < points[1] < points[0] < 20


@pytest.mark.parametrize(
    ("n", "allowed", "fewest"),
    [(5, 0.2, 2), (10, 0.5, 5), (1, 0.0, 1), (1, 0.2, None), (3, 1.0, 3)],
)
def test_the_fewest_failures_of_a_family_that_are_systematic(
    n: int, allowed: float, fewest: int | None
) -> None:
    assert fewest_systematic(n, allowed, 0.95) == fewest


def test_the_requests_at_hand_count_where_they_are_more_than_wanted() -> None:
    assert plan(rule(60), AtHand(120)).resolved == 120
    assert plan(rule(60), AtHand(30)).resolved == 60


def test_what_cannot_be_passed_as_it_is_is_warned_about() -> None:
    warned = plan(rule(40, date=5), AtHand(30, {"date": 3})).warnings
    assert [text.split(",")[0] for text in warned] == [
        "30 resolved requests without a result are at hand",
        "A ceiling of 3 % needs 99 clean answers",
        "date: 3 twin pairs without a result are at hand",
    ]


def test_enough_of_everything_is_warned_about_by_nothing() -> None:
    assert plan(rule(40, date=5), AtHand(120, {"date": 5})).warnings == ()


def test_classes_that_only_the_star_covers_are_warned_about_by_name() -> None:
    content = {
        "alpha": 0.05, "test": "mcnemar_exact",
        "classes": {"*": rule(2, ceiling=1.0), "dated-fact": rule(1, ceiling=1.0)},
    }  # fmt: skip
    found = planned_of(content, {"dated-fact": AtHand(1), "follow-up": AtHand(1)})
    assert [part.name for part in found] == ["dated-fact", "*"]
    assert found[1].warnings[0].startswith("follow-up: 1 resolved request without a result is at")
