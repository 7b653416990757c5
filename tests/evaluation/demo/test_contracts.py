from collections import Counter

from tests.evaluation.demo.study import (
    CONTRACTS,
    REQUESTS,
    SHEETS,
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


def everything_said():
    return [*CONTRACTS.values(), *SHEETS]


def by_id(request_id):
    return {c["id"]: c for c in CONTRACTS[request_id]["constraints"]}


def test_every_request_has_one_contract_with_one_to_five_constraints():
    assert CONTRACTS.keys() == REQUESTS.keys()
    assert all(1 <= len(c["constraints"]) <= 5 for c in CONTRACTS.values())


def test_every_resolved_request_has_a_critical_constraint():
    without = [
        request
        for request, contract in CONTRACTS.items()
        if not unresolved(request)
        and all(c["materiality"] != "critical" for c in contract["constraints"])
    ]
    assert without == []


def test_every_kind_of_constraint_occurs_six_times_or_more():
    kinds = Counter(c["kind"] for said in CONTRACTS.values() for c in said["constraints"])
    assert kinds.keys() == FIELDS.keys()
    assert min(kinds.values()) >= 6


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


def _differing():
    return {
        sheet["request"]
        for sheet in SHEETS
        if any(sheet[f] != CONTRACTS[sheet["request"]][f] for f in ("constraints", "ambiguity"))
    }


def test_the_sheets_of_21_requests_differ_from_the_contract_which_is_a_fifth():
    assert len(_differing()) == 21
    assert 0.15 <= len(_differing()) / len(REQUESTS) <= 0.2


def test_reviewers_differ_in_every_class():
    assert {REQUESTS[r]["class"] for r in _differing()} == {r["class"] for r in REQUESTS.values()}


def test_a_sheet_marks_no_more_than_the_contract_and_marks_the_same_words():
    stray = [
        (sheet["request"], sheet["annotator"], constraint["id"])
        for sheet in SHEETS
        for constraint in sheet["constraints"]
        if constraint["span"] not in [c["span"] for c in CONTRACTS[sheet["request"]]["constraints"]]
    ]
    assert stray == []


# ---------------------------------------------------------------- the words under a span


def _claims(kind, value, admissible):
    """The words of a value of which one must stand under its span."""
    if kind == "referent":
        return [value["name"], *value["aliases"]]
    if kind == "time":
        return [str(value[end])[:4] for end in ("start", "end") if value[end]]
    if kind == "quantity":
        number = value["value"]
        return [str(number), f"{number:,}", f"{number / 1_000_000:g}"]
    if kind == "polarity":
        return [value["target"]]
    if kind == "status":
        return [value["value"], value["value"].removesuffix("d")]
    if kind == "comparison":
        return [value["direction"], *admissible]
    return [value["source"]]


def _carried(constraint, words):
    value = constraint["value"]
    if constraint["kind"] == "referent" and (value["unresolved"] or value["from_turn"] is not None):
        return True  # a pronoun or a description stands for the name
    if "reference_date" in value:
        return "year" in words
    claims = _claims(constraint["kind"], value, constraint["admissible"])
    return any(claim.casefold() in words.casefold() for claim in claims)


def test_every_span_of_a_contract_covers_the_words_that_carry_its_value():
    wrong = []
    for contract in CONTRACTS.values():
        turns = texts(REQUESTS[contract["request"]])
        for constraint in contract["constraints"]:
            span = constraint["span"]
            words = turns[span["turn"]][span["start"] : span["end"]]
            if not _carried(constraint, words):
                wrong.append((contract["request"], constraint["id"], words))
    assert wrong == []


def test_a_name_taken_from_an_earlier_turn_stands_in_that_turn():
    wrong = []
    for contract in CONTRACTS.values():
        turns = texts(REQUESTS[contract["request"]])
        for c in contract["constraints"]:
            if c["kind"] == "referent" and c["value"]["from_turn"] is not None:
                names = [c["value"]["name"], *c["value"]["aliases"]]
                if not any(name in turns[c["value"]["from_turn"]] for name in names):
                    wrong.append((contract["request"], c["id"], names))
    assert wrong == []


def test_what_a_contract_says_was_said_by_one_of_its_reviewers_or_more():
    """The adjudicator of this study took sides and wrote nothing of their own."""
    alone = [
        (contract["request"], constraint["id"], part)
        for contract in CONTRACTS.values()
        for constraint in contract["constraints"]
        for part in ("value", "materiality")
        if constraint[part]
        not in [
            marked[part]
            for sheet in SHEETS
            if sheet["request"] == contract["request"]
            for marked in sheet["constraints"]
            if marked["id"] == constraint["id"]
        ]
    ]
    assert alone == []
