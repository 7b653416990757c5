"""Figures over variation sets: against scipy, statsmodels and published intervals."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from evaluation.robustness.study import Study, VariedSet
from evaluation.robustness.variations import figures
from evaluation.statistics import holm, sign_flip
from evaluation.statistics.bootstrap import bootstrap_interval
from tests.evaluation.robustness.building import failed, study, worth


def told(result: dict[str, Any], table: str, **wanted: str) -> dict[str, Any]:
    """The one row of a table of the result that has these values."""
    (row,) = [r for r in result[table] if all(r[name] == v for name, v in wanted.items())]
    return row


def of(
    result: dict[str, Any], pipeline: str, part: str, measure: str, set_: str = "typos 20"
) -> Any:
    row = told(result, "scores", pipeline=pipeline, set=set_, part=part)
    return row["measures"][measure]


def test_a_rate_has_its_n_and_wilson_s_interval() -> None:
    """Newcombe 1998: 15 of 148 is 0.0624 to 0.1605."""
    made = study({"standard": {"clean": [1.0] * 15 + [0.0] * 133}}, [""] * 148)
    em = of(figures(made), "standard", "all", "em")
    assert (em["n"], em["numerator"], em["method"]) == (148, 15, "wilson")
    assert [round(em["low"], 4), round(em["high"], 4)] == [0.0624, 0.1605]


def test_the_whole_set_its_halves_and_its_kinds_are_counted_apart() -> None:
    kinds = ["spelling", "visual", "", ""]
    values = {"clean": [1.0, 1.0, 1.0, 0.0], "varied": [0.0, 1.0]}
    result = figures(study({"standard": values}, kinds))
    parts = ("all", "clean", "corrupted", "kind:spelling", "kind:visual")
    found = [of(result, "standard", part, "f1") for part in parts]
    assert [each["value"] for each in found] == [0.5, 0.5, 0.5, 0.0, 1.0]
    assert [each["n"] for each in found] == [4, 2, 2, 1, 1]
    assert of(result, "standard", "all", "f1", "clean")["value"] == 0.75


def test_the_loss_against_the_clean_set_is_paired_and_tested_by_mcnemar() -> None:
    """11 worse, 1 better: exact p 0.00634765625, as statsmodels gives it."""
    clean = [1.0] * 11 + [0.0] + [1.0] * 8
    varied = [0.0] * 11 + [1.0] + [1.0] * 8
    result = figures(study({"standard": {"clean": clean, "varied": varied}}, ["spelling"] * 20))
    em = told(result, "to_clean", pipeline="standard", part="all")["measures"]["em"]
    assert em["test"]["value"] == 0.00634765625
    assert (em["worse"], em["better"], em["difference"]["value"]) == (11, 1, -0.5)


def test_what_is_graded_is_tested_by_flipping_signs() -> None:
    """scipy's permutation_test over all 2^8 sign patterns of the same differences."""
    draws = np.random.default_rng(3)
    clean, varied = draws.random(8), draws.random(8)
    values = {"clean": clean.tolist(), "varied": varied.tolist()}
    result = figures(study({"standard": values}, ["spelling"] * 8))
    f1 = told(result, "to_clean", pipeline="standard", part="all")["measures"]["f1"]
    expected = stats.permutation_test(
        (varied - clean,), np.mean, permutation_type="samples", n_resamples=np.inf
    )
    assert f1["test"]["value"] == pytest.approx(expected.pvalue)
    assert f1["difference"]["value"] == pytest.approx(float((varied - clean).mean()))


def test_a_twin_is_drawn_and_flipped_with_its_base() -> None:
    """Four equal differences in two clusters: 2 of the 4 sign patterns are as extreme, p = 0.5."""
    values = {"clean": [1.0] * 4, "varied": [0.0] * 4}
    bases = {"r0001": "r0000", "r0003": "r0002"}
    result = figures(study({"standard": values}, ["spelling"] * 4, bases=bases))
    em = told(result, "to_clean", pipeline="standard", part="all")["measures"]["em"]
    assert (em["test"]["value"], em["test"]["n"]) == (0.5, 2)
    assert of(result, "standard", "all", "em")["method"] == "bootstrap_mean"


def test_a_mean_is_what_it_would_be_alone_however_many_are_computed_together() -> None:
    draws = np.random.default_rng(5)
    clean, varied = draws.random(30).tolist(), draws.random(20).tolist()
    kinds = ["spelling"] * 20 + [""] * 10
    bases = {"r0001": "r0000", "r0029": "r0028"}
    made = study({"standard": {"clean": clean, "varied": varied}}, kinds, bases=bases)
    result = figures(made)
    names = [f"r{n:04d}" for n in range(30)]
    alone = bootstrap_interval(
        clean, clusters=[bases.get(name, name) for name in names], resamples=400, seed=1
    )
    assert of(result, "standard", "all", "f1", "clean") == alone.to_json()
    half = bootstrap_interval(clean[20:28] + clean[28:], resamples=400, seed=1, clusters=[
        *names[20:28], "r0028", "r0028"
    ])  # fmt: skip
    assert of(result, "standard", "clean", "f1") == half.to_json()


def test_the_tests_of_the_whole_and_of_what_is_varied_are_one_with_each_its_n() -> None:
    draws = np.random.default_rng(3)
    clean, varied = draws.random(30).tolist(), draws.random(25).tolist()
    values = {"clean": clean, "varied": varied}
    result = figures(study({"standard": values}, ["spelling"] * 25 + [""] * 5))
    whole = told(result, "to_clean", part="all")["measures"]["f1"]["test"]
    part = told(result, "to_clean", part="corrupted")["measures"]["f1"]["test"]
    assert (whole["n"], part["n"]) == (30, 25) and whole["value"] == part["value"]
    differences = [b - a for a, b in zip(clean, varied, strict=False)] + [0.0] * 5
    assert whole == sign_flip(differences, resamples=400, seed=1).to_json()


def test_every_other_pipeline_is_compared_with_the_standard_one_on_the_same_set() -> None:
    values = {
        "standard": {"clean": [1.0, 1.0, 0.0], "varied": [0.0, 0.0]},
        "hyde": {"clean": [1.0, 1.0, 0.0], "varied": [1.0, 0.0]},
    }
    result = figures(study(values, ["spelling", "spelling", ""]))
    rows = {(row["pipeline"], row["set"]): row for row in result["to_standard"]}
    assert set(rows) == {("hyde", "clean"), ("hyde", "typos 20")}
    em = rows["hyde", "typos 20"]["measures"]["em"]
    assert (em["difference"]["value"], em["better"]) == (pytest.approx(1 / 3), 1)


def test_the_family_of_holm_is_one_measure_over_every_pipeline_and_set() -> None:
    values = {
        "standard": {"clean": [1.0] * 12, "varied": [0.0] * 12},
        "hyde": {"clean": [1.0] * 12, "varied": [0.0] * 5 + [1.0] * 7},
    }
    result = figures(study(values, ["spelling"] * 12))
    rows = [row for row in result["to_clean"] if row["part"] == "all"]
    raw = [row["measures"]["em"]["test"]["value"] for row in rows]
    adjusted = [row["measures"]["em"]["adjusted"]["value"] for row in rows]
    assert raw == [2 / 2**12, 2 / 2**5]
    assert adjusted == [e.value for e in holm(raw)] == [2 * raw[0], raw[1]]


def test_a_failed_row_is_counted_and_never_scored() -> None:
    values = {"clean": [1.0, 1.0], "varied": [failed("The model wrote nothing."), 1.0]}
    result = figures(study({"standard": values}, ["spelling", "spelling"]))
    row = told(result, "scores", pipeline="standard", set="typos 20", part="all")
    assert row["rows"] == {"ok": 1, "abstained": 0, "failed": 1, "missing": 0}
    assert (row["measures"]["em"]["value"], row["measures"]["em"]["n"]) == (1.0, 1)
    paired = told(result, "to_clean", pipeline="standard", part="all")["measures"]["em"]
    assert paired["left_out"] == {"The row failed, and an error is no score.": 1}
    assert result["coverage"]["reasons"] == {"The model wrote nothing.": 1}
    assert result["coverage"]["by_pipeline"] == {"standard": {"failed": 1, "ok": 3}}


def test_a_variation_that_could_not_be_made_is_counted_and_belongs_to_no_part() -> None:
    made = study({"standard": {"clean": [1.0, 1.0], "varied": [0.0]}}, ["spelling", ""])
    (one,) = made.sets
    from dataclasses import replace

    items = (replace(one.items[0], wording=""), one.items[1])
    result = figures(replace(made, sets=[replace(one, items=items)]))
    assert result["sets"][1]["without_variant"] == 1 and result["sets"][1]["corrupted"] == 0
    assert of(result, "standard", "all", "em")["n"] == 1
    assert of(result, "standard", "corrupted", "em")["reason"] == "There is no request in it."


def test_without_answers_recall_alone_has_a_value_and_the_rest_says_why() -> None:
    none = dict.fromkeys(("em", "f1", "acc", "inacc", "typed"))
    values = {"clean": [worth(1.0, **none)] * 3, "varied": [worth(0.5, **none)] * 3}
    result = figures(study({"standard": values}, ["spelling"] * 3))
    assert of(result, "standard", "all", "recall")["value"] == 0.5
    f1 = of(result, "standard", "all", "f1")
    assert (f1["value"], f1["reason"]) == (None, "The request has no gold answer.")
    paired = told(result, "to_clean", pipeline="standard", part="all")["measures"]["f1"]
    assert paired["test"]["value"] is None and paired["adjusted"]["value"] == 1.0


def test_a_curve_goes_from_the_clean_set_over_the_rates_of_a_family() -> None:
    made = study({"standard": {"clean": [1.0] * 5, "varied": [0.0] * 5}}, ["spelling"] * 5)
    (full,) = made.sets
    fewer = tuple(i if n < 2 else type(i)(i.request) for n, i in enumerate(full.items))
    sets = [
        VariedSet("forty", full.items, 0.4, "spelling"),
        VariedSet("twenty", fewer, 0.2, "spelling"),
    ]
    nested = Study(made.golds, sets, made.pipelines, made.rows, settings=made.settings)
    (curve,) = figures(nested)["curves"]
    points = [(p["rate"], p["set"], p["measures"]["f1"]["value"]) for p in curve["points"]]
    assert points == [(0.0, "clean", 1.0), (0.2, "twenty", 0.6), (0.4, "forty", 0.0)]


def test_the_order_of_the_rows_changes_nothing() -> None:
    values = {"clean": [1.0, 0.0, 1.0, 0.5], "varied": [0.0, 0.0, 0.5]}
    made = study({"standard": values, "hyde": values}, ["spelling", "visual", "spelling", ""])
    turned = dict(reversed(list(made.rows.items())))
    again = Study(made.golds, made.sets, made.pipelines, turned, settings=made.settings)
    assert figures(made) == figures(again)
