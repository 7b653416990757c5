"""The held-out cases themselves: well formed, of every kind, and as many kept as lost.

What the judge makes of them is measured by `python -m tests.bench.judge` and asserted nowhere, so
that nobody tunes it to them.
"""

from collections import Counter

import pytest

from contracts.checking import faults_of_terms
from contracts.terms import KINDS, ContractTerms
from evaluation.records import KEPT, REWRITE_KINDS, RequestText
from evaluation.scoring.judge_measures import LABELS
from tests.evaluation.scoring.preservation.held_out import CASES

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
LABELLED = [
    (one, case["expected"][one["id"]]) for case in CASES for one in case["contract"]["constraints"]
]


def test_no_id_comes_twice():
    assert Counter(case["id"] for case in CASES).most_common(1)[0][1] == 1


@each_case
def test_every_constraint_has_one_known_label(case):
    ids = [one["id"] for one in case["contract"]["constraints"]]
    assert list(case["expected"]) == ids
    assert set(case["expected"].values()) <= set(LABELS)
    assert set(case["expected_added"]) <= set(KINDS)


@each_case
def test_the_contract_holds_for_its_request(case):
    request = RequestText.from_json(case["request"])
    assert not faults_of_terms(ContractTerms.from_json(case["contract"]), request.texts)


@each_case
def test_a_span_marks_whole_words_counted_in_code_points(case):
    texts = [*(turn["text"] for turn in case["request"]["turns"]), case["request"]["text"]]
    for one in case["contract"]["constraints"]:
        text = texts[one["span"]["turn"]]
        marked = text[one["span"]["start"] : one["span"]["end"]]
        around = f" {text} "[one["span"]["start"]], f" {text} "[one["span"]["end"] + 1]
        assert marked and marked == marked.strip()
        assert not any(sign.isalnum() for sign in around)


@each_case
def test_a_rewrite_emits_something_and_filters_where_a_label_says_so(case):
    rewrite = case["rewrite"]
    assert rewrite["kind"] in REWRITE_KINDS
    assert rewrite["queries"] and all(query.strip() for query in rewrite["queries"])
    assert rewrite["filters"] or "filtered" not in case["expected"].values()


def test_every_kind_is_there_kept_and_lost():
    kinds = {(one["kind"], label in KEPT) for one, label in LABELLED}
    assert kinds == {(kind, kept) for kind in KINDS for kept in (True, False)}


def test_about_half_of_the_constraints_are_lost():
    kept = sum(label in KEPT for _, label in LABELLED)
    assert len(LABELLED) >= 260
    assert 0.5 <= kept / len(LABELLED) <= 0.6
    assert sum(bool(case["expected_added"]) for case in CASES) >= 15
