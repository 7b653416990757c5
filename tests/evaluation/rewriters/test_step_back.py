import pytest

from evaluation.rewriters import RewriteError
from evaluation.rewriters.step_back import INSTRUCTION
from tests.evaluation.rewriters.asking import ALONE, SPOKEN, Asked


def test_the_general_question_stands_beside_the_original() -> None:
    rewrite = Asked("step_back", "Step-back question: Who owns railways?").rewrite(ALONE)
    assert rewrite.kind == "expansion"
    assert rewrite.queries == (ALONE.text, "Who owns railways?")


def test_the_instruction_is_that_of_zheng_et_al() -> None:
    # Zheng et al. 2023 (arXiv 2310.06117), the prompt of their table of step-back prompts.
    asked = Asked("step_back", "x")
    asked.rewrite()
    assert INSTRUCTION.startswith(
        "You are an expert at world knowledge. Your task is to step back and paraphrase a question "
        "to a more generic step-back question, which is easier to answer."
    )
    assert asked.said == [
        f"{INSTRUCTION}\n\n{SPOKEN}Original question: And its {{parent}}?\nStep-back question:"
    ]


@pytest.mark.parametrize(
    ("reply", "why"), [("who owns harbor rail?", "only repeated"), ("a\nb", "2 lines")]
)
def test_a_reply_without_a_general_question_is_an_error_with_the_raw_text(
    reply: str, why: str
) -> None:
    with pytest.raises(RewriteError, match=why) as caught:
        Asked("step_back", reply).rewrite(ALONE)
    assert caught.value.raw == reply
