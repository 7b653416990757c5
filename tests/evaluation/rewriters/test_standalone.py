import pytest

from evaluation.rewriters import RewriteError
from evaluation.rewriters.standalone import INSTRUCTION
from tests.evaluation.generation.fake_endpoint import says
from tests.evaluation.rewriters.asking import ALONE, Asked


def test_the_models_question_is_the_query() -> None:
    rewrite = Asked("standalone", "Who owns Harbor Rail?").rewrite()
    assert (rewrite.kind, rewrite.queries) == ("standalone", ("Who owns Harbor Rail?",))
    assert rewrite.tokens == {"in": 7, "out": 3}


def test_the_prompt_is_that_of_ye_et_al_without_examples() -> None:
    # Ye et al. 2023 (arXiv 2310.09716): "Context: [Q: ... A: ...]", "Question:", "Rewrite:".
    asked = Asked("standalone", "x")
    asked.rewrite()
    assert asked.said == [
        f"{INSTRUCTION}\n\nContext: [Q: Harbor Rail? A: Yes.]\n"
        "Question: And its {parent}?\nRewrite:"
    ]


def test_a_request_without_turns_has_an_empty_context() -> None:
    asked = Asked("standalone", "x")
    asked.rewrite(ALONE)
    assert asked.said[0].endswith("Context: []\nQuestion: Who owns Harbor Rail?\nRewrite:")


@pytest.mark.parametrize("reply", ["a\nb", "Rewrite:", "one two three four"])
def test_a_reply_that_is_no_question_is_an_error_with_the_raw_text(reply: str) -> None:
    with pytest.raises(RewriteError) as caught:
        Asked("standalone", reply, max_words=3).rewrite()
    assert caught.value.raw == reply
    assert caught.value.tokens == {"in": 7, "out": 3}


def test_a_cut_reply_is_an_error_with_the_raw_text() -> None:
    with pytest.raises(RewriteError, match="cut at 96 tokens") as caught:
        Asked("standalone", says("Who ow", finish_reason="length")).rewrite()
    assert caught.value.raw == "Who ow"
