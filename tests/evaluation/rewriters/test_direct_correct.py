import pytest

from evaluation.records import RequestText
from evaluation.rewriters import RewriteError
from evaluation.rewriters.direct_correct import INSTRUCTION
from tests.evaluation.rewriters.asking import ALONE, Asked

WRONG = RequestText("r", "Who onws Harbor Rial?")


def test_the_corrected_text_is_the_query() -> None:
    rewrite = Asked("direct_correct", "Corrected query: Who owns Harbor Rail?").rewrite(WRONG)
    assert rewrite.kind == "standalone"
    assert rewrite.queries == ("Who owns Harbor Rail?",)


def test_neither_documents_nor_turns_nor_date_are_shown() -> None:
    asked = Asked("direct_correct", "x")
    asked.rewrite()
    assert asked.said == [f"{INSTRUCTION}\n\nQuery: And its {{parent}}?\nCorrected query:"]


def test_a_text_without_errors_comes_back_unchanged_letter_by_letter() -> None:
    rewrite = Asked("direct_correct", "Who owns Harbor Rail?").rewrite(ALONE)
    assert (rewrite.kind, rewrite.queries) == ("unchanged", (ALONE.text,))


@pytest.mark.parametrize("reply", ["a\nb", "Query:", "one two three four"])
def test_a_reply_that_is_no_query_is_an_error_with_the_raw_text(reply: str) -> None:
    with pytest.raises(RewriteError) as caught:
        Asked("direct_correct", reply, max_words=3).rewrite(WRONG)
    assert caught.value.raw == reply
