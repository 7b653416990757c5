"""The published rules under their own names, with the vectors of SQuAD 1.1/2.0 (Rajpurkar et al.),
the in-accuracy rule and FlashRAG's `acc`; and where they are not applied.
"""

import pytest

from evaluation.scoring.answer_rules import answer_scores, golds_type
from evaluation.scoring.answers import typed_match


def values(answer, *golds):
    return {name: score.value for name, score in answer_scores(answer, golds).items()}


def test_every_rule_stands_under_its_own_name():
    assert list(values("the cat sat", "cat sat down")) == [
        "typed_match", "squad_exact_match", "squad_f1", "inacc", "flashrag_acc",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "gold", "exact", "f1", "token_rule", "substring"),
    # SQuAD's evaluate-v2.0.py; "art" in "the earth" is what parts InAcc from FlashRAG's acc.
    [
        ("the cat sat", "cat sat down", 0, 0.8, 0, 0),
        ("new york new york", "new york", 0, 2 / 3, 1, 1),
        ("state-of-the-art", "stateoftheart", 1, 1, 0, 1),
        ("the earth", "art", 0, 0, 0, 1),
        ("it is well-known", "wellknown", 0, 0.5, 0, 1),
    ],
)
def test_a_gold_of_words_has_the_published_scores(answer, gold, exact, f1, token_rule, substring):
    found = values(answer, gold)
    assert found["squad_exact_match"] == exact
    assert found["squad_f1"] == pytest.approx(f1)
    assert (found["inacc"], found["flashrag_acc"]) == (token_rule, substring)


@pytest.mark.parametrize(
    ("answer", "gold", "kind"),
    # "10.5" equals "105" and "-5" equals "5" once punctuation is deleted.
    [
        ("10.5", "105", "number"),
        ("-5", "5", "number"),
        ("about 3000 years", "3,000", "number"),
        ("14 per million hours", "1.4 per million hours", "number"),
        ("1972", "December 1972", "date"),
        ("Yes, it did.", "yes", "yes-no"),
        ("not Barack Obama", "Barack Obama", "entity"),
    ],
)
def test_rules_that_delete_punctuation_are_not_applied_to_typed_golds(answer, gold, kind):
    scores = answer_scores(answer, [gold])
    for name in ("squad_exact_match", "squad_f1", "flashrag_acc"):
        assert scores[name].value is None and f"type {kind}" in scores[name].why
    assert scores["inacc"].value is not None
    assert scores["typed_match"] == typed_match(answer, [gold])


def test_one_typed_gold_among_words_is_enough():
    assert golds_type(["early spring", "12 March"]) == "date"


def test_without_a_gold_every_rule_is_undefined_and_says_so():
    scores = answer_scores("anything", [])
    assert {(score.value, score.why) for score in scores.values()} == {
        (None, "The request has no gold answer.")
    }
    assert golds_type([]) == ""


def test_a_gold_that_only_squad_empties_is_undefined_there_and_stops_nothing():
    # "a-n" is the word "an" once the hyphen is deleted, and articles go.
    scores = answer_scores("n", ["a-n"])
    assert (scores["squad_f1"].value, scores["inacc"].value) == (None, 1.0)
    assert "would match anything" in scores["squad_f1"].why


def test_an_abstention_is_wrong_under_every_rule_that_applies():
    assert set(values(None, "by radio").values()) == {0.0}
