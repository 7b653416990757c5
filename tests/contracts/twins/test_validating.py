from dataclasses import replace
from typing import Any

import pytest

from contracts.terms import Ambiguity, ConstraintTerms, ContractTerms, Span
from contracts.twins import Side, differing, faults_of_pair

TIME = ConstraintTerms(
    "c1", "time", "critical", {"relation": "on", "start": "2022"}, Span(0, 8, 12)
)
WHO = ConstraintTerms("c2", "referent", "critical", {"name": "Acme"}, Span(0, 16, 20))
TEXT = "Sold in 2022 by Acme?"
BASE = Side((TEXT,), ContractTerms((TIME, WHO)), ("5",), frozenset(["d1"]))
LATER = replace(TIME, value={"relation": "on", "start": "2023"})
TWIN = Side((TEXT.replace("2022", "2023"),), ContractTerms((LATER, WHO)), ("6",), frozenset(["d2"]))
OTHER_WHO = replace(WHO, value={"name": "Oke"})


def twin(*constraints: ConstraintTerms, **changes: Any) -> Side:
    terms = ContractTerms(constraints) if constraints else TWIN.terms
    return replace(TWIN, terms=terms, **changes)


def marked(side: Side, *readings: str) -> Side:
    ambiguity = Ambiguity(True, readings)
    return replace(side, terms=replace(side.terms, ambiguity=ambiguity))


def codes(family: str, constraint: str, base: Side, other: Side) -> list[str]:
    return [fault.code for fault in faults_of_pair(family, constraint, base, other)]


OUT = replace(LATER, span=Span(0, 8, 99))
TABLE: list[tuple[str, str, Side, list[str]]] = [
    ("date", "c1", TWIN, []),
    ("date", "c1", twin(LATER, replace(WHO, admissible=("it",))), []),
    ("date", "c1", twin(texts=BASE.texts), ["same_texts"]),
    ("date", "c1", twin(TIME, WHO), ["same_demand"]),
    ("date", "c1", twin(LATER, OTHER_WHO), ["differs_elsewhere"]),
    ("date", "c1", twin(LATER), ["differs_elsewhere"]),
    ("date", "c1", twin(LATER, replace(WHO, materiality="minor")), ["differs_elsewhere"]),
    ("date", "c1", twin(replace(LATER, materiality="minor"), WHO), ["not_critical"]),
    ("date", "c1", twin(WHO), ["constraint_missing"]),
    ("date", "c9", TWIN, ["constraint_missing", "differs_elsewhere"]),
    ("date", "c1", twin(OUT, WHO), ["twin_terms"]),
    ("date", "c1", marked(TWIN, "a", "b"), ["ambiguity_differs"]),
    ("mood", "c1", TWIN, ["unknown_family"]),
    ("status", "c1", TWIN, ["family_does_not_fit"]),
    ("date", "c1", twin(evidence=BASE.evidence), ["same_evidence"]),
    ("date", "c1", twin(evidence=frozenset()), ["evidence_missing"]),
    ("date", "c1", twin(answers=(" 5",)), ["same_answers"]),
    ("date", "c1", twin(answers=()), ["answers_missing"]),
    ("date", "c1", twin(answers=("",)), ["answers_missing"]),
]


@pytest.mark.parametrize(("family", "constraint", "other", "found"), TABLE)
def test_a_fault_of_a_pair_is_named(
    family: str, constraint: str, other: Side, found: list[str]
) -> None:
    assert codes(family, constraint, BASE, other) == found


OPEN = replace(WHO, value={"name": "Acme or Oke", "unresolved": True})
CLARIFY = replace(TWIN, terms=ContractTerms((TIME, OPEN)), answers=(), evidence=frozenset())
UNRESOLVED: list[tuple[str, Side, Side, list[str]]] = [
    ("c2", BASE, marked(CLARIFY, "Acme?", "Oke?"), []),
    ("c2", marked(CLARIFY, "Acme?", "Oke?"), BASE, []),
    ("c2", BASE, CLARIFY, ["not_unresolved", "evidence_missing", "answers_missing"]),
    ("c2", marked(BASE, "a", "b"), marked(CLARIFY, "a", "b"), ["not_unresolved"]),
    ("c2", BASE, marked(CLARIFY, "Acme?", "acme? "), ["too_few_readings"]),
    ("c1", BASE, marked(twin(LATER, WHO), "a", "b"), ["not_the_referent"]),
    ("c2", replace(BASE, answers=()), marked(CLARIFY, "a", "b"), ["answers_missing"]),
]


@pytest.mark.parametrize(("constraint", "base", "other", "found"), UNRESOLVED)
def test_to_ask_back_is_right_on_one_side_only(
    constraint: str, base: Side, other: Side, found: list[str]
) -> None:
    assert codes("unresolved", constraint, base, other) == found


def test_a_stated_reason_excuses_what_scoring_lacks_and_never_what_the_contracts_say() -> None:
    other = twin(
        LATER, OTHER_WHO, texts=BASE.texts, answers=BASE.answers, evidence=BASE.evidence
    )  # fmt: skip
    faults = {one.code: one.excusable for one in faults_of_pair("status", "c1", BASE, other)}
    assert faults == {
        "same_texts": False, "differs_elsewhere": False, "family_does_not_fit": True,
        "same_evidence": True, "same_answers": True,
    }  # fmt: skip


def test_a_fault_says_where_and_what_to_do_in_any_language() -> None:
    (fault,) = faults_of_pair("date", "c1", BASE, twin(LATER, OTHER_WHO))
    assert fault.sentence == (
        "The contracts differ in c2 too: a pair differs in one constraint. Make these equal, or "
        "make a pair for each."
    )
    german = "Die Verträge unterscheiden sich auch in %(ids)s."
    assert fault.told({fault.said: german}.__getitem__) == german.replace("%(ids)s", "c2")
    assert fault.told() == fault.sentence


def test_spelling_spans_and_wordings_are_no_difference() -> None:
    spelt = replace(WHO, value={"name": "  ACME"}, span=None, admissible=("the firm",))
    assert differing(ContractTerms((TIME, WHO)), ContractTerms((spelt, TIME))) == ()


def test_what_one_contract_lacks_differs() -> None:
    assert differing(ContractTerms((TIME,)), ContractTerms((WHO, LATER))) == ("c1", "c2")
