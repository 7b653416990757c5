import pytest

from evaluation.pipelines import build_pipeline
from evaluation.pipelines.base import PipelineError
from tests.evaluation.pipelines.kits import DOCUMENTS, Search, entry, kit
from tests.evaluation.pipelines.token_table import END, TableModel

FIRST, SECOND = DOCUMENTS[0].text, DOCUMENTS[1].text


def two_ways(first: dict[str, float], second: dict[str, float]) -> TableModel:
    """Says these words after the first and the second passage; then the answer ends."""

    def following(text: str) -> dict[str, float]:
        if not text.endswith("Answer:"):
            return {END: 1.0}
        return first if FIRST in text else second

    return TableModel("alpha", "beta", following=following)


def test_the_likeliest_word_of_the_mixture_is_written() -> None:
    # Scores 2 and 1 with p1 = (.7, .3), p2 = (.2, .8) mix to (.5655, .4345).
    model = two_ways({"alpha": 0.7, "beta": 0.3}, {"alpha": 0.2, "beta": 0.8})
    got = build_pipeline("replug", {}).run(entry(), kit(search=Search((2, 1)), tokens=model))
    assert got.answer.text == "alpha"
    assert got.notes["weights"] == pytest.approx([0.7311, 0.2689], abs=5e-5)
    assert (got.retrievals, got.generations) == (1, 2)  # a prompt for each passage


def test_with_the_scores_turned_round_the_other_word_is() -> None:
    model = two_ways({"alpha": 0.7, "beta": 0.3}, {"alpha": 0.2, "beta": 0.8})
    got = build_pipeline("replug", {}).run(entry(), kit(search=Search((1, 2)), tokens=model))
    assert got.answer.text == "beta"  # .2689 * .3 + .7311 * .8 = .6655


def test_flashrag_s_rule_can_choose_another_word() -> None:
    # Shares .9 and .1: mean probability of alpha .54; mean logits .9 ln .6 + .1 ln .0001 = -1.38
    # against .9 ln .4 + .1 ln .9999 = -.82.
    model = two_ways({"alpha": 0.6, "beta": 0.4}, {"alpha": 0.0001, "beta": 0.9999})
    found = [
        build_pipeline("replug", {"rule": rule})
        .run(entry(), kit(search=Search((9, 1)), tokens=model))
        .answer.text
        for rule in ("probabilities", "flashrag")
    ]
    assert found == ["alpha", "beta"]


def test_flashrag_s_rule_refuses_negative_scores_and_the_paper_s_does_not() -> None:
    model = two_ways({"alpha": 1.0}, {"alpha": 1.0})
    given = kit(search=Search((2, -1)), tokens=model)
    with pytest.raises(PipelineError, match="one of them is negative"):
        build_pipeline("replug", {"rule": "flashrag"}).run(entry(), given)
    assert build_pipeline("replug", {}).run(entry(), given).answer.text == "alpha"


def test_every_prompt_has_one_passage_and_goes_on_with_the_same_words() -> None:
    seen: list[str] = []

    def following(text: str) -> dict[str, float]:
        seen.append(text)
        return {END: 1.0} if text.endswith("alpha") else {"alpha": 1.0}

    model = TableModel("alpha", following=following)
    build_pipeline("replug", {}).run(entry("q"), kit(search=Search((1, 1)), tokens=model))
    assert [FIRST in text for text in seen] == [True, False, True, False]
    assert [text.endswith("Question: q Answer:") for text in seen] == [True, True, False, False]
    assert [text.endswith("Question: q Answer: alpha") for text in seen[2:]] == [True, True]


def test_it_stops_at_max_tokens_and_keeps_what_was_written_unless_told_otherwise() -> None:
    model = TableModel("alpha", following=lambda _text: {"alpha": 1.0})
    got = build_pipeline("replug", {"max_tokens": 3}).run(entry(), kit(tokens=model))
    assert (got.answer.text, got.notes["truncated"]) == ("alpha alpha alpha", True)
    with pytest.raises(PipelineError, match="cut at 3 tokens"):
        build_pipeline("replug", {"max_tokens": 3, "on_cut": "error"}).run(
            entry(), kit(tokens=model)
        )


def test_an_answer_of_no_words_is_an_error() -> None:
    model = TableModel(following=lambda _text: {END: 1.0})
    with pytest.raises(PipelineError, match="wrote no answer"):
        build_pipeline("replug", {}).run(entry(), kit(tokens=model))


def test_a_prompt_without_room_says_how_long_it_is() -> None:
    model = TableModel(context=40)
    with pytest.raises(PipelineError, match=r"take \d+ tokens; .* the model reads 8"):
        build_pipeline("replug", {}).run(entry(), kit(tokens=model))


def test_without_passages_it_abstains() -> None:
    got = build_pipeline("replug", {}).run(entry(), kit(search=Search(()), tokens=TableModel()))
    assert (got.answer.text, got.generations) == (None, 0)
