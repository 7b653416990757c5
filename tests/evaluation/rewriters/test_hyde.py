import pytest

from evaluation.rewriters import RewriteError
from tests.evaluation.generation.fake_endpoint import says
from tests.evaluation.rewriters.asking import ALONE, SPOKEN, Asked


def test_the_request_and_every_passage_are_queries() -> None:
    rewrite = Asked("hyde", "Passage: It is\nowned.", "By Sea plc.", n=2).rewrite(ALONE)
    assert rewrite.kind == "hypothetical"
    assert rewrite.queries == (ALONE.text, "It is owned.", "By Sea plc.")
    assert rewrite.tokens == {"in": 14, "out": 6}


def test_the_passages_can_stand_in_the_requests_place() -> None:
    assert Asked("hyde", "a", n=1, include_query=False).rewrite().queries == ("a",)


def test_no_two_samples_are_the_same_call() -> None:
    asked = Asked("hyde", "a", "b", "c", n=3, seed=5)
    asked.rewrite()
    assert [call["seed"] for call in asked.calls] == [5, 6, 7]
    assert len(set(asked.said)) == 1


def test_the_defaults_are_those_of_gao_et_al() -> None:
    # Gao et al. 2023 (arXiv 2212.10496) and their code: 8 samples, temperature 0.7, 512 tokens.
    asked = Asked("hyde", *"abcdefgh")
    assert len(asked.rewrite().queries) == 9
    assert {(call["temperature"], call["max_tokens"]) for call in asked.calls} == {(0.7, 512)}


def test_the_prompt_is_that_of_gao_et_al_with_the_conversation_before_it() -> None:
    alone, spoken = Asked("hyde", "a", n=1), Asked("hyde", "a", n=1)
    alone.rewrite(ALONE)
    spoken.rewrite()
    instruction = "Please write a passage to answer the question."
    assert alone.said == [f"{instruction}\n\nQuestion: Who owns Harbor Rail?\nPassage:"]
    assert spoken.said == [f"{instruction}\n\n{SPOKEN}Question: And its {{parent}}?\nPassage:"]


def test_a_cut_passage_is_kept_unless_told_otherwise() -> None:
    cut = says("It is", finish_reason="length")
    assert Asked("hyde", cut, n=1).rewrite().queries[1] == "It is"
    with pytest.raises(RewriteError, match="cut at 512 tokens") as caught:
        Asked("hyde", cut, n=1, on_cut="error").rewrite()
    assert caught.value.raw == "It is"


def test_a_sample_without_a_passage_is_an_error_not_a_smaller_sample() -> None:
    with pytest.raises(RewriteError, match="passage 2 of 3: the model wrote no passage") as caught:
        Asked("hyde", "a", "Passage:", n=3).rewrite()
    assert caught.value.raw == "Passage:"
    assert caught.value.tokens == {"in": 14, "out": 6}
