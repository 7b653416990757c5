import pytest

from evaluation.generation.client import ChatClient
from evaluation.generation.endpoints import Prices
from evaluation.readers import ReaderError, build_reader
from evaluation.readers.prompted import INSTRUCTION, parse_answer
from evaluation.records import Answer, Document, Hit
from evaluation.retrieval import PartError
from tests.evaluation.generation.fake_endpoint import FakeEndpoint, Reply, fake_endpoint, says

DOCUMENTS = [Document("d9", "Harbor {Rail}", "It rose\n4 %."), Document("d3", "Ferries", "Flat.")]
PASSAGES = [(Hit(d.id, i, 1.0), d) for i, d in enumerate(DOCUMENTS, start=1)]


def run(*script: Reply, **parameters: object) -> tuple[Answer, FakeEndpoint]:
    with fake_endpoint(*script) as endpoint:
        client = ChatClient(endpoint.base_url, "", "fake")
        reader = build_reader("endpoint", parameters, generator=client)
        return reader.answer("How much\ndid it rise?", PASSAGES), endpoint


def test_an_answer_cites_the_document_of_its_passage() -> None:
    got, _ = run(says("Answer: 4 % [1]."))
    assert (got.text, got.citations, got.tokens) == ("4 %.", ("d9",), {"in": 7, "out": 3})


def test_the_prompt_numbers_and_titles_the_passages() -> None:
    _, endpoint = run(says("x"))
    [message] = endpoint.requests[0][2]["messages"]
    assert message["content"] == (
        f"{INSTRUCTION}\n\n[1] Harbor {{Rail}}\nIt rose 4 %.\n\n[2] Ferries\nFlat.\n\n"
        "Question: How much did it rise?\nAnswer:"
    )


def test_passages_are_cut_to_the_budget() -> None:
    _, endpoint = run(says("x"), max_passage_words=2)
    assert "[1] Harbor {Rail}\nIt rose\n\n" in endpoint.requests[0][2]["messages"][0]["content"]


@pytest.mark.parametrize("text", ["NOT FOUND", "Answer: not found.", "**NOT FOUND** [1]"])
def test_the_abstention_phrase_is_no_answer(text: str) -> None:
    got, _ = run(says(text))
    assert (got.text, got.citations) == (None, ())


@pytest.mark.parametrize(
    ("raw", "text", "numbers"),
    [
        ("12 March [2]", "12 March", [2]),
        ("12 March [1, 2]", "12 March", [1, 2]),
        ("[2] 12 March (passage 1).", "12 March.", [2, 1]),
        ("12 March", "12 March", []),
        ("In (2) cases [passage 3]", "In (2) cases", [3]),
        ("It was not found until 1990 [1]", "It was not found until 1990", [1]),
        ("The answer to the question is: 22", "22", []),
        ("The answer is: yes", "yes", []),
    ],
)
def test_citations_are_parsed_and_taken_out(raw: str, text: str, numbers: list[int]) -> None:
    assert parse_answer(raw) == (text, numbers)


def test_a_number_of_no_passage_is_no_citation_and_doubles_count_once() -> None:
    got, _ = run(says("4 % [7] [2] [0] [2]"))
    assert got.citations == ("d3",)


def test_no_passages_are_an_abstention_without_a_call() -> None:
    client = ChatClient("http://127.0.0.1:9", "", "fake")
    reader = build_reader("endpoint", {}, generator=client)
    assert reader.answer("x", []).text is None


def test_a_citation_without_an_answer_is_an_error() -> None:
    with pytest.raises(ReaderError, match="wrote no answer") as caught:
        run(says("[1]"))
    assert caught.value.raw == "[1]"


def test_a_cut_answer_is_an_error_unless_it_is_to_be_kept() -> None:
    cut = says("about four per", finish_reason="length")
    with pytest.raises(ReaderError, match="cut at 96 tokens"):
        run(cut)
    assert run(cut, on_cut="keep")[0].text == "about four per"


def test_a_reader_that_needs_a_model_says_so() -> None:
    with pytest.raises(PartError, match='The reader "endpoint" needs a language model'):
        build_reader("endpoint", {}, generator=None)


def test_an_answer_has_its_cost_and_so_has_a_cut_one() -> None:
    with fake_endpoint(says("4 % [1]"), says("4", finish_reason="length")) as endpoint:
        client = ChatClient(endpoint.base_url, "", "fake", prices=Prices(1.0, 1.0))
        reader = build_reader("endpoint", {}, generator=client)
        assert reader.answer("How much?", PASSAGES).cost_usd == pytest.approx(10e-6)
        with pytest.raises(ReaderError) as caught:
            reader.answer("How much?", PASSAGES)
    assert caught.value.cost_usd == pytest.approx(10e-6)


def test_a_row_without_a_known_cost_does_not_mention_one() -> None:
    assert "cost_usd" not in Answer("a").to_json()
    assert Answer.from_json(Answer("a", cost_usd=0.5).to_json()).cost_usd == 0.5
