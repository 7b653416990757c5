"""Figures over what two people said of variations, against published examples."""

import pytest

from evaluation.reports.varied.agreement import Review, by_kind, by_person


def pairs(both: int, first: int, second: int, neither: int, kind: str = "loud") -> list[Review]:
    """Reviews by persons 1 and 2 of the meaning, the category always right."""
    cells = [(True, True)] * both + [(True, False)] * first + [(False, True)] * second
    cells += [(False, False)] * neither
    return [
        Review(item, kind, person, said, True)
        for item, row in enumerate(cells)
        for person, said in enumerate(row, start=1)
    ]


def test_kappa_and_ac1_are_those_of_gwet_2002() -> None:
    """Gwet (2002), “Kappa statistic is not satisfactory”, Table 1: 118, 5, 2 and 0 of 125 cases:
    kappa is -0.0234 and AC1 0.9408.
    """
    meaning, _category = by_kind({"loud": 125}, pairs(118, 5, 2, 0))[0].answers
    assert meaning.kappa.value == pytest.approx(-0.0234, abs=5e-5)
    assert meaning.ac1.value == pytest.approx(0.9408, abs=5e-5)
    assert (meaning.same, meaning.both_yes, meaning.items) == (118, 118, 125)


def test_where_all_say_the_same_alpha_has_a_reason_and_the_number_of_items() -> None:
    meaning, _category = by_kind({"loud": 9}, pairs(9, 0, 0, 0))[0].answers
    assert meaning.raw.value == 1.0
    assert (meaning.alpha.value, meaning.alpha.n) == (None, 9)
    assert "no variation" in meaning.alpha.reason


def test_without_a_pair_every_figure_has_a_reason() -> None:
    (found,) = by_kind({"loud": 2}, [Review(1, "loud", 1, True, True)])
    assert (found.once, found.twice, found.passed.value) == (1, 0, None)
    reasons = {c.reason for a in found.answers for c in (a.raw, a.kappa, a.ac1, a.alpha)}
    assert reasons == {"no unit has two ratings"}


def test_kappa_is_not_defined_for_changing_pairs_of_people() -> None:
    said = pairs(2, 0, 0, 1)
    said += [Review(9, "loud", 2, True, True), Review(9, "loud", 3, False, True)]
    meaning, _category = by_kind({"loud": 4}, said)[0].answers
    assert meaning.kappa.value is None and "same two reviewers" in meaning.kappa.reason
    assert meaning.ac1.value is not None


def test_several_kinds_have_a_row_over_all_of_them() -> None:
    said = pairs(2, 0, 0, 0) + [
        Review(one.item + 100, "quiet", one.person, one.meaning, one.category)
        for one in pairs(1, 1, 0, 0)
    ]
    found = by_kind({"loud": 2, "quiet": 3}, said)
    assert [(one.kind, one.drawn, one.twice, one.passed.numerator) for one in found] == [
        ("loud", 2, 2, 2),
        ("quiet", 3, 2, 1),
        ("", 5, 4, 3),
    ]


def test_each_person_has_the_share_that_passed_for_them() -> None:
    found = by_person(pairs(3, 1, 0, 0))
    assert [(one.person, one.passed.numerator, one.passed.n) for one in found] == [
        (1, 4, 4),
        (2, 3, 4),
    ]
