import pytest

from evaluation.rewriters import RewriteError
from tests.evaluation.rewriters.asking import ALONE, SPOKEN, Asked


def test_the_original_stands_before_the_wordings() -> None:
    rewrite = Asked("multi_query", "1. owner of Harbor Rail\n2. Harbor Rail parent").rewrite(ALONE)
    assert rewrite.kind == "expansion"
    assert rewrite.queries == (ALONE.text, "owner of Harbor Rail", "Harbor Rail parent")


def test_one_call_asks_for_n_wordings() -> None:
    asked = Asked("multi_query", "a", n=4)
    asked.rewrite()
    assert asked.said[0].startswith("Write 4 other wordings of the question")
    assert asked.said[0].endswith(f"\n\n{SPOKEN}Question: And its {{parent}}?\nQueries:")


def test_of_a_longer_list_the_first_n_are_taken() -> None:
    assert Asked("multi_query", "a\nb\nc", n=2).rewrite(ALONE).queries == (ALONE.text, "a", "b")


def test_repeats_of_the_original_count_once() -> None:
    rewrite = Asked("multi_query", "who owns harbor rail?\na").rewrite(ALONE)
    assert rewrite.queries == (ALONE.text, "a")


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("WHO OWNS HARBOR RAIL?", "only repeated the request"),
        ("a\none two three four five", "5 words where at most 4"),
        ("Query:", "no query"),
    ],
)
def test_a_reply_without_wordings_is_an_error_with_the_raw_text(reply: str, why: str) -> None:
    with pytest.raises(RewriteError, match=why) as caught:
        Asked("multi_query", reply, max_words=4).rewrite(ALONE)
    assert caught.value.raw == reply
