import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from evaluation.converting.mtrag import convert
from evaluation.converting.source import SourceError, read_lines

DOCUMENT = {"doc_id": "p1", "domain": "govt", "title": "Libraries", "text": "Libraries\nOpen."}
TASK = {
    "qid": "c<::>2",
    "conversation_id": "c",
    "domain": "govt",
    "turn": 2,
    "input": [
        {"speaker": "user", "text": "May I visit the law library?"},
        {"speaker": "agent", "text": "Yes."},
        {"speaker": "user", "text": "How do I hire one?"},
    ],
    "automatic_rewrite": "How do I hire a lawyer?",
    "gold_doc_ids": ["p1", "p2"],
    "question_type": ["How-To"],
}


def test_the_last_turn_is_the_text_and_those_before_it_are_the_turns() -> None:
    request = convert([], [TASK]).requests[0]
    assert request["text"] == "How do I hire one?"
    assert request["turns"] == [
        {"role": "user", "text": "May I visit the law library?"},
        {"role": "assistant", "text": "Yes."},
    ]


def test_every_relevant_passage_is_one_required_item() -> None:
    assert convert([], [TASK]).requests[0]["evidence"] == [["p1"], ["p2"]]


def test_the_class_is_the_domain() -> None:
    assert convert([], [TASK]).requests[0]["class"] == "govt"


def test_the_automatic_rewrite_is_a_standalone_rewrite() -> None:
    assert convert([], [TASK]).rewrites == (
        {"request": "c<::>2", "kind": "standalone", "queries": ["How do I hire a lawyer?"]},
    )


@pytest.mark.parametrize("rewrite", [None, ""])
def test_a_task_without_a_rewrite_is_left_out_and_counted(rewrite: str | None) -> None:
    converted = convert([], [{**TASK, "automatic_rewrite": rewrite}])
    assert (converted.requests, converted.rewrites, converted.without_rewrite) == ((), (), 1)


def test_a_document_keeps_its_domain() -> None:
    assert convert([DOCUMENT], []).corpus[0] == {
        "_id": "p1",
        "title": "Libraries",
        "text": "Libraries\nOpen.",
        "metadata": {"domain": "govt"},
    }


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"input": TASK["input"][:2]}, "row 1: the last turn is not the user's."),
        ({"input": []}, "row 1: the last turn is not the user's."),
        (
            {"input": [{"speaker": "bot", "text": "?"}, TASK["input"][0]]},
            "the speaker “bot” is not known.",
        ),
    ],
)
def test_a_task_of_another_shape_is_refused_with_its_row(changed: dict, sentence: str) -> None:
    with pytest.raises(SourceError, match=sentence):
        convert([], [{**TASK, **changed}])


def test_a_missing_field_is_named() -> None:
    with pytest.raises(SourceError, match="corpus.jsonl, row 1: no field “title”"):
        convert([{"doc_id": "p1"}], [])


def test_broken_json_is_named_with_its_row() -> None:
    with pytest.raises(SourceError, match="tasks.jsonl, row 2: broken JSON"):
        read_lines("{}\n{", "tasks.jsonl")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "corpus.jsonl").write_text(json.dumps(DOCUMENT))
    (folder / "tasks.jsonl").write_text(json.dumps({**TASK, "gold_doc_ids": ["p1"]}))
    return folder


def test_the_command_writes_three_files_and_counts(source: Path, tmp_path: Path) -> None:
    out = io.StringIO()
    call_command("convert_mtrag", source, tmp_path / "made", stdout=out)
    assert sorted(file.name for file in (tmp_path / "made").iterdir()) == [
        "corpus.jsonl",
        "requests.jsonl",
        "rewrites.jsonl",
    ]
    assert out.getvalue().startswith("1 documents, 1 requests and 1 rewrites were written to")


def test_the_command_overwrites_nothing(source: Path) -> None:
    with pytest.raises(CommandError, match="is there already: name an empty folder"):
        call_command("convert_mtrag", source, source)


def test_the_command_names_a_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="corpus.jsonl cannot be read"):
        call_command("convert_mtrag", tmp_path, tmp_path / "made")
