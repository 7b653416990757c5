"""The language model as the judge of what the matchers left unsure: what it is asked, and that its
word is checked.
"""

import hashlib
import json
from typing import Any

import pytest

from contracts.terms import ContractTerms
from evaluation.constraint_judges import ConstraintJudgeError, build_constraint_judge
from evaluation.constraint_judges.endpoint import INSTRUCTION
from evaluation.generation.errors import EndpointError
from evaluation.records import Rewrite
from evaluation.registry import PartError
from evaluation.runs.stages import CaseInput, settle_unsure
from tests.evaluation.constraint_judges.asking import (
    CONTRACT,
    REQUEST,
    REWRITE,
    Asked,
    matched,
    reply,
    said,
)
from tests.evaluation.generation.fake_endpoint import Reply, says

DIGITS = hashlib.sha256(INSTRUCTION.encode()).hexdigest()[:8]
BOTH = reply(said("c1"), said("c2"))


def test_both_are_settled_with_one_call_by_a_name_that_says_what_judged() -> None:
    asked = Asked(BOTH)
    found = asked.settle()
    assert [found[key].judgement for key in ("c1", "c2")] == ["stated", "stated"]
    assert found["c1"].by == found["c2"].by == f"model:fake-1/{DIGITS}"
    assert len(asked.calls) == 1


def test_the_quote_is_kept_as_it_was_emitted_and_the_doubt_of_the_matcher_beside_the_reason() -> (
    None
):
    row = Asked(BOTH).settle()["c1"]
    assert row.quote == "AF  revenue"  # two blanks, as in the query
    assert row.why == "It says so. (The matcher was unsure: It may be meant.)"


def test_the_call_has_the_request_the_open_constraints_in_words_and_what_was_emitted() -> None:
    asked = Asked(BOTH)
    asked.settle()
    assert asked.told == {
        "today": "2024-05-01",
        "turns": [{"role": "user", "text": "Tell me about Lark Bakery."}],
        "request": REQUEST.text,
        "constraints": [
            {
                "constraint": "c1",
                "kind": "referent",
                "words": "Alder Foods",
                "means": "Alder Foods",
                "other_forms": ["Alder Group", "Alder"],
            },
            {
                "constraint": "c2",
                "kind": "time",
                "words": "fiscal year 2022",
                "means": "in fiscal 2022",
                "other_forms": [],
            },
        ],
        "rewrite": {"queries": list(REWRITE.queries), "filters": ["country = Norway"]},
    }


def test_the_endpoint_is_held_to_the_five_labels_and_to_no_other_key() -> None:
    asked = Asked(BOTH)
    asked.settle()
    held = asked.calls[0]["response_format"]["json_schema"]
    entry = held["schema"]["properties"]["judgements"]["items"]
    labels = ["stated", "filtered", "altered", "dropped", "unsure"]
    assert held["strict"] is True and entry["additionalProperties"] is False
    assert entry["properties"]["judgement"]["enum"] == labels
    assert sorted(entry["required"]) == ["constraint", "judgement", "quote", "why"]


def test_what_a_matcher_is_sure_of_is_not_changed_whatever_the_model_says_of_it() -> None:
    found = Asked(reply(said("c1"), said("c2"), said("c3"))).settle()
    assert found["c3"] == matched()[2]


def test_without_anything_unsure_nobody_is_asked() -> None:
    sure = matched("stated", "altered", "dropped")
    assert tuple(Asked().settle(rows=sure).values()) == sure


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"quote": "Alder Foods"}, "stands in no query of the rewrite"),
        ({"quote": "country = Norway"}, "stands in no query of the rewrite"),
        ({"quote": ""}, "stands in no query of the rewrite"),
        ({"quote": " . "}, "stands in no query of the rewrite"),
        ({"judgement": "filtered"}, "stands in no filter of the rewrite"),
        ({"judgement": "altered", "quote": "AX"}, "stands in neither query nor filter"),
        ({"judgement": "dropped"}, "dropped, yet quotes words for it"),
        ({"judgement": "kept"}, "'kept', which is no judgement"),
        ({"judgement": "unsure", "why": "AF may be a bank."}, "unsure too: AF may be a bank."),
        ({"constraint": "c9"}, "The model did not judge it."),
        ({"constraint": "c2"}, "The model did not judge it."),
    ],
)
def test_what_cannot_be_taken_leaves_that_constraint_as_the_matcher_left_it_with_the_reason(
    changed: dict[str, Any], reason: str
) -> None:
    before, after = matched()[0], Asked(reply(said("c1", **changed), said("c2"))).settle()["c1"]
    assert (after.judgement, after.by, after.quote) == ("unsure", before.by, before.quote)
    assert after.why.startswith(before.why) and reason in after.why


def test_one_that_cannot_be_taken_does_not_spoil_the_other() -> None:
    found = Asked(reply(said("c1", quote="Alder Foods"), said("c2"))).settle()
    assert [found[key].judgement for key in ("c1", "c2")] == ["unsure", "stated"]


def test_a_constraint_that_is_judged_twice_stays_unsure() -> None:
    twice = reply(said("c1"), said("c1", judgement="dropped", quote=""), said("c2"))
    row = Asked(twice).settle()["c1"]
    assert row.judgement == "unsure" and "judged it 2 times over" in row.why


@pytest.mark.parametrize(
    ("label", "quote"),
    [("altered", "country = Norway"), ("filtered", "Norway"), ("dropped", "")],
)
def test_each_label_is_quoted_from_where_it_says(label: str, quote: str) -> None:
    found = Asked(reply(said("c1", judgement=label, quote=quote), said("c2"))).settle()
    assert (found["c1"].judgement, found["c1"].quote) == (label, quote)


def test_filters_that_may_not_hold_are_told_apart() -> None:
    asked = Asked(BOTH)
    asked.settle(Rewrite("standalone", REWRITE.queries, {"or": [{"year": 2022}, {"year": 2023}]}))
    alternatives = ["year = 2022", "year = 2023"]
    assert asked.told["rewrite"]["filters_that_may_not_hold"] == alternatives


def test_json_in_a_fence_is_read() -> None:
    assert Asked(f"Here it is:\n```json\n{BOTH}\n```").settle()["c1"].judgement == "stated"


def test_a_reply_that_is_no_json_gets_one_repair() -> None:
    asked = Asked("Both are stated.", BOTH)
    assert asked.settle()["c2"].judgement == "stated"
    assert "the JSON alone" in asked.calls[1]["messages"][-1]["content"]


@pytest.mark.parametrize(
    "bad",
    [
        "stated",
        "[]",
        reply(),
        reply(said("c1", quote=None)),
        reply(said("c1", why=1)),
        reply({"constraint": "c1", "judgement": "stated"}),
        reply(said("c1", sure=True)),
        json.dumps({"judgements": [said("c1")], "score": 1}),
        reply(said("c1", why="\x00")),
    ],
)
def test_a_second_unreadable_reply_is_of_no_use(bad: str) -> None:
    with pytest.raises(ConstraintJudgeError, match="Asked twice") as fault:
        Asked(bad, bad).settle()
    assert (fault.value.raw or "").startswith(bad)


def test_a_reply_that_was_cut_is_of_no_use() -> None:
    with pytest.raises(ConstraintJudgeError, match="cut at 9 tokens"):
        Asked(says(BOTH[:40], finish_reason="length")).settle(max_tokens=9)


def test_an_empty_completion_is_of_no_use() -> None:
    with pytest.raises(ConstraintJudgeError, match="no judgement"):
        Asked(says("")).settle()


def test_a_case_that_is_too_long_is_put_to_nobody() -> None:
    with pytest.raises(ConstraintJudgeError, match="not asked: .* max_characters is 50"):
        Asked().settle(max_characters=50)


def test_a_failure_of_the_endpoint_goes_through_to_be_tried_again() -> None:
    with pytest.raises(EndpointError):
        Asked(Reply(status=401)).settle()


def test_without_a_model_it_is_refused() -> None:
    with pytest.raises(PartError, match="needs a language model"):
        build_constraint_judge("endpoint", {}, generator=None)


def test_the_name_of_who_judged_fits_its_column_and_keeps_the_hash() -> None:
    by = Asked(BOTH, model="m" * 200).settle()["c1"].by
    assert len(by) == 80
    assert by.startswith("model:mmm") and by.endswith(f"…/{DIGITS}")


def test_a_request_that_needs_clarification_is_put_to_nobody() -> None:
    unresolved = {**CONTRACT.to_json(), "ambiguity": {"unresolved": True, "readings": ["x", "y"]}}
    case = CaseInput(REQUEST, ContractTerms.from_json(unresolved))
    judged = {"judgements": [row.to_json() for row in matched()]}
    judge = build_constraint_judge("none", {}, generator=None)
    assert settle_unsure(judge, case, REWRITE, judged) is judged
