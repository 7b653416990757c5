from dataclasses import replace

import pytest

from contracts.differences import differences
from contracts.merging import CannotMerge, can_merge, merged
from contracts.terms import Ambiguity, ConstraintTerms, ContractTerms, Span

A = ConstraintTerms(
    "c1", "referent", "critical", {"name": "Harbor Rail", "aliases": ["HR"]}, Span(0, 0, 6), ("it",)
)
B = replace(
    A, id="c7", value={"name": "Harbor Rail", "aliases": ["Harbor", "HR"]}, span=Span(0, 0, 11)
)


def row(a: ConstraintTerms | None, b: ConstraintTerms | None):  # type: ignore[no-untyped-def]
    left, right = (ContractTerms((side,) if side else ()) for side in (a, b))
    return differences(left, right)[0]


def test_aliases_of_both_hold_and_the_longer_words() -> None:
    both = ConstraintTerms.from_json(merged(row(A, B)))
    assert both.value["aliases"] == ["HR", "Harbor"]
    assert (both.span, both.admissible) == (Span(0, 0, 11), ("it",))


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (None, "Only one reviewer has it"),
        (replace(B, materiality="minor"), "One reviewer says critical"),
        (replace(B, value={"name": "Harbor Holdings"}), "exclude each other"),
    ],
)
def test_what_excludes_each_other_is_not_merged(other: ConstraintTerms | None, said: str) -> None:
    with pytest.raises(CannotMerge, match=said):
        merged(row(A, other))


def test_the_readings_of_both_are_collected() -> None:
    marks = (Ambiguity(True, ("one", "two")), Ambiguity(True, ("two", "three")))
    a, b = (ContractTerms(ambiguity=mark) for mark in marks)
    assert merged(differences(a, b)[-1])["readings"] == ["one", "two", "three"]


def test_answerable_and_not_answerable_are_not_merged() -> None:
    a, b = ContractTerms(), ContractTerms(ambiguity=Ambiguity(True, ("one",)))
    assert not can_merge(differences(a, b)[-1])


def test_the_hash_of_a_row_forgets_the_ids_and_nothing_else() -> None:
    assert row(A, B).sha256 == row(replace(A, id="c9"), B).sha256
    assert row(A, B).sha256 != row(replace(A, admissible=()), B).sha256
