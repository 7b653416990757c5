import json
from typing import Any

import pytest

from evaluation.training.files import passages_of, questions_of
from evaluation.training.pairs import Question, TrainingError


def lines(*rows: dict[str, Any]) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def request(**given: Any) -> dict[str, Any]:
    return {"id": "r1", "class": "fact", "text": "Which ferry?", **given}


def test_every_document_of_the_evidence_is_a_gold_passage() -> None:
    data = lines(request(evidence=[["d1", "d2"], ["d3", "d1"]], answers=["the Norrby"]))
    assert questions_of(data, "requests.jsonl") == [
        Question("r1", "Which ferry?", ("d1", "d2", "d3"), ("the Norrby",))
    ]


def test_requests_without_evidence_or_with_turns_before_them_are_left_out() -> None:
    turns = [{"role": "user", "text": "Tell me about ferries."}]
    data = lines(request(), request(id="r2", turns=turns, evidence=[["d1"]]))
    assert questions_of(data, "requests.jsonl") == []


def test_a_csv_is_read_as_an_import_reads_it() -> None:
    data = b'id,class,text,evidence\nr1,fact,Which ferry?,"[[""d1""]]"\n'
    assert questions_of(data, "requests.csv") == [Question("r1", "Which ferry?", ("d1",))]


def test_a_passage_is_what_the_retriever_embeds() -> None:
    data = lines({"_id": "d1", "title": "Ferries", "text": "Two."}, {"_id": "d2", "text": "One."})
    assert passages_of(data, "corpus.jsonl") == {"d1": "Ferries\nTwo.", "d2": "One."}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"{", r"requests\.jsonl, row 1: broken JSON|row 1"),
        (lines(request(evidence="d1")), "row 1, column evidence: expected lists"),
        (lines(request(id=7, evidence=[["d1"]])), "column id: an id must be a text"),
    ],
)
def test_what_cannot_be_read_has_its_row(data: bytes, sentence: str) -> None:
    with pytest.raises(TrainingError, match=sentence):
        questions_of(data, "requests.jsonl")


def test_a_corpus_with_one_id_twice_is_refused() -> None:
    row = {"_id": "d1", "text": "x"}
    with pytest.raises(TrainingError, match="row 2, column _id: the id “d1” stands twice"):
        passages_of(lines(row, row), "corpus.jsonl")


def test_of_many_faults_the_first_are_told_and_the_rest_counted() -> None:
    with pytest.raises(TrainingError, match=r"… and 15 more\."):
        passages_of(lines(*[{"_id": 1}] * 20), "corpus.jsonl")
