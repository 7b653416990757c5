"""Answer rules against SQuAD, FlashRAG and the in-accuracy rule, and the faults of other tools."""

import pytest

from evaluation.scoring.answers import (
    flashrag_acc,
    inacc,
    squad_exact_match,
    squad_f1,
    typed_match,
)


@pytest.mark.parametrize(
    ("answer", "gold", "exact", "f1"),
    # The rules of SQuAD's evaluate-v2.0.py; the last two show why it is no rule for numbers.
    [
        ("the cat sat", "cat sat down", 0, 0.8),
        ("new york new york", "new york", 0, 0.666667),
        ("Barack Hussein Obama", "Barack Obama", 0, 0.8),
        ("", "", 1, 1),
        ("A", "B", 0, 0),
        ("café", "cafe", 0, 0),
        ("“Paris”", "Paris", 0, 0),
        ("state-of-the-art", "stateoftheart", 1, 1),
        ("The U.S. Senate!", "us senate", 1, 1),
        ("10.5", "105", 1, 1),
        ("-5", "5", 1, 1),
    ],
)
def test_squad_rules_give_the_official_scores(answer, gold, exact, f1):
    scores = squad_exact_match(answer, [gold]).value, squad_f1(answer, [gold]).value
    assert scores == pytest.approx((exact, f1), abs=1e-6)


@pytest.mark.parametrize(
    ("answer", "gold", "token_rule", "substring_rule"),
    # In-accuracy of Jang et al. 2026 beside FlashRAG's acc.
    [
        ("the earth", "art", 0, 1),
        ("about 3000 years", "3,000", 0, 1),
        ("well-known", "well known", 1, 0),
        ("Barack Hussein Obama", "Barack Obama", 0, 0),
        ("The U.S. Senate!", "u.s. senate", 1, 1),
    ],
)
def test_in_accuracy_compares_tokens_and_flashrag_substrings(
    answer, gold, token_rule, substring_rule
):
    scores = inacc(answer, [gold]).value, flashrag_acc(answer, [gold]).value
    assert scores == (token_rule, substring_rule)


@pytest.mark.parametrize("rule", [inacc, flashrag_acc, typed_match, squad_f1])
@pytest.mark.parametrize("gold", ["The", "A", "---"])
def test_a_gold_that_normalises_to_nothing_is_refused(rule, gold):
    # UltraRAG #509: gold "A" gave accuracy 1.0 for any answer.
    with pytest.raises(ValueError, match="would match anything"):
        rule("anything", [gold])


@pytest.mark.parametrize("rule", [inacc, flashrag_acc, typed_match, squad_exact_match])
def test_without_a_gold_the_score_is_not_applicable(rule):
    assert rule("anything", []).value is None


RIGHT = [
    ("Revenue was 1,200 million euros.", "EUR 1.2 billion", "number"),
    ("$5 million", "$5,000,000", "number"),
    ("about 3000 years", "3,000", "number"),
    ("1.5 km", "1500 m", "number"),
    ("3 league goals", "3 goals", "number"),
    ("twelve", "12", "number"),
    ("5 percent", "5 %", "number"),
    ("150", "150 km", "number"),
    ("On 14 December 1972.", "December 1972", "date"),
    ("30 September 2019", "2019-09-30", "date"),
    ("It was in December 1972", "1972", "date"),
    ("No, it fell.", "no", "yes-no"),
    ("Harbor Holdings plc", "Harbor Holdings", "entity"),
    ("It is not Paris but Rome", "Rome", "entity"),
    ("Apollo 11", "Apollo 11", "entity"),
    ("It was BEYONCE", "Beyoncé", "entity"),
    ("Lark Bakery's second shop", "Lark Bakery", "entity"),
    ("Not Michelle, but Barack Obama", "Barack Obama", "entity"),
    ("Not only Barack Obama", "Barack Obama", "entity"),
    # Who did not approve it? The negation belongs to what was asked.
    ("It was not approved by the Ministry of Ports", "Ministry of Ports", "entity"),
]
WRONG = [
    ("10.5", "105", "number"),
    ("150 km", "5", "number"),
    ("-5", "5", "number"),
    ("150 miles", "150 km", "number"),
    ("It grew 5", "5%", "number"),
    ("5%", "5", "number"),
    ("EUR 5", "$5", "number"),
    ("EUR 1.2 million", "EUR 1.2 billion", "number"),
    ("3 matches", "3 goals", "number"),
    ("COVID-19", "19", "number"),
    ("one of them", "one", "number"),
    ("not 5 but 6", "5", "number"),
    ("in 1972", "14 December 1972 UTC", "date"),
    ("14 December 1973", "December 1972", "date"),
    ("Yes", "no", "yes-no"),
    ("It is not Paris", "Paris", "entity"),
    ("Michelle Obama", "Barack Obama", "entity"),
    ("Barack Hussein Obama", "Barack Obama", "entity"),
    ("not Barack Obama", "Barack Obama", "entity"),
    ("It wasn't President Barack Obama", "Barack Obama", "entity"),
    ("Rome rather than Paris", "Paris", "entity"),
    ("neither Paris nor Rome", "Rome", "entity"),
    ("It isn't 5 but 6", "5", "number"),
    ("the earth", "art", "inacc"),
]


@pytest.mark.parametrize(("answer", "gold", "rule"), RIGHT)
def test_typed_match_accepts_the_same_value_in_other_words(answer, gold, rule):
    score = typed_match(answer, [gold])
    assert (score.value, score.rule) == (1.0, rule)


@pytest.mark.parametrize(("answer", "gold", "rule"), WRONG)
def test_typed_match_refuses_another_value(answer, gold, rule):
    score = typed_match(answer, [gold])
    assert (score.value, score.rule) == (0.0, rule)


def test_any_gold_suffices_and_is_named():
    assert typed_match("eight", ["seven", "8"]).gold == "8"


def test_an_abstention_is_not_correct_and_says_so():
    score = typed_match(None, ["Paris"])
    assert (score.correct, score.rule) == (False, "abstained")
