"""CondaQA's edited passages become twin pairs of statements that differ in a polarity."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from contracts.terms import ContractTerms
from evaluation.converting.condaqa import convert, one_run
from evaluation.converting.source import ConvertedPairs, SourceError
from evaluation.records import RequestText, Rewrite
from evaluation.scoring.preservation import judge_rewrite

BEFORE, AFTER = "Penn spoke in the street. ", " He was tried in 1670."
SENTENCE = "The jury called the sermon unlawful."
OPPOSITE = {"original": "NO", "affirmative": "YES"}


def version(edit: str, sentence: str, **changed: Any) -> dict[str, Any]:
    row = {
        "doc_id": f"cq-1-{edit}",
        "passage_id": 1,
        "edit": edit,
        "cue": "unlawful",
        "original_sentence": SENTENCE,
        "text": f"{BEFORE}{sentence}{AFTER}",
    }
    return row | changed


def converted(
    affirmative: str = "The jury called the sermon lawful.",
    labels: dict[str, str] = OPPOSITE,
    **changed: Any,
) -> ConvertedPairs:
    passages = [
        version("original", SENTENCE),
        version("paraphrase", "The sermon was against the law, said the jury."),
        version("affirmative", affirmative, **changed),
    ]
    return convert(passages, [{"qid": "1-q1", "passage_id": 1, "question": "?", "labels": labels}])


def test_the_requests_are_the_sentence_of_either_version() -> None:
    texts = [row["text"] for row in converted().requests]
    assert texts == [SENTENCE, "The jury called the sermon lawful."]


def test_each_statement_requires_the_version_that_says_it() -> None:
    made = converted()
    assert [row["evidence"] for row in made.requests] == [
        [["cq-1-original"]],
        [["cq-1-affirmative"]],
    ]
    assert [row["_id"] for row in made.corpus] == ["cq-1-original", "cq-1-affirmative"]


def test_the_contracts_differ_in_one_polarity_that_denies_the_other_s_words() -> None:
    made = converted()
    found = [ContractTerms.from_json(row).constraints for row in made.contracts]
    assert [(c.id, c.kind, c.value["target"], c.admissible) for (c,) in found] == [
        ("c1", "polarity", "lawful", ("unlawful",)),
        ("c1", "polarity", "unlawful", ("lawful",)),
    ]
    assert [(row["family"], row["constraint"]) for row in made.twins] == [("direction", "c1")]


def test_the_judge_finds_each_statement_s_own_polarity_and_not_the_other_s() -> None:
    made = converted()
    terms = [ContractTerms.from_json(row) for row in made.contracts]
    texts = [row["text"] for row in made.requests]
    said = [
        [
            judge_rewrite(RequestText("r", text), one, Rewrite("unchanged", (text,)))
            .judgements[0]
            .judgement
            for one in terms
        ]
        for text in texts
    ]
    assert (said[0][0], said[1][1]) == ("stated", "stated")
    assert "stated" not in (said[0][1], said[1][0])


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (converted(labels={"original": "NO", "affirmative": "NO"}), "opposite answers"),
        (converted(labels={"original": "NO", "affirmative": "DON'T KNOW"}), "opposite answers"),
        (
            converted(text=f"Penn spoke. The sermon was lawful.{AFTER}"),
            "more than the one sentence",
        ),
        (converted("A jury called this sermon quite lawful."), "one short, unrepeated run"),
        (converted("The jury called the sermon a thing that the law allows."), "unrepeated run"),
        (converted("The jury called the speech unlawful."), "one short, unrepeated run"),
    ],
)
def test_what_the_rule_is_not_sure_of_is_left_out_and_counted(
    made: ConvertedPairs, why: str
) -> None:
    assert made.twins == () and made.requests == ()
    assert [count for reason, count in made.left_out.items() if why in reason] == [1]


@pytest.mark.parametrize(
    ("original", "affirmative", "cue", "runs"),
    [
        ("It was not opposed.", "It was opposed.", "not", ["not opposed", "opposed"]),
        ("As an unofficial show.", "As a public show.", "unofficial", ["unofficial", "public"]),
        ("He is unmarried.", "He is married .", "unmarried", ["unmarried", "married"]),
        ("They lack teeth.", "They have teeth.", "no", None),
        ("It bans it to ban him.", "It asks it to ban him.", "bans", ["bans", "asks"]),
        ("It bans this and bans that.", "It asks this and bans that.", "bans", None),
        ("It secured the law, not him.", "It secured the law, secured him.", "not", None),
    ],
)  # fmt: skip
def test_the_run_of_words_that_differs(
    original: str, affirmative: str, cue: str, runs: list[str] | None
) -> None:
    found = one_run(original, affirmative, cue)
    assert (found and [side.words for side in found]) == runs


def test_a_missing_field_is_named() -> None:
    with pytest.raises(SourceError, match="passages.jsonl, row 1: no field “edit”"):
        convert([{"passage_id": 1}], [])


def test_the_command_says_what_was_made_and_what_was_left_out(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    rows = [version("original", SENTENCE), version("affirmative", SENTENCE.replace("un", ""))]
    lines = "\n".join(json.dumps(row) for row in rows)
    (source / "passages.jsonl").write_text(lines, encoding="utf-8")
    (source / "questions.jsonl").write_text("", encoding="utf-8")
    out = io.StringIO()
    call_command("convert_condaqa", source, tmp_path / "made", stdout=out)
    assert (
        out.getvalue()
        .strip()
        .endswith("Left out: 1 passages without a question of opposite answers.")
    )
