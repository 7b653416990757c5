"""Agreement before adjudication. The coefficients themselves are tested beside theirs; here is what
they are counted from.
"""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from contracts.agreement import (
    AMBIGUITY,
    MATERIALITY,
    ONE_REVIEWER,
    PRESENCE,
    VALUE,
    Reviewed,
    agreement,
    of_requests,
    ratings,
)
from contracts.alignment import align_all
from contracts.terms import Ambiguity, ConstraintTerms, ContractTerms, Span


def mark(name: str, start: int = 0, end: int = 5, weight: str = "critical") -> ConstraintTerms:
    return ConstraintTerms(
        f"c-{name}-{start}", "referent", weight, {"name": name}, Span(0, start, end)
    )


def quantity(value: float, start: int = 10) -> ConstraintTerms:
    said = {"operator": "=", "value": value}
    return ConstraintTerms(f"q-{start}", "quantity", "critical", said, Span(0, start, start + 3))


def request(key: str, *sheets: list[ConstraintTerms], unresolved: str = "") -> Reviewed:
    """One request; `unresolved` names the reviewers who marked it so, as in "ac"."""
    names = "abcdefgh"[: len(sheets)]
    return Reviewed(
        key,
        tuple(
            (name, ContractTerms(tuple(sheet), Ambiguity(name in unresolved)))
            for name, sheet in zip(names, sheets, strict=True)
        ),
    )


def test_a_constraint_that_only_one_saw_is_a_disagreement_on_presence() -> None:
    # dkpro-statistics #2: leaving the blank out made it 1.0
    found = agreement([request("r1", [mark("Lisbon")], [])])
    presence = found.figure(PRESENCE, "referent")
    assert (presence.raw.value, presence.units) == (0.0, 1)
    value = found.figure(VALUE, "referent")
    assert (value.raw.value, value.units, value.one_sided) == (None, 0, 1)


def test_found_alike_and_weighed_alike_are_two_numbers() -> None:
    found = agreement([request("r1", [mark("Lisbon")], [mark("Lisbon", weight="minor")])])
    assert found.figure(PRESENCE, "referent").raw.value == 1.0
    assert found.figure(VALUE, "referent").raw.value == 1.0
    assert found.figure(MATERIALITY, "referent").raw.value == 0.0


def test_one_sided_marks_are_counted_beside_the_score() -> None:
    # "last summer" against "summer" overlap and are one; a mark elsewhere is one-sided
    a = [mark("last summer", 0, 11), mark("Lisbon", 20, 26), mark("Porto", 40, 45)]
    b = [mark("summer", 5, 11), mark("Lisbon", 20, 26)]
    found = agreement([request("r1", a, b)])
    value = found.figure(VALUE, "referent")
    assert (value.units, value.one_sided, value.raw.value) == (2, 1, 0.5)
    assert found.figure(PRESENCE, "referent").raw.value == pytest.approx(2 / 3)


def test_a_kind_that_nobody_saw_in_a_request_is_agreement_on_its_absence() -> None:
    # 20 requests: both saw it in 2, nobody in 16, one each in 2; kappa by statsmodels
    both, none = [mark("x")], list[ConstraintTerms]()
    study = [request(f"b{n}", both, both) for n in range(2)]
    study += [request(f"n{n}", none, none) for n in range(16)]
    study += [request("a", both, none), request("z", none, both)]
    presence = agreement(study).figure(PRESENCE, "referent")
    assert (presence.raw.value, presence.units, presence.requests) == (0.9, 20, 20)
    assert presence.kappa.value == pytest.approx(
        cohens_kappa([[16, 1], [1, 2]], return_results=False)
    )
    assert presence.prevalence == {"absent": pytest.approx(0.85), "present": pytest.approx(0.15)}


def test_values_are_compared_as_what_they_say() -> None:
    found = agreement(
        [request("r1", [quantity(5), mark("Harbor  Rail")], [quantity(5.0), mark("harbor rail")])]
    )
    assert found.figure(VALUE).raw.value == 1.0


def test_several_identical_marks_on_one_span_are_no_error() -> None:
    twice = [mark("x"), ConstraintTerms("c9", "referent", "critical", {"name": "x"}, Span(0, 0, 5))]
    presence = agreement([request("r1", twice, [mark("x")])]).figure(PRESENCE, "referent")
    assert (presence.units, presence.raw.value) == (2, 0.5)


def test_three_reviewers_are_aligned_into_one_unit() -> None:
    units = align_all([[mark("x", 0, 5)], [mark("y", 1, 5)], [mark("x", 0, 4)]])
    assert [unit.seen_by for unit in units] == [3]


def test_the_mark_of_ambiguity_is_one_unit_a_request() -> None:
    study = [request("r1", [], [], unresolved="a"), request("r2", [], [], unresolved="ab")]
    found = agreement(study).figure(AMBIGUITY)
    assert (found.units, found.raw.value) == (2, 0.5)


def test_a_single_reviewer_gives_a_sentence_and_no_number() -> None:
    found = agreement([request("r1", [mark("x")])])
    assert (found.figures, found.alone, found.reason) == ((), 1, ONE_REVIEWER)


def test_kappa_needs_the_same_two_people_throughout() -> None:
    other = Reviewed("r2", (("a", ContractTerms()), ("c", ContractTerms())))
    kappa = agreement([request("r1", [], []), other]).figure(AMBIGUITY).kappa
    assert kappa.value is None and "two reviewers" in kappa.reason


def test_unanimous_sheets_have_no_alpha_and_say_so() -> None:
    study = [request(f"r{n}", [mark("x")], [mark("x")]) for n in range(9)]
    figure = agreement(study).figure(PRESENCE, "referent")
    assert (figure.raw.value, figure.units) == (1.0, 9)
    assert figure.alpha.value is None and "no variation" in figure.alpha.reason


def test_the_list_behind_a_number_has_its_units_and_differences_first() -> None:
    study = [request("r1", [mark("x")], [mark("x")]), request("r2", [mark("x")], [mark("y")])]
    behind = ratings(study, VALUE, "referent")
    assert [(rating.request, rating.agreed) for rating in behind] == [("r2", False), ("r1", True)]
    assert len(behind) == agreement(study).figure(VALUE, "referent").units


def test_a_request_says_on_what_its_reviewers_agree_kind_by_kind() -> None:
    a, b = [mark("x"), quantity(5)], [mark("y"), quantity(5)]
    found = of_requests([request("r1", a, b, unresolved="ab")])["r1"]
    assert found.kinds == {"referent": (0, 1), "quantity": (1, 1), AMBIGUITY: (1, 1)}


def test_each_request_has_its_own_agreement() -> None:
    study = [request("r1", [mark("x")], [mark("x")]), request("r2", [mark("x")], [mark("y")])]
    found = of_requests([*study, request("r3", [mark("x")])])
    assert found["r1"].value == 1.0
    assert found["r2"].value == 0.5  # the constraint differs, the mark of ambiguity does not
    assert found["r3"].reason == ONE_REVIEWER


marks = st.builds(
    mark,
    st.sampled_from(["x", "y"]),
    st.integers(0, 12),
    st.integers(13, 20),
    st.sampled_from(["critical", "minor"]),
)
sheets = st.lists(marks, max_size=4, unique_by=lambda c: c.id)
studies = st.lists(st.tuples(sheets, sheets, sheets), min_size=1, max_size=6).map(
    lambda rows: [request(f"r{n}", *row, unresolved="b" * (n % 2)) for n, row in enumerate(rows)]
)


@given(studies, st.randoms())
def test_no_order_changes_anything(study: list[Reviewed], rng: Any) -> None:
    moved = []
    for one in study:
        mixed = [
            (name, ContractTerms(tuple(rng.sample(t.constraints, len(t.constraints))), t.ambiguity))
            for name, t in one.sheets
        ]
        rng.shuffle(mixed)
        moved.append(Reviewed(one.request, tuple(mixed)))
    rng.shuffle(moved)
    before, after = agreement(study), agreement(moved)
    for x, y in zip(before.figures, after.figures, strict=True):
        assert (x.what, x.kind, x.units, x.one_sided, x.requests) == (
            y.what, y.kind, y.units, y.one_sided, y.requests,
        )  # fmt: skip
        for name in ("raw", "alpha", "ac1"):
            assert getattr(x, name).value == pytest.approx(getattr(y, name).value)


@given(studies)
def test_every_constraint_stands_in_exactly_one_unit(study: list[Reviewed]) -> None:
    for one in study:
        units = align_all([terms.constraints for _name, terms in one.sheets])
        for place, (_name, terms) in enumerate(one.sheets):
            there = [u.sides[place].id for u in units if u.sides[place]]  # type: ignore[union-attr]
            assert sorted(there) == sorted(c.id for c in terms.constraints)


# ---------------------------------------------------------------- intervals


def study_of(count: int) -> list[Reviewed]:
    rng = np.random.default_rng(5)
    names = ["x", "y"]
    return [
        request(
            f"r{n:03}",
            [mark(names[rng.integers(2)])] if rng.random() < 0.8 else [],
            [mark(names[rng.integers(2)])] if rng.random() < 0.8 else [],
            unresolved="ab"[: rng.integers(3)],
        )
        for n in range(count)
    ]


def test_the_same_seed_gives_the_same_interval() -> None:
    study = study_of(30)
    assert agreement(study, resamples=300, seed=4) == agreement(study, resamples=300, seed=4)


def test_an_interval_is_that_of_working_each_resample_out_anew() -> None:
    study = study_of(25)
    drawn = np.random.default_rng(0).integers(0, 25, (256, 25))[:200]
    by_hand: dict[str, list[float]] = {}
    for row in drawn:
        again = [Reviewed(f"{n}", study[i].sheets) for n, i in enumerate(row)]
        figure = agreement(again).figure(PRESENCE, "referent")
        for name in ("raw", "alpha", "ac1", "kappa"):
            value = getattr(figure, name).value
            if value is not None:
                by_hand.setdefault(name, []).append(value)
    figure = agreement(study, resamples=200, seed=0).figure(PRESENCE, "referent")
    for name, values in by_hand.items():
        interval = figure.intervals[name]
        assert interval.used == len(values)
        assert (interval.low, interval.high) == pytest.approx(np.quantile(values, [0.025, 0.975]))


@pytest.mark.parametrize("what", [PRESENCE, VALUE, MATERIALITY])
def test_an_interval_over_many_units_a_request_is_worked_out_alike(what: str) -> None:
    study = [
        request(f"r{n:02}", [mark("x"), quantity(n % 3)], [mark("xy"[n % 2]), quantity(n % 4)])
        for n in range(12)
    ]
    drawn = np.random.default_rng(0).integers(0, 12, (100, 12))
    figures = [
        agreement([Reviewed(f"{n}", study[i].sheets) for n, i in enumerate(row)]).figure(what)
        for row in drawn
    ]
    whole = agreement(study, resamples=100, seed=0).figure(what)
    for name in ("raw", "alpha", "ac1", "kappa"):
        values = [value for f in figures if (value := getattr(f, name).value) is not None]
        if name in whole.intervals:
            interval = whole.intervals[name]
            assert (interval.low, interval.high) == pytest.approx(
                np.quantile(values, [0.025, 0.975])
            )


def test_requests_are_resampled_and_not_their_units() -> None:
    # Ten identical units in each request make no interval narrower than one unit does.
    spread = [[mark("x", 20 * n, 20 * n + 5) for n in range(10)], []]
    many = [request(f"r{n}", spread[n % 2], spread[0]) for n in range(20)]
    few = [request(f"r{n}", spread[n % 2][:1], spread[0][:1]) for n in range(20)]
    wide = agreement(many, resamples=500).figure(PRESENCE, "referent").intervals["raw"]
    same = agreement(few, resamples=500).figure(PRESENCE, "referent").intervals["raw"]
    assert (wide.low, wide.high) == (same.low, same.high)


def test_one_request_has_no_interval() -> None:
    figure = agreement([request("r1", [mark("x")], [])], resamples=100).figure(PRESENCE, "referent")
    assert figure.intervals["raw"].low is None
    assert "one request" in figure.intervals["raw"].reason
