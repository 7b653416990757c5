import pytest

from evaluation.pipelines import build_pipeline
from evaluation.registry import PartError
from tests.evaluation.pipelines.kits import DOCUMENTS, Listening, Search, entry, kit
from tests.evaluation.pipelines.token_table import TableModel

QUESTION = "who?"


def loss(before: str, word: str) -> float:
    """The question is likeliest after d2, then d3, then d1; the question makes "owns" and "Rail."
    likelier, and "flat." less likely.
    """
    if word == QUESTION:
        return {"Sea": 1.0, "Ferries": 2.0, "Harbor": 3.0}[before.split()[0]]
    if not before.startswith(QUESTION):
        return 4.0
    return {"owns": 1.0, "Rail.": 2.0, "flat.": 9.0}.get(word, 3.5)


def run(reader: Listening, **parameters: object) -> object:
    model = TableModel(loss=loss)
    return build_pipeline("long_llm_lingua", parameters).run(
        entry(QUESTION), kit(reader=reader, tokens=model)
    )


def test_passages_rank_by_the_loss_of_the_question_after_them() -> None:
    got = run(Listening("Sea plc"))
    assert got.notes["ranked"] == ["d2", "d3", "d1"]  # type: ignore[attr-defined]
    assert got.notes["losses"] == [1.0, 2.0, 3.0]  # type: ignore[attr-defined]
    assert [hit.id for hit in got.hits] == ["d2", "d3", "d1"]  # type: ignore[attr-defined]


def test_each_passage_keeps_its_share_of_what_the_question_speaks_for() -> None:
    reader = Listening("Sea plc")
    got = run(reader)
    # 5, 3 and 6 tokens; the aim is 7 of 14, so shares of .5 + .3, .5 and .5 - .3.
    assert got.notes["ratios"] == pytest.approx([0.8, 0.5, 0.2])  # type: ignore[attr-defined]
    assert got.notes["tokens"] == {"before": [5, 3, 6], "after": [4, 1, 1]}  # type: ignore[attr-defined]
    texts = [document.text for _hit, document in reader.passages[0]]
    assert texts == ["Sea plc owns Rail.", "Ferries", "Harbor"]


def test_titles_and_the_question_are_not_compressed() -> None:
    reader = Listening("Sea plc")
    run(reader)
    assert reader.questions == [QUESTION]
    assert [d.title for _hit, d in reader.passages[0]] == ["Sea plc", "Ferries", "Harbor Rail"]


def test_passages_beyond_the_budget_are_dropped_whole() -> None:
    # 7 tokens are aimed at and none may be spent beyond: d2 (5) and d3 (3) spend them.
    reader = Listening("Sea plc")
    got = run(reader, more=0)
    assert [hit.id for hit in got.hits] == ["d2", "d3"]  # type: ignore[attr-defined]
    assert got.notes["ratios"] == pytest.approx([1.0, 0.575])  # type: ignore[attr-defined]


def test_a_rate_of_one_keeps_every_word() -> None:
    reader = Listening("Sea plc")
    run(reader, rate=1.0, delta=0.0)
    texts = {document.id: document.text for _hit, document in reader.passages[0]}
    assert texts == {document.id: document.text for document in DOCUMENTS}


def test_the_reader_alone_generates() -> None:
    got = run(Listening("Sea plc"))
    assert (got.retrievals, got.generations) == (1, 1)  # type: ignore[attr-defined]


def test_without_passages_it_abstains() -> None:
    got = build_pipeline("long_llm_lingua", {}).run(
        entry(), kit(search=Search(()), tokens=TableModel())
    )
    assert (got.answer.text, got.generations) == (None, 0)


@pytest.mark.parametrize(
    "parameters", [{"rate": 0.0}, {"rate": 1.5}, {"delta": -0.1}, {"more": -1}]
)
def test_a_parameter_out_of_its_range_is_refused(parameters: dict[str, object]) -> None:
    with pytest.raises(PartError):
        build_pipeline("long_llm_lingua", parameters)
