"""Rewrites of invented requests in many styles: keywords, sub-queries, conversations, passages.

Labels follow from the definitions of `stated`, `altered` and `dropped` and were set before the
judge was seen to fail on them. "unsure" stands where it leaves the word to a person (another name
of the same thing is possible); null where the definitions leave room.
"""

import json
from pathlib import Path

import pytest

from contracts.terms import ContractTerms
from evaluation.records import RequestText, Rewrite
from evaluation.scoring.preservation import judge_rewrite

FILE = Path(__file__).with_name("wordings") / "referents-and-comparisons.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def shown(row: dict) -> str:
    return " | ".join(row["rewrite"]["queries"])


@pytest.mark.parametrize("row", ROWS, ids=shown)
def test_a_wording_does_to_each_constraint_what_the_definitions_say(row: dict) -> None:
    judged = judge_rewrite(
        RequestText.from_json(row["request"]),
        ContractTerms.from_json(row["contract"]),
        Rewrite.from_json(row["rewrite"]),
    )
    for item, label in zip(judged.judgements, row["labels"], strict=True):
        assert label in (None, item.judgement), item.why
