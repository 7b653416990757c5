"""Counting by hand: a known contract of three critical demands and a minor one."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from contracts.practice import compare_with_known, demands
from contracts.terms import Ambiguity, ConstraintTerms, ContractTerms, Span


def constraint(
    key: str, kind: str, value: dict[str, object], start: int, end: int, how: str = "critical"
) -> ConstraintTerms:
    return ConstraintTerms(key, kind, how, value, Span(0, start, end))


PARENT = constraint("c1", "referent", {"name": "Harbor Holdings", "aliases": ["HH plc"]}, 4, 14)
BEFORE = constraint("c2", "time", {"relation": "before", "end": "2021"}, 15, 26)
ONE_OFF = constraint("c3", "polarity", {"mode": "exclude", "target": "one-off items"}, 28, 51)
SOURCE = constraint("c4", "evidence", {"source": "annual report"}, 60, 73, "minor")
KNOWN = ContractTerms((PARENT, BEFORE, ONE_OFF, SOURCE))


def found(*given_: ConstraintTerms, unresolved: bool = False) -> tuple[int, int, int]:
    compared = compare_with_known(KNOWN, ContractTerms(given_, Ambiguity(unresolved)))
    return compared.found, compared.wanted, compared.added


def test_the_known_contract_itself_finds_everything() -> None:
    assert found(*KNOWN.constraints) == (3, 3, 0)


def test_case_and_blanks_and_an_alias_make_no_difference() -> None:
    assert found(replace(PARENT, value={"name": "harbor  holdings"})) == (1, 3, 0)
    assert found(replace(PARENT, value={"name": "HH PLC"})) == (1, 3, 0)


def test_another_value_materiality_or_place_is_shown_and_not_counted() -> None:
    until = replace(BEFORE, value={"relation": "until", "end": "2021"})
    minor = replace(ONE_OFF, materiality="minor")
    elsewhere = replace(PARENT, span=Span(0, 80, 90))
    compared = compare_with_known(KNOWN, ContractTerms((until, minor, elsewhere)))
    assert (compared.found, compared.wanted) == (0, 3)
    assert {row.differs for row in compared.rows if row.given} == {
        ("value",), ("materiality",), ("words",),
    }  # fmt: skip


def test_what_only_the_sheet_has_is_added_not_found() -> None:
    extra = constraint("c9", "status", {"value": "audited"}, 90, 97)
    assert found(*KNOWN.constraints, extra) == (3, 3, 1)


def test_an_unresolved_request_is_one_demand() -> None:
    known = ContractTerms((PARENT,), Ambiguity(True, ("a", "b")))
    assert demands(known) == 2
    assert compare_with_known(known, ContractTerms((PARENT,))).found == 1
    assert compare_with_known(known, ContractTerms((), Ambiguity(True))).found == 1
    assert found(unresolved=True) == (0, 3, 1)


@given(st.permutations(KNOWN.constraints), st.permutations(KNOWN.constraints[:3]))
def test_the_order_of_either_changes_nothing(
    known: list[ConstraintTerms], sheet: list[ConstraintTerms]
) -> None:
    compared = compare_with_known(ContractTerms(tuple(known)), ContractTerms(tuple(sheet)))
    assert (compared.found, compared.wanted, compared.added) == (3, 3, 0)
