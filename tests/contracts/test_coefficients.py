"""Right values: Gwet's data sets and their published coefficients, where they lie beside the
project; Krippendorff (2011); the public trackers of libraries, named at each.
"""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.inter_rater import fleiss_kappa as fleiss_of_statsmodels

from contracts import coefficients as of
from contracts.coefficients import Codes, codes_of

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "agreement"
FUNCTIONS = {
    "krippendorff_alpha": lambda codes, _q: of.krippendorff_alpha(codes),
    "gwet_ac": of.gwet_ac1,
    "fleiss_kappa": lambda codes, _q: of.fleiss_kappa(codes),
    "cohen_kappa": lambda codes, _q: of.cohen_kappa(codes),
    "percent_agreement": lambda codes, _q: of.percent_agreement(codes),
}


def from_text(*raters: str) -> Codes:
    """One string a rater, a letter a unit, a dot where there is none."""
    rows = [[None if c == "." else c for c in unit] for unit in zip(*raters, strict=True)]
    return codes_of(rows, len(raters))[0]


def published() -> list[Any]:
    if not DATA.is_dir():
        return []
    sets = {d["dataset"]: d for d in map(json.loads, (DATA / "datasets.jsonl").open())}
    cases = []
    for line in (DATA / "expected.jsonl").open():
        said = json.loads(line)
        plain = said.get("weights") == "identity" and said["coefficient"] in FUNCTIONS
        if plain or said.get("metric"):
            name = f"{said['dataset']}-{said['coefficient']}-{said.get('metric') or 'identity'}"
            cases.append(pytest.param(sets[said["dataset"]], said, id=name))
        if plain and "pa" in said and said["coefficient"] == "gwet_ac":
            raw = {"coefficient": "percent_agreement", "value": said["pa"], "note": ""}
            cases.append(pytest.param(sets[said["dataset"]], raw, id=f"{said['dataset']}-pa"))
    return cases


def codes_of_dataset(data: dict[str, Any], said: dict[str, Any]) -> tuple[Codes, int]:
    """The ratings of a data set, and how many categories its source offered."""
    if data["kind"].startswith("contingency"):
        table = np.array(data["rows"])
        return np.repeat(np.argwhere(table >= 0), table.ravel(), axis=0), len(table)
    if data["kind"].startswith("distribution"):
        rows = [[c for c, n in enumerate(row) for _ in range(n)] for row in data["rows"]]
        most = max(map(len, rows))
        return np.array([row + [-1] * (most - len(row)) for row in rows]), len(data["columns"])
    rows = data["rows"]
    if "raters 2,3" in said.get("note", ""):
        rows = [row[1:3] for row in rows]
    if said.get("metric"):  # the numbers themselves are the values
        return np.array([[-1 if v is None else int(v) for v in row] for row in rows]), 0
    codes, categories = codes_of(rows, len(rows[0]))
    return codes, len(categories)


@pytest.mark.skipif(not DATA.is_dir(), reason="the published matrices are not beside the project")
@pytest.mark.parametrize(("data", "said"), published())
def test_published_coefficients_are_found_again(data: dict[str, Any], said: dict[str, Any]) -> None:
    codes, offered = codes_of_dataset(data, said)
    if said.get("metric"):
        found = of.krippendorff_alpha(codes, said["metric"])
    else:
        found = FUNCTIONS[said["coefficient"]](codes, offered)
    places = len(str(said["value"]).partition(".")[2])
    assert found.value == pytest.approx(said["value"], abs=0.51 * 10**-places)


def test_krippendorffs_two_observers_of_binary_data() -> None:
    # Krippendorff 2011, as quoted in jmgirard/mReliability #6
    found = of.krippendorff_alpha(from_text("0100000010", "1110010000"))
    assert found.value == pytest.approx(0.0952, abs=5e-5)


def test_krippendorffs_two_observers_of_nominal_data() -> None:
    found = of.krippendorff_alpha(from_text("112243335441", "212223335444"))  # the same
    assert found.value == pytest.approx(0.691964, abs=5e-7)


FOUR = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")


def test_krippendorffs_four_observers_with_gaps() -> None:
    assert of.krippendorff_alpha(from_text(*FOUR)).value == pytest.approx(904 / 1216)  # the same


def test_gwets_values_of_the_same_four_observers() -> None:
    codes = from_text(*FOUR)  # irrCA on the same data
    assert of.percent_agreement(codes).value == pytest.approx(0.818182, abs=5e-7)
    assert of.gwet_ac1(codes, 5).value == pytest.approx(0.775444, abs=5e-7)
    assert of.fleiss_kappa(codes).value == pytest.approx(0.76117, abs=5e-6)


def test_one_stray_rating_takes_alpha_to_zero_and_leaves_ac1_high() -> None:
    # fast-krippendorff #11 and o-P-o/disagree #7, confirmed there by Krippendorff
    codes = from_text("33333", "33333", "33333", "33331", "3...3")
    assert of.krippendorff_alpha(codes).value == pytest.approx(0.0, abs=1e-12)
    assert of.percent_agreement(codes).value == pytest.approx(0.92)
    ac1 = of.gwet_ac1(codes, 2).value
    assert ac1 is not None and ac1 > 0.9


def test_a_gap_is_no_category() -> None:
    codes = from_text("112", "11.", ".12")  # nltk #2865: 0.333 when gaps are a label
    assert of.krippendorff_alpha(codes).value == pytest.approx(1.0)


def test_unanimous_ratings_have_full_raw_agreement_and_no_alpha() -> None:
    codes = from_text("1" * 9, "1" * 9)  # dkpro-statistics #19 and #35
    assert of.percent_agreement(codes).value == 1.0
    for found in (of.krippendorff_alpha(codes), of.fleiss_kappa(codes), of.cohen_kappa(codes)):
        assert found.value is None and "no variation" in found.reason


def test_a_single_rater_gives_a_sentence_and_no_number() -> None:
    codes = from_text("123", "...")  # fast-krippendorff #26
    for found in (of.percent_agreement(codes), of.krippendorff_alpha(codes), of.gwet_ac1(codes, 3)):
        assert (found.value, found.reason) == (None, of.NO_PAIRS)


def test_ac1_is_not_defined_where_values_are_open() -> None:
    assert of.gwet_ac1(from_text("12", "12"), None).reason == of.OPEN


def test_the_example_of_raw_ninety_and_kappa_six_tenths() -> None:
    # 20 items: both yes 2, both no 16, one disagreement each way; kappa by statsmodels
    codes = from_text("11" + "0" * 16 + "10", "11" + "0" * 16 + "01")
    assert of.percent_agreement(codes).value == pytest.approx(0.90)
    found = of.cohen_kappa(codes).value
    assert found == pytest.approx(cohens_kappa([[16, 1], [1, 2]], return_results=False))
    assert found == pytest.approx(0.608, abs=5e-4)


ratings = st.lists(
    st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=2, max_size=30
).map(np.array)


@given(ratings)
def test_fleiss_kappa_is_that_of_statsmodels_without_gaps(codes: Codes) -> None:
    table = np.array([np.bincount(row, minlength=4) for row in codes])
    found = of.fleiss_kappa(codes)
    if found.value is not None:
        assert found.value == pytest.approx(fleiss_of_statsmodels(table))


@given(ratings)
def test_alpha_without_the_table_of_categories_is_the_librarys(codes: Codes) -> None:
    found = of.krippendorff_alpha(codes)
    if found.value is not None:
        expected = krippendorff.alpha(codes.T.astype(float), level_of_measurement="nominal")
        assert found.value == pytest.approx(expected)


@given(ratings, st.randoms())
def test_neither_the_order_of_units_nor_of_raters_matters(codes: Codes, rng: Any) -> None:
    units, raters = list(range(len(codes))), [0, 1, 2]
    rng.shuffle(units)
    rng.shuffle(raters)
    moved = codes[units][:, raters]
    for name in ("percent_agreement", "krippendorff_alpha", "fleiss_kappa"):
        before, after = getattr(of, name)(codes).value, getattr(of, name)(moved).value
        assert before == after or before == pytest.approx(after)


def test_the_published_values_cover_every_coefficient() -> None:
    if not DATA.is_dir():
        pytest.skip("the published matrices are not beside the project")
    covered: dict[str, int] = defaultdict(int)
    for case in published():
        covered[case.values[1]["coefficient"]] += 1
    assert set(covered) == set(FUNCTIONS)
