"""Expansion controls: what must pass, and the rate at which it does not (protocol rule R22)."""

import pytest

from contracts.terms import ConstraintTerms, ContractTerms, Span
from evaluation.records import RequestText
from evaluation.scoring.controls import false_rejection_rate, judge_control

TEXT = "What did Harbor Rail earn in 2021?"


def constraint(key, kind, words, value):
    start = TEXT.index(words)
    return ConstraintTerms(key, kind, "critical", value, Span(0, start, start + len(words)))


CONTRACT = ContractTerms(
    constraints=(
        constraint("c1", "referent", "Harbor Rail", {"name": "Harbor Rail"}),
        constraint("c2", "time", "in 2021", {"relation": "during", "start": "2021"}),
    )
)


def control(key, *texts):
    return judge_control(key, RequestText("r1", TEXT), "dated-fact", CONTRACT, texts)


def test_an_expansion_that_keeps_the_contract_passes():
    found = control("x1", "Harbor Rail revenue, turnover and earnings in 2021")
    assert (found.worst, found.best) == (True, True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Harbor Rail revenue in 2022", "altered c2"),
        ("Harbor Rail revenue", "dropped c2"),
    ],
)
def test_a_control_that_is_called_incomplete_is_rejected_with_the_reason(text, said):
    found = control("x1", text)
    assert found.best is False and found.texts[0].why.startswith(said)


def test_one_rejected_text_rejects_its_control():
    assert control("x1", "Harbor Rail earnings in 2021", "Harbor Rail in 2022").best is False


def test_the_rate_counts_controls_not_texts():
    right, wrong = control("x1", "Harbor Rail in 2021"), control("x2", "Harbor Rail", "Rail")
    rate = false_rejection_rate([right, wrong])
    assert (rate.worst.numerator, rate.worst.n, rate.worst.method) == (1, 2, "wilson")


def test_without_controls_there_is_no_rate():
    assert false_rejection_rate([]).worst.value is None
