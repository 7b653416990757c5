import json
from collections import Counter
from itertools import chain

import pytest

from tests.evaluation.demo.study import (
    CORPUS,
    DOCUMENTS,
    FOLDER,
    PAIRS,
    PRACTICE,
    REQUESTS,
    RESOLVED_PAIRS,
    REWRITES,
    STANDALONE,
    evidence,
    read,
    says,
    texts,
    unresolved,
)

ALL = {**REQUESTS, **PRACTICE}
RESOLVED = [request for request in REQUESTS if not unresolved(request)]
CLASSES = {
    "dated-fact": 20,
    "organisation": 16,
    "comparison": 16,
    "status": 16,
    "follow-up": 22,
    "aggregate": 16,
}
ASKED = {"r012", "r028", "r050", "r080", "r081"}


def test_the_corpus_has_220_documents_and_no_two_have_the_same_text():
    assert len(set(CORPUS.values())) == len(CORPUS) == 220


def test_there_are_106_requests_in_six_classes_of_sixteen_or_more():
    assert Counter(request["class"] for request in REQUESTS.values()) == CLASSES
    assert sum(CLASSES.values()) == 106


def test_five_follow_ups_and_two_organisation_requests_are_unresolved():
    found = Counter(REQUESTS[r]["class"] for r in REQUESTS if unresolved(r))
    assert found == {"follow-up": 5, "organisation": 2}


@pytest.mark.parametrize("name", CLASSES)
def test_the_requests_of_a_class_are_not_all_of_one_mould(name):
    beginnings = {
        tuple(request["text"].split()[:3])
        for request in REQUESTS.values()
        if request["class"] == name
    }
    assert len(beginnings) >= 6


def test_no_two_requests_say_the_same_in_the_same_conversation():
    said = [tuple(texts(request)) for request in REQUESTS.values()]
    assert len(said) == len(set(said))


@pytest.mark.parametrize(
    ("name", "field"),
    [("corpus.jsonl", "_id"), ("requests.jsonl", "id"), ("practice.jsonl", "id")]
    + [("twins.jsonl", "id"), ("contracts.jsonl", "request")]
    + [("standalone.jsonl", "request"), ("rewrites.jsonl", "request")],
)
def test_no_id_stands_twice_in_a_file(name, field):
    ids = [row[field] for row in read(name)]
    assert len(ids) == len(set(ids))


def test_practice_requests_share_no_id_with_the_study():
    assert not PRACTICE.keys() & REQUESTS.keys()


def test_every_evidence_id_stands_in_the_corpus():
    assert set(chain.from_iterable(map(evidence, ALL.values()))) <= CORPUS.keys()


def test_resolved_requests_have_answers_and_evidence_and_unresolved_ones_have_neither():
    marked = {r for r in REQUESTS if {"answers", "evidence"} & REQUESTS[r].keys()}
    assert marked == set(RESOLVED)


@pytest.mark.parametrize("request_id", [r for r in ALL if "answers" in ALL[r]])
def test_the_answer_stands_in_every_evidence_document(request_id):
    request = ALL[request_id]
    without = [d for d in evidence(request) if not says(CORPUS[d], request["answers"])]
    assert without == []


@pytest.mark.parametrize("pair", RESOLVED_PAIRS, ids=lambda pair: pair["id"])
def test_neither_answer_stands_in_the_evidence_of_the_other_twin(pair):
    base, twin = REQUESTS[pair["base"]], REQUESTS[pair["twin"]]
    leaks = [
        (document, says(CORPUS[document], mine["answers"]))
        for mine, other in ((base, twin), (twin, base))
        for document in evidence(other)
        if says(CORPUS[document], mine["answers"])
    ]
    assert leaks == []


def test_every_follow_up_has_two_to_four_permitted_turns_and_ends_with_the_assistant():
    turns = [r["turns"] for r in REQUESTS.values() if r["class"] == "follow-up"]
    assert all(2 <= len(t) <= 4 and t[-1]["role"] == "assistant" for t in turns)


@pytest.mark.parametrize("request_id", RESOLVED)
def test_a_standalone_reference_names_no_answer(request_id):
    text = STANDALONE[request_id]["text"]
    assert says(text, REQUESTS[request_id]["answers"]) == []


def test_every_request_has_a_standalone_reference_and_unresolved_ones_a_clarifying_question():
    asking = {r for r, reference in STANDALONE.items() if reference.get("clarification")}
    assert STANDALONE.keys() == REQUESTS.keys()
    assert asking == {r for r in REQUESTS if unresolved(r)}


def test_every_request_has_one_rewrite_with_queries_or_a_clarification():
    assert REWRITES.keys() == REQUESTS.keys()
    assert all(bool(r["queries"]) != bool(r["clarification"]) for r in REWRITES.values())


def test_the_candidate_asks_only_where_the_contract_says_so():
    asked = {r for r, rewrite in REWRITES.items() if rewrite["clarification"]}
    assert asked == ASKED
    assert all(map(unresolved, asked))


def test_every_filter_of_the_candidate_leaves_the_evidence_in():
    metadata = {key: document["metadata"] for key, document in DOCUMENTS.items()}
    hidden = [
        (request, document)
        for request, rewrite in REWRITES.items()
        for document in evidence(REQUESTS[request])
        if any(metadata[document].get(f) != v for f, v in rewrite["filters"].items())
    ]
    assert hidden == []


def _rules():
    return json.loads((FOLDER / "protocol.json").read_text(encoding="utf-8"))["classes"]


def _pairs_of(name):
    return Counter(pair["family"] for pair in PAIRS if REQUESTS[pair["base"]]["class"] == name)


@pytest.mark.parametrize("name", CLASSES)
def test_the_study_meets_the_sizes_that_the_protocol_demands_of_a_class(name):
    resolved = [r for r in RESOLVED if REQUESTS[r]["class"] == name]
    wanted = {family: rule["min_pairs"] for family, rule in _rules()[name]["families"].items()}
    assert len(resolved) >= _rules()[name]["min_requests"]
    assert {family: _pairs_of(name)[family] >= pairs for family, pairs in wanted.items()} == (
        dict.fromkeys(wanted, True)
    )


@pytest.mark.parametrize("name", CLASSES)
def test_the_protocol_demands_every_family_with_three_pairs_or_more_in_a_class(name):
    large = {family for family, pairs in _pairs_of(name).items() if pairs >= 3}
    assert set(_rules()[name]["families"]) == large


def test_no_text_begins_or_ends_with_a_blank():
    assert all(text == text.strip() for request in ALL.values() for text in texts(request))
