import pytest

from evaluation.rewriters import RewriteError
from tests.evaluation.generation.fake_endpoint import says
from tests.evaluation.rewriters.asking import ALONE, Asked

# Wang et al. 2023 (arXiv 2303.07678), sections 2 and 3: n = 5 for BM25, [SEP] for dense retrieval.
ASKED = "Who owns Harbor Rail?"


def test_a_sparse_query_repeats_the_request_five_times_before_the_passage() -> None:
    rewrite = Asked("query2doc", "Sea plc\ndoes.").rewrite(ALONE)
    assert rewrite.kind == "expansion"
    assert rewrite.queries == (" ".join([ASKED] * 5 + ["Sea plc does."]),)


def test_a_dense_query_has_one_request_a_separator_and_the_passage() -> None:
    rewrite = Asked("query2doc", "Sea plc does.", index="dense").rewrite(ALONE)
    assert rewrite.queries == (f"{ASKED} [SEP] Sea plc does.",)


def test_one_call_has_the_papers_prompt_without_examples() -> None:
    asked = Asked("query2doc", "x")
    asked.rewrite(ALONE)
    assert asked.said == [
        f"Write a passage that answers the given query:\n\nQuery: {ASKED}\nPassage:"
    ]
    assert asked.calls[0]["max_tokens"] == 128


def test_a_cut_passage_is_kept_unless_told_otherwise() -> None:
    cut = says("Sea", finish_reason="length")
    assert Asked("query2doc", cut, repeats=1).rewrite(ALONE).queries == (f"{ASKED} Sea",)
    with pytest.raises(RewriteError, match="cut at 128 tokens"):
        Asked("query2doc", cut, on_cut="error").rewrite()


def test_a_reply_without_a_passage_is_an_error_with_the_raw_text() -> None:
    with pytest.raises(RewriteError, match="no passage") as caught:
        Asked("query2doc", "Passage:\n").rewrite()
    assert caught.value.raw == "Passage:\n"
