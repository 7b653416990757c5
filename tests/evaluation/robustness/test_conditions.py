"""The four conditions: the worked example (F1 .30, .38, .36, .45) and what enters them."""

import numpy as np
import pytest

from evaluation.robustness.conditions import CONDITIONS, effects, wordings
from evaluation.robustness.measures import Scored
from evaluation.robustness.study import CLEAN, Item, Study
from evaluation.robustness.variations import figures
from tests.evaluation.robustness.building import WORDING, failed, study, worth

PAIRS = {
    "QE-DE": (WORDING, WORDING),
    "QE-DC": (WORDING, CLEAN),
    "QC-DE": (CLEAN, WORDING),
    "QC-DC": (CLEAN, CLEAN),
}


def under_four(by_condition: dict[str, list[Scored | float]], **more: object) -> Study:
    n = len(by_condition["QC-DC"])
    made = study({"standard": {}}, ["spelling"] * n, four_conditions=True, **more)
    rows = {}
    for condition, values in by_condition.items():
        for item, value in zip(made.sets[0].items, values, strict=True):
            row = value if isinstance(value, Scored) else worth(value)
            rows["standard", item.request, *PAIRS[condition]] = row
    return Study(made.golds, made.sets, made.pipelines, rows, True, made.settings)


def test_the_worked_example() -> None:
    found = effects(0.30, 0.38, 0.36, 0.45)
    assert [round(found[name], 12) for name in found] == [0.065, 0.085, 0.01]


def test_each_condition_shows_and_searches_its_own_wordings() -> None:
    item = Item("r", "spelling", WORDING)
    assert {name: wordings(name, item) for name in CONDITIONS} == PAIRS


def test_the_means_of_the_worked_example_give_its_effects() -> None:
    """100 requests whose F1 is a whole number and whose means are those of the example."""
    shares = dict(zip(CONDITIONS, (30, 38, 36, 45), strict=True))
    made = under_four({name: [1.0] * n + [0.0] * (100 - n) for name, n in shares.items()})
    (told,) = figures(made)["conditions"]
    f1 = told["measures"]["f1"]
    assert [f1["cells"][name]["value"] for name in CONDITIONS] == [0.30, 0.38, 0.36, 0.45]
    values = [f1["effects"][name]["value"] for name in ("query_effect", "document_effect")]
    assert values == pytest.approx([0.065, 0.085], abs=1e-12)
    assert f1["effects"]["interaction"]["value"] == pytest.approx(0.01, abs=1e-12)
    assert f1["n"] == 100


def test_the_interval_of_an_effect_is_that_of_its_request_by_request_values() -> None:
    """The percentiles of numpy's own resampling, within what 400 draws leave open."""
    draws = np.random.default_rng(5)
    table = {name: draws.random(40).tolist() for name in CONDITIONS}
    (told,) = figures(under_four(table))["conditions"]
    each = [effects(*row)["query_effect"] for row in zip(*table.values(), strict=True)]
    again = draws.choice(each, size=(4000, 40)).mean(axis=1)
    effect = told["measures"]["f1"]["effects"]["query_effect"]
    assert effect["value"] == pytest.approx(float(np.mean(each)))
    assert [effect["low"], effect["high"]] == pytest.approx(
        list(np.quantile(again, [0.025, 0.975])), abs=0.03
    )


def test_a_request_without_one_of_the_four_is_left_out_and_counted() -> None:
    made = under_four(
        {
            "QE-DE": [0.0, failed(), 0.0],
            "QE-DC": [0.0, 1.0, 1.0],
            "QC-DE": [0.0, 1.0, 1.0],
            "QC-DC": [1.0, 1.0, 1.0],
        }
    )
    (told,) = figures(made)["conditions"]
    em = told["measures"]["em"]
    assert (em["n"], em["left_out"], told["corrupted"]) == (2, 1, 3)
    assert em["cells"]["QC-DC"]["value"] == 1.0 and em["cells"]["QC-DC"]["n"] == 2


def test_without_any_complete_request_every_number_says_why() -> None:
    made = under_four({name: [failed()] for name in CONDITIONS})
    (told,) = figures(made)["conditions"]
    em = told["measures"]["em"]
    assert em["effects"]["interaction"]["value"] is None
    assert em["effects"]["interaction"]["reason"] == "The row failed, and an error is no score."
