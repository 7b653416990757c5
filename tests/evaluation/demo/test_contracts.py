from collections import Counter

import pytest

from tests.evaluation.demo.study import (
    CONTRACTS,
    FIXTURES,
    PAIRS,
    REQUESTS,
    SHEETS,
    evidence,
    texts,
    unresolved,
)

# The fields of each kind, as the table of the file formats names them.
FIELDS = {
    "referent": {"name", "aliases", "from_turn", "unresolved"},
    "time": {"relation", "start", "end", "calendar"},
    "quantity": {"operator", "value", "high", "unit", "currency", "aggregation"},
    "polarity": {"mode", "target"},
    "status": {"value", "rivals"},
    "comparison": {"sets", "direction", "measure"},
    "evidence": {"source"},
}
FAMILIES = {
    "date": 2,
    "organisation": 2,
    "direction": 2,
    "status": 2,
    "aggregation": 1,
    "referent": 1,
}


def everything_said():
    return [*CONTRACTS.values(), *SHEETS]


def by_id(request_id):
    return {c["id"]: c for c in CONTRACTS[request_id]["constraints"]}


def test_every_request_has_one_contract_with_two_to_five_constraints():
    assert CONTRACTS.keys() == REQUESTS.keys()
    assert all(2 <= len(c["constraints"]) <= 5 for c in CONTRACTS.values())


def test_every_resolved_request_has_a_critical_constraint():
    without = [
        request
        for request, contract in CONTRACTS.items()
        if not unresolved(request)
        and all(c["materiality"] != "critical" for c in contract["constraints"])
    ]
    assert without == []


def test_every_kind_of_constraint_occurs_several_times():
    kinds = Counter(c["kind"] for said in CONTRACTS.values() for c in said["constraints"])
    assert kinds.keys() == FIELDS.keys()
    assert min(kinds.values()) >= 3


def test_every_value_has_exactly_the_fields_of_its_kind():
    strange = [
        (said["request"], constraint["id"])
        for said in everything_said()
        for constraint in said["constraints"]
        # A time has a reference date only where the wording counts from "now".
        if set(constraint["value"]) - {"reference_date"} != FIELDS[constraint["kind"]]
        or ("reference_date" in constraint["value"] and constraint["kind"] != "time")
    ]
    assert strange == []


def test_every_span_lies_in_its_turn_and_has_no_blank_at_either_end():
    wrong = []
    for said in everything_said():
        turns = texts(REQUESTS[said["request"]])
        for constraint in said["constraints"]:
            span = constraint["span"]
            words = turns[span["turn"]][span["start"] : span["end"]]
            if not words or len(words) != span["end"] - span["start"] or words != words.strip():
                wrong.append((said["request"], constraint["id"], words))
    assert wrong == []


def test_only_unresolved_contracts_list_readings_and_they_list_two():
    readings = {r: len(c["ambiguity"]["readings"]) for r, c in CONTRACTS.items()}
    assert readings == {r: 2 if unresolved(r) else 0 for r in CONTRACTS}


def test_every_request_has_one_sheet_of_each_annotator():
    wanted = {(r, a): 1 for r in REQUESTS for a in ("annotator-a", "annotator-b")}
    assert Counter((sheet["request"], sheet["annotator"]) for sheet in SHEETS) == wanted


def test_the_sheets_of_eight_requests_differ_from_the_contract():
    differing = {
        sheet["request"]
        for sheet in SHEETS
        if any(sheet[f] != CONTRACTS[sheet["request"]][f] for f in ("constraints", "ambiguity"))
    }
    assert len(differing) == 8


def test_the_twin_pairs_cover_the_families_and_there_are_two_controls():
    assert Counter(f["family"] for f in FIXTURES) == {**FAMILIES, "control": 2}


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["id"])
def test_twins_differ_in_the_value_of_exactly_the_named_constraint(pair):
    base, twin = by_id(pair["base"]), by_id(pair["twin"])
    assert {i: c["kind"] for i, c in base.items()} == {i: c["kind"] for i, c in twin.items()}
    assert [i for i in base if base[i]["value"] != twin[i]["value"]] == [pair["constraint"]]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["id"])
def test_twins_agree_in_materiality_and_in_the_admissible_forms_of_all_other_constraints(pair):
    base, twin = by_id(pair["base"]), by_id(pair["twin"])
    others = [i for i in base if i != pair["constraint"]]
    assert all(base[i]["materiality"] == twin[i]["materiality"] for i in base)
    assert all(base[i]["admissible"] == twin[i]["admissible"] for i in others)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["id"])
def test_twins_have_the_same_class_and_other_answers_and_other_evidence(pair):
    base, twin = REQUESTS[pair["base"]], REQUESTS[pair["twin"]]
    assert base["class"] == twin["class"]
    assert set(base["answers"]).isdisjoint(twin["answers"])
    assert evidence(base).isdisjoint(evidence(twin))
