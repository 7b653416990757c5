"""From files to a corrector, and the command."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from evaluation.records import Document
from evaluation.training.corrector import CorrectorSettings
from evaluation.training.corrector_files import (
    Recipe,
    read_corpus,
    read_questions,
    train_from_files,
)
from evaluation.training.pairs import Corruption, TrainingError
from tests.evaluation.training.correctors import SETTINGS, random_base

QUESTIONS = [
    {"id": f"q{n}", "text": f"how much did Harbor Rail rise in week {n} ?", "typed": "how mch ?"}
    for n in range(5)
]
CORPUS = [
    {"_id": "d1", "title": "Harbor Rail", "text": "It rose by 4 % ."},
    {"_id": "d2", "title": "Ferries", "text": "Flat ."},
]


def lines(path: Path, rows: Any) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


def files(folder: Path) -> dict[str, Path]:
    return {
        "questions": lines(folder / "questions.jsonl", QUESTIONS),
        "corpus": lines(folder / "corpus.jsonl", CORPUS),
    }


def test_a_share_of_the_questions_is_corrupted_and_the_rest_are_identities(tmp_path: Path) -> None:
    made = train_from_files(
        **files(tmp_path),
        output=tmp_path / "made",
        base=random_base(tmp_path),
        recipe=Recipe(Corruption(rate=0.4, mix={"keyboard": 1})),
        settings=CorrectorSettings(**SETTINGS),
        index_dir=tmp_path / "indexes",
    )
    data = made.told["data"]
    assert (data["pairs"], data["identity"], data["planned"], data["failed"]) == (5, 3, 2, 0)
    assert data["retriever"]["name"] == "bm25"
    assert data["corruption"]["mix"] == {"keyboard": 1}


def test_the_command_trains_on_what_was_typed_and_says_what_came_of_it(tmp_path: Path) -> None:
    out = io.StringIO()
    call_command(
        "train_corrector",
        **files(tmp_path),
        base=random_base(tmp_path),
        output=tmp_path / "made",
        typed="typed",
        parameters=json.dumps(SETTINGS),
        json=True,
        stdout=out,
    )
    told = json.loads(out.getvalue())
    assert (told["pairs"], told["identity"], told["base"]) == (5, 0, "base")
    assert len(told["losses"]) == 1


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"parameters": "[]"}, "JSON object"),
        ({"parameters": '{"rank": 0}'}, "rank must be at least 1"),
        ({"parameters": '{"speed": 1}'}, "no parameter"),
        ({"mix": "visual:x"}, "--mix"),
        ({"rate": 2.0}, "between 0 and 1"),
        ({"retriever": "magic"}, "no retriever"),
        ({"questions": Path("none.jsonl")}, "cannot be read"),
    ],
)
def test_the_command_says_what_is_wrong(tmp_path: Path, options: dict[str, Any], why: str) -> None:
    given = {**files(tmp_path), "base": tmp_path, "output": tmp_path / "made", **options}
    with pytest.raises(CommandError, match=why):
        call_command("train_corrector", **given)


def test_rows_of_public_data_are_read_too(tmp_path: Path) -> None:
    path = lines(tmp_path / "q.jsonl", [{"qid": 7, "question": "Who?", "noisy": "Whp?"}])
    [found] = read_questions(path, "noisy")
    assert (found.id, found.clean, found.typed) == ("7", "Who?", "Whp?")
    path = lines(tmp_path / "c.jsonl", [{"doc_id": "d", "text": "x"}])
    assert list(read_corpus(path)) == [Document("d", "", "x")]


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([{"id": "a", "text": " "}], "row 1: a text in the field “text” or “question”"),
        ([{"id": "a", "text": "x"}] * 2, "row 2: there is a question “a” before"),
        ([[1]], "a JSON object"),
        ([], "has no question"),
    ],
)
def test_a_row_that_cannot_be_used_is_named(tmp_path: Path, rows: Any, why: str) -> None:
    with pytest.raises(TrainingError, match=why):
        list(read_questions(lines(tmp_path / "q.jsonl", rows)))
