import pytest

from evaluation.pipelines import build_pipeline
from evaluation.pipelines._prompts import after_marker
from evaluation.pipelines.base import PipelineError
from tests.evaluation.generation.fake_endpoint import says
from tests.evaluation.pipelines.kits import Search, entry, kit, model_says, said_to
from tests.evaluation.pipelines.token_table import TableModel, spelled

THOUGHT = "It says onws, so owns.\nPassage 2 has it.\nFinal answer: Sea plc [2]"


def test_the_answer_is_read_after_the_marker_with_its_citation() -> None:
    search = Search()
    with model_says(THOUGHT) as (client, endpoint):
        got = build_pipeline("cot_rag", {}).run(
            entry("Who onws it?", "searched"), kit(search=search, generator=client)
        )
        prompt = said_to(endpoint)[0]
    assert (got.answer.text, got.answer.citations) == ("Sea plc", ("d2",))
    assert search.asked == [("searched",)]
    assert "typing errors" in prompt and "Question: Who onws it?" in prompt
    assert "[2] Sea plc\nSea plc owns Harbor Rail." in prompt
    assert (got.retrievals, got.generations, got.notes["thoughts"]) == (1, 1, THOUGHT)
    assert got.answer.tokens == {"in": 7, "out": 3}


def test_thoughts_without_a_marker_are_an_error_with_what_was_written() -> None:
    with model_says("Sea plc, I think.") as (client, _), pytest.raises(PipelineError) as caught:
        build_pipeline("cot_rag", {}).run(entry(), kit(generator=client))
    assert caught.value.raw == "Sea plc, I think."
    assert caught.value.tokens == {"in": 7, "out": 3}


def test_an_abstention_after_the_marker_is_one() -> None:
    with model_says("Hm.\nFinal answer: NOT FOUND.") as (client, _):
        got = build_pipeline("cot_rag", {}).run(entry(), kit(generator=client))
    assert got.answer.text is None


def test_a_cut_reply_is_an_error_unless_it_is_to_be_kept() -> None:
    cut = says("Final answer: Sea", finish_reason="length")
    with model_says(cut) as (client, _), pytest.raises(PipelineError, match="cut at 384 tokens"):
        build_pipeline("cot_rag", {}).run(entry(), kit(generator=client))
    with model_says(cut) as (client, _):
        got = build_pipeline("cot_rag", {"on_cut": "keep"}).run(entry(), kit(generator=client))
    assert got.answer.text == "Sea"


def test_a_marker_without_an_answer_is_an_error() -> None:
    with (
        model_says("Final answer:") as (client, _),
        pytest.raises(PipelineError, match="no answer after"),
    ):
        build_pipeline("cot_rag", {}).run(entry(), kit(generator=client))


def test_a_model_of_this_process_answers_where_no_endpoint_is_set() -> None:
    said = "Final answer: Sea plc [2]".split()
    model = TableModel(*said, following=spelled(*said, after="Thoughts:"))
    got = build_pipeline("cot_rag", {}).run(entry(), kit(tokens=model))
    assert (got.answer.text, got.answer.citations) == ("Sea plc", ("d2",))
    assert got.answer.tokens is not None and got.answer.tokens["out"] == 5


def test_passages_that_the_model_has_no_room_for_are_left_out_from_the_end() -> None:
    said = "Final answer: Sea plc [3]".split()
    whole = build_pipeline("cot_rag", {}).run(
        entry(), kit(tokens=TableModel(*said, following=spelled(*said, after="Thoughts:")))
    )
    assert whole.answer.tokens is not None
    room = 384 + whole.answer.tokens["in"] - 1
    model = TableModel(*said, following=spelled(*said, after="Thoughts:"), context=room)
    got = build_pipeline("cot_rag", {}).run(entry(), kit(tokens=model))
    assert [hit.id for hit in got.hits] == ["d1", "d2"]
    assert got.answer.citations == ()  # passage 3 was not shown


def test_without_passages_it_abstains_and_asks_nobody() -> None:
    with model_says() as (client, _):
        got = build_pipeline("cot_rag", {}).run(entry(), kit(search=Search(()), generator=client))
    assert (got.answer.text, got.generations) == (None, 0)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Final answer: a\nfinal answer: b", "b"),
        ("**Final Answer:** b", "b"),
        ("The final answer is: b", "b"),
        ("Final answer:\n\n  b  \nmore", "b"),
        ("Final answer:", ""),
        ("the answer is b", None),
    ],
)
def test_the_line_after_the_last_marker_counts(text: str, answer: str | None) -> None:
    assert after_marker(text) == answer
