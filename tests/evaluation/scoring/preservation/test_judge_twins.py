"""Every twin pair of the demo study as a rewrite that goes wrong in one place.

The twin's question, put in the place of the base's, must lose the one constraint in which the two
contracts differ, and keep all others. Where the twin is a follow-up, its stand-alone form is taken,
since by itself it names no referent.
"""

import pytest

from contracts.terms import ContractTerms
from evaluation.records import KEPT, RequestText, Rewrite
from evaluation.scoring.preservation import judge_rewrite
from tests.evaluation.demo.study import CONTRACTS, PAIRS, REQUESTS, RESOLVED_PAIRS, STANDALONE

# In these the twin's question leaves open whom it means. A pronoun or a bare noun states no
# referent, and puts no other one in its place either: lost, but not altered.
UNRESOLVED = [pair for pair in PAIRS if pair["family"] == "unresolved"]


def judged(base: str, text: str) -> dict[str, str]:
    found = judge_rewrite(
        RequestText.from_json(REQUESTS[base]),
        ContractTerms.from_json(CONTRACTS[base]),
        Rewrite("standalone", (text,)),
    )
    return {one.constraint: one.judgement for one in found.judgements}


def asked_alone(request: str) -> str:
    follow_up = bool(REQUESTS[request].get("turns"))
    return STANDALONE[request]["text"] if follow_up else REQUESTS[request]["text"]


def name(pair: dict[str, str]) -> str:
    return pair["id"]


@pytest.mark.parametrize("pair", RESOLVED_PAIRS, ids=name)
def test_the_twin_alters_the_flipped_constraint_and_states_the_rest(pair):
    labels = judged(pair["base"], asked_alone(pair["twin"]))
    expected = dict.fromkeys(labels, "stated") | {pair["constraint"]: "altered"}
    assert labels == expected


@pytest.mark.parametrize("pair", RESOLVED_PAIRS, ids=name)
def test_the_other_way_round_as_well(pair):
    labels = judged(pair["twin"], asked_alone(pair["base"]))
    expected = dict.fromkeys(labels, "stated") | {pair["constraint"]: "altered"}
    assert labels == expected


@pytest.mark.parametrize("pair", UNRESOLVED, ids=name)
def test_a_twin_that_leaves_its_referent_open_does_not_keep_it(pair):
    labels = judged(pair["base"], REQUESTS[pair["twin"]]["text"])
    assert labels.pop(pair["constraint"]) not in KEPT
    assert set(labels.values()) <= {"stated"}


@pytest.mark.parametrize("key", sorted({pair[side] for pair in PAIRS for side in ("base", "twin")}))
def test_the_words_of_the_request_state_what_they_ask(key):
    """Its own question loses nothing; only what a follow-up leaves to earlier turns is lost."""
    request, contract = REQUESTS[key], CONTRACTS[key]
    last = len(request.get("turns", []))
    labels = judged(key, request["text"])
    lost = [
        one["id"]
        for one in contract["constraints"]
        if one["span"]["turn"] == last
        and one["value"].get("from_turn") is None
        and not one["value"].get("unresolved")
        and labels[one["id"]] != "stated"
    ]
    assert lost == []
