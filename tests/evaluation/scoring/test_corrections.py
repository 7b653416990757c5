"""What corrections did: repaired, left, damaged."""

import pytest

from evaluation.scoring.corrections import (
    Correction,
    entity_changed,
    fixed,
    has_error,
    normalised,
    overcorrected,
    rates,
)

CLEAN = "Who did Thomas Davis beat in 2015?"
TYPED = "Who did Thpmas Davis baet in 2015?"


@pytest.mark.parametrize(
    ("one", "is_fixed", "is_over"),
    [
        (Correction(CLEAN, TYPED, CLEAN), True, None),
        (Correction(CLEAN, TYPED, "who did thomas davis beat in 2015"), True, None),
        (Correction(CLEAN, TYPED, TYPED), False, None),
        (Correction(CLEAN, CLEAN, CLEAN), None, False),
        (Correction(CLEAN, CLEAN, "Who did Thomas Davis bear in 2015?"), None, True),
        (Correction(CLEAN, CLEAN.lower(), CLEAN), None, False),  # case alone is no error
    ],
)
def test_fixed_is_of_errors_and_overcorrected_of_clean_texts(
    one: Correction, is_fixed: bool | None, is_over: bool | None
) -> None:
    assert (fixed(one), overcorrected(one)) == (is_fixed, is_over)
    assert has_error(one) is (is_over is None)


@pytest.mark.parametrize(
    ("entered", "output", "changed"),
    [
        (TYPED, CLEAN, False),
        (TYPED, TYPED, False),  # the error stayed; nothing was made worse
        (TYPED, "Who did Thames Davis beat in 2015?", True),
        (TYPED, "Who did Thomas Davis beat in 2016?", True),
        (CLEAN, "Who did Thomas Dennis beat in 2015?", True),
        (CLEAN, "Whom did Thomas Davis beat in 2015?", False),
        (CLEAN, "Who did Davis beat in 2015?", True),
    ],
)
def test_a_name_or_number_that_is_lost_or_made_another(
    entered: str, output: str, changed: bool
) -> None:
    assert entity_changed(Correction(CLEAN, entered, output)) is changed


def test_rates_are_counts_of_their_own_kind() -> None:
    found = rates(
        [
            Correction(CLEAN, TYPED, CLEAN),
            Correction(CLEAN, TYPED, TYPED),
            Correction(CLEAN, CLEAN, "Who did Thomas Dennis beat in 2015?"),
        ]
    )
    assert (found.n_errors, found.n_clean) == (2, 1)
    assert (found.fixed, found.overcorrected) == (0.5, 1.0)
    assert found.changed_entity == pytest.approx(1 / 3)


def test_a_rate_of_nothing_is_none() -> None:
    found = rates([])
    assert (found.fixed, found.overcorrected, found.changed_entity) == (None, None, None)
    assert found.to_json()["n_errors"] == 0


def test_texts_are_compared_without_case_signs_and_blanks() -> None:
    assert normalised(" Don\u2019t  STOP, e-mail me! ") == "dont stop e mail me"
