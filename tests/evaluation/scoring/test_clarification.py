"""Asking when it should, and only then (protocol rule R29)."""

from evaluation.scoring.clarification import clarification
from tests.evaluation.scoring.building import case


def rates(asks):
    cases = [case(f"u{i}", unresolved=True, asked=asks) for i in range(2)]
    score = clarification([*cases, case("r1", asked=asks)])
    return score.asked_when_unresolved.value, score.silent_when_resolved.value


def test_a_system_that_always_asks_shows_one_and_zero():
    assert rates(True) == (1.0, 0.0)


def test_a_system_that_never_asks_shows_zero_and_one():
    assert rates(False) == (0.0, 1.0)


def test_without_an_unresolved_request_the_first_rate_is_undefined():
    assert clarification([case()]).asked_when_unresolved.value is None


def test_a_failed_case_neither_asked_nor_kept_silent():
    assert clarification([case(status="provider_error")]).silent_when_resolved.value is None
