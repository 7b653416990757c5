"""What notebooks and other programs may rely on: names, parameters and the shape of results."""

import inspect
import re
from pathlib import Path

import pytest

from contracts import agreement
from evaluation import statistics
from evaluation.scoring import ranking

PAGE = Path(__file__).resolve().parents[3] / "docs" / "statistics.md"
# The parameters of each function; those after the star by name only.
PUBLIC = {
    statistics: {
        "mcnemar_exact": "regressions, gains",
        "mcnemar_midp": "regressions, gains",
        "sign_flip": "differences, *, clusters, resamples, seed",
        "bootstrap_interval": "values, *, clusters, statistic, level, resamples, seed",
        "bootstrap_intervals": "columns, *, clusters, statistic, level, resamples, seed",
        "wilson": "k, n, *, level",
        "clopper_pearson": "k, n, *, level, side",
        "zero_failure_upper": "n, *, level",
        "clean_requests_needed": "ceiling, *, level, failures",
        "holm": "p",
        "benjamini_hochberg": "p",
        "largest_passing": "n, *, ceiling, level",
        "release_power": "n, *, rate, ceiling, level",
        "mcnemar_power": "n, *, regression, gain, alpha, test",
        "smallest_detectable": "n, *, alpha, power, discordant, test",
    },
    ranking: {
        "recall_at": "ranked, relevant, k",
        "ndcg_at": "ranked, grades, k",
        "reciprocal_rank": "ranked, relevant, k",
    },
    agreement: {
        "percent_agreement": "units",
        "krippendorff_alpha": "units, *, level",
        "gwet_ac1": "units, *, categories",
        "cohen_kappa": "a, b",
    },
}
FUNCTIONS = [(module, name) for module, names in PUBLIC.items() for name in names]


@pytest.mark.parametrize(("module", "name"), FUNCTIONS)
def test_a_public_function_has_its_parameters_and_says_what_it_gives(module, name):
    function = getattr(module, name)
    parameters = list(inspect.signature(function).parameters.values())
    by_name = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    said = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    said += ["*", *by_name] if by_name else []
    assert ", ".join(said) == PUBLIC[module][name]
    assert function.__doc__


def test_all_of_the_statistics_is_exported():
    assert set(PUBLIC[statistics]) | {"Estimate"} == set(statistics.__all__)


RESULTS = (
    statistics.wilson(1, 2),
    statistics.mcnemar_exact(1, 2),
    statistics.sign_flip([]),
    statistics.bootstrap_interval([1.0]),
    *statistics.holm([None]),
    statistics.mcnemar_power(10, regression=0.1, gain=0.1),
    ranking.recall_at("a", [], 1),
    agreement.krippendorff_alpha([]),
    agreement.cohen_kappa("ab", "ab"),
)


@pytest.mark.parametrize("found", RESULTS)
def test_every_result_is_a_value_or_a_reason_with_its_n(found):
    assert isinstance(found.value, float) or (found.value is None and found.reason)
    assert isinstance(found.n, int)


def test_the_page_names_every_public_function_and_none_that_does_not_exist():
    called = set(re.findall(r"`(\w+)\(", PAGE.read_text(encoding="utf-8")))
    named = {name for _, name in FUNCTIONS if f"`{name}" in PAGE.read_text(encoding="utf-8")}
    assert named == {name for _, name in FUNCTIONS}
    assert called <= named
