from evaluation.pipelines import build_pipeline
from evaluation.records import Answer
from tests.evaluation.pipelines.kits import Listening, Search, entry, kit


def test_it_searches_what_is_searched_and_shows_what_is_shown() -> None:
    search, reader = Search(), Listening(Answer("Sea plc", ("d2",)))
    got = build_pipeline("standard", {}).run(
        entry("shown", "searched"), kit(search=search, reader=reader)
    )
    assert (search.asked, reader.questions) == ([("searched",)], ["shown"])
    assert (got.answer.text, got.answer.citations) == ("Sea plc", ("d2",))
    assert [hit.id for hit in got.hits] == ["d1", "d2", "d3"]
    assert (got.searches, got.retrievals, got.generations) == (("searched",), 1, 1)


def test_it_searches_for_as_many_as_the_kit_says() -> None:
    assert len(build_pipeline("standard", {}).run(entry(), kit(k=1)).hits) == 1


def test_without_passages_nobody_is_asked() -> None:
    got = build_pipeline("standard", {}).run(entry(), kit(search=Search(()), reader=Listening()))
    assert (got.answer.text, got.generations, got.hits) == (None, 0, ())


def test_an_outcome_is_json_with_the_answer_s_words() -> None:
    told = build_pipeline("standard", {}).run(entry(), kit()).to_json()
    assert told["answer"] == "Sea plc" and told["searches"] == ["Who owns Harbor Rail?"]
