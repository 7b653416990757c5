"""Rates never round to what they are not."""

import pytest

from evaluation.scoring.percentages import percentage, registered, signed_points


@pytest.mark.parametrize(
    ("rate", "text"),
    [
        (0.0, "0.0"),
        (1.0, "100.0"),
        (164 / 200, "82.0"),
        (2499 / 2500, "99.96"),
        (0.0004, "0.04"),
        (1 - 1e-7, "99.99999"),
        # 0.1 * 3 + 0.7 and its like: noise of floats, no rate below 1.
        (1 - 1e-15, "100.0"),
    ],
)
def test_only_none_and_all_read_0_and_100(rate, text):
    assert percentage(rate) == text


@pytest.mark.parametrize(
    ("rate", "text"), [(0.9496, "94.96"), (0.95, "95.0"), (0.9504, "95.04"), (0.94, "94.0")]
)
def test_a_rate_reads_like_its_threshold_only_if_it_equals_it(rate, text):
    assert percentage(rate, apart=(0.95,)) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.95, "95 %"),
        (1 - 0.05, "95 %"),
        (1 - 0.0001, "99.99 %"),
        (0.0004, "0.04 %"),
        (0.125, "12.5 %"),
        (0.0, "0 %"),
        (1.0, "100 %"),
        (1e-9, "0.0000001 %"),
    ],
)
def test_what_was_registered_keeps_its_digits(value, text):
    assert registered(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "+0.0"), (-0.0, "+0.0"), (0.06, "+6.0"), (-0.0001, "-0.01"), (1e-12, "+0.0")],
)
def test_only_no_difference_reads_0_points(value, text):
    assert signed_points(value) == text
