from collections.abc import Callable
from typing import Any

import pytest

from evaluation.reports.figures import (
    Cell,
    difference_cell,
    dollars,
    mean_cell,
    milliseconds,
    p_value,
    percent,
    points,
    rate_cell,
)
from evaluation.statistics import Estimate, bootstrap_interval, wilson


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        # The published example of the acceptance protocol: 164 of 200, .15, .375, p = .1114.
        (percent(164 / 200), "82.0 %"),
        (percent(0.375), "37.5 %"),
        (points(132 / 200 - 120 / 200), "+6.0"),
        (points(-0.0667), "−6.7"),
        (points(0.0), "0.0"),
        (points(-0.0001), "−0.01"),
        (percent(2499 / 2500), "99.96 %"),
        (p_value(0.1114), "0.11"),
        (p_value(0.0412), "0.041"),
        (p_value(0.0002), "< 0.001"),
        (milliseconds(0.456), "0.5 ms"),
        (milliseconds(1234.5), "1,234 ms"),
        (milliseconds(12_345), "12.3 s"),
        (dollars(0.0000417), "USD 0.0000417"),
        (dollars(1.5), "USD 1.50"),
        (dollars(0), "USD 0"),
    ],
)
def test_numbers_are_shown_as_people_write_them(shown: str, text: str) -> None:
    assert shown == text


def test_a_rate_stands_with_its_denominator_and_interval() -> None:
    # Wilson 95 % for 18 of 26: 50.0 to 83.5 % (Newcombe 1998, method 3).
    cell = rate_cell(wilson(18, 26).to_json())
    assert (cell.text, cell.of, cell.interval) == ("69.2 %", "18 of 26", "50.0 to 83.5 %")


def test_what_was_not_measured_is_a_word() -> None:
    cell = rate_cell(Estimate.undefined("Not measured.").to_json())
    assert (cell.text, cell.missing) == ("not measured", True)


def test_what_does_not_apply_is_a_word_with_its_reason() -> None:
    cell = rate_cell(Estimate.undefined("No pair has gold answers.").to_json())
    assert (cell.text, cell.note) == ("not applicable", "No pair has gold answers.")


def test_a_difference_that_nobody_computed_is_empty() -> None:
    assert difference_cell(None).text == ""


@pytest.mark.parametrize(
    "shown",
    [rate_cell, difference_cell, lambda estimate: mean_cell(estimate, str)],
)
def test_an_interval_without_spread_says_so(shown: Callable[[Any], Cell]) -> None:
    assert shown(bootstrap_interval([1.0] * 9, resamples=50).to_json()).interval == "no spread"


def test_a_difference_says_over_how_many_requests_in_how_many_base_cases() -> None:
    clusters = [f"b{i % 16}" for i in range(26)]
    values = [float(i % 2) for i in range(26)]
    estimate = bootstrap_interval(values, clusters=clusters, resamples=50)
    assert difference_cell(estimate.to_json()).of == "26 in 16 base cases"
