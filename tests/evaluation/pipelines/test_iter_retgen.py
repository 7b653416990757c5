import pytest

from evaluation.pipelines import build_pipeline
from evaluation.readers import ReaderError
from evaluation.records import Answer
from evaluation.registry import PartError
from tests.evaluation.pipelines.kits import Listening, Search, entry, kit


def test_one_refinement_is_two_searches_and_two_answers() -> None:
    search, reader = Search(), Listening("Sea", "Sea plc")
    got = build_pipeline("iter_retgen", {}).run(entry("q"), kit(search=search, reader=reader))
    assert search.asked == [("q",), ("q Sea",)]
    assert (got.retrievals, got.generations, got.answer.text) == (2, 2, "Sea plc")
    assert reader.questions == ["q", "q"]
    assert [one["answer"] for one in got.notes["passes"]] == ["Sea", "Sea plc"]


def test_each_pass_adds_the_last_answer_alone() -> None:
    # FlashRAG's ITERRETGENPipeline: question, a blank, the last answer; three passes.
    search = Search()
    build_pipeline("iter_retgen", {"passes": 3}).run(
        entry("shown", "q"), kit(search=search, reader=Listening("a", "b", "c"))
    )
    assert search.asked == [("q",), ("q a",), ("q b",)]


def test_an_abstention_ends_it() -> None:
    got = build_pipeline("iter_retgen", {}).run(entry(), kit(reader=Listening(None)))
    assert (got.answer.text, got.retrievals, got.generations) == (None, 1, 1)


def test_the_costs_of_all_passes_are_added() -> None:
    one = Answer("a", latency_ms=5.0, tokens={"in": 10, "out": 1}, cost_usd=0.5)
    got = build_pipeline("iter_retgen", {}).run(entry(), kit(reader=Listening(one, one)))
    assert got.answer.tokens == {"in": 20, "out": 2}
    assert (got.answer.latency_ms, got.answer.cost_usd) == (10.0, 1.0)


def test_an_error_of_the_second_pass_has_the_costs_of_both() -> None:
    class Failing(Listening):
        def read(self, *asked: object) -> Answer:  # type: ignore[override]
            if self.answers:
                return self.answers.pop(0)
            raise ReaderError("no answer", tokens={"in": 4, "out": 2})

    with pytest.raises(ReaderError) as caught:
        build_pipeline("iter_retgen", {}).run(
            entry(), kit(reader=Failing(Answer("a", tokens={"in": 10, "out": 1})))
        )
    assert caught.value.tokens == {"in": 14, "out": 3}


def test_no_pass_is_refused() -> None:
    with pytest.raises(PartError, match="passes must lie between 1 and 8"):
        build_pipeline("iter_retgen", {"passes": 0})
