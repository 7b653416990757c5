"""The page docs/worked-example.md: every figure on it is what the public functions give, and every
table on it is labelled hypothetical. The counts are those of a published acceptance protocol for
query rewriting, which gives the ratios .95, .82, .60, .15, .375 and .66, p = .1114 and a bound of
.015.
"""

import contextlib
import io
import re
from pathlib import Path

import pytest

from evaluation.statistics import (
    clopper_pearson,
    largest_passing,
    mcnemar_exact,
    mcnemar_midp,
    mcnemar_power,
    smallest_detectable,
    wilson,
    zero_failure_upper,
)

PAGE = Path(__file__).resolve().parents[3] / "docs" / "worked-example.md"


@pytest.mark.parametrize(
    ("k", "n", "ratio"),
    [
        pytest.param(513, 540, 0.95, id="constraint preservation"),
        pytest.param(164, 200, 0.82, id="critical completeness"),
        pytest.param(120, 200, 0.60, id="correct with the original"),
        pytest.param(132, 200, 0.66, id="correct with the candidate"),
        pytest.param(18, 120, 0.15, id="regression"),
        pytest.param(30, 80, 0.375, id="gain"),
    ],
)
def test_each_ratio_is_the_published_one(k, n, ratio):
    found = wilson(k, n)
    assert (found.value, found.numerator, found.n) == (pytest.approx(ratio), k, n)


def test_the_candidate_has_what_the_original_has_less_the_lost_with_the_gained():
    assert 120 - 18 + 30 == 132


def test_the_exact_p_value_is_the_published_one():
    found = mcnemar_exact(18, 30)
    assert (found.value, found.n) == (pytest.approx(0.1114, abs=5e-5), 48)


def test_no_failure_in_200_is_bounded_as_published():
    # The rule of three says 3 / 200 = .015, the exact bound is .01487.
    assert zero_failure_upper(200).value == pytest.approx(0.01487, abs=5e-6)
    assert 3 / 200 == 0.015


def rate(name, k, n):
    found = wilson(k, n)
    return f"| {name} | {k} / {n} | {found.value:.3f} | {found.low:.3f} to {found.high:.3f} |"


def rows():
    """Every row of figures on the page."""
    preserved = wilson(513, 540).value
    bound = clopper_pearson(18, 120, side="upper").high
    passing = largest_passing(120, ceiling=0.20)
    return [
        f"| constraint preservation | 513 / 540 | {preserved:.3f} | not from these counts |",
        rate("critical completeness", 164, 200),
        rate("correct with the original", 120, 200),
        rate("correct with the candidate", 132, 200),
        rate("regression", 18, 120),
        rate("gain", 30, 80),
        f"| McNemar, exact | 18 lost, 30 gained | p = {mcnemar_exact(18, 30).value:.4f} |",
        f"| McNemar, mid-p | 18 lost, 30 gained | p = {mcnemar_midp(18, 30).value:.4f} |",
        f"| no failure, exact | 0 of 200 | at most {zero_failure_upper(200).value:.5f} |",
        f"| no failure, rule of three | 0 of 200 | at most {3 / 200:.3f} |",
        f"| regression, upper bound | 18 of 120 | at most {bound:.4f} |",
        f"| losses that pass a ceiling of 20 % | of 120 | {passing.numerator},"
        f" bound {passing.high:.4f} |",
        "| chance to find 9 % lost and 15 % gained | 200 requests |"
        f" {mcnemar_power(200, regression=0.09, gain=0.15).value:.3f} |",
        "| smallest difference found with power 0.8 | 200 requests, 24 % differ |"
        f" {smallest_detectable(200, discordant=0.24).value:.4f} |",
    ]


def page():
    return PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("row", rows())
def test_the_page_has_what_the_functions_give(row):
    assert row in page()


def heads():
    """The numbers of the lines that begin a table."""
    lines = page().splitlines()
    tables = [number for number, line in enumerate(lines) if line.startswith("|")]
    return [number for number in tables if number - 1 not in tables]


def test_the_page_has_no_figures_but_these():
    named = {number + below for number in heads() for below in (0, 1)}
    lines = enumerate(page().splitlines())
    assert [line for n, line in lines if line.startswith("|") and n not in named] == rows()


def test_the_page_and_each_of_its_tables_are_labelled_hypothetical():
    lines = page().splitlines()
    assert lines[2].startswith("**HYPOTHETICAL")
    assert [lines[head - 2][:14] for head in heads()] == ["**HYPOTHETICAL"] * 3


def test_the_code_on_the_page_prints_what_the_page_says():
    code, printed = re.search(r"```python\n(.*?)```\n.*?```text\n(.*?)```", page(), re.S).groups()
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, str(PAGE), "exec"), {})  # noqa: S102 the page's own example
    assert said.getvalue() == printed
