from hypothesis import given
from hypothesis import strategies as st

from contracts.differences import differences
from contracts.terms import KINDS, Ambiguity, ConstraintTerms, ContractTerms, Span

spans = st.builds(
    lambda turn, start, length: Span(turn, start, start + length),
    st.integers(0, 2),
    st.integers(0, 20),
    st.integers(1, 8),
)
constraints = st.builds(
    ConstraintTerms,
    id=st.just("c"),
    kind=st.sampled_from(KINDS[:3]),
    materiality=st.sampled_from(["critical", "minor"]),
    value=st.fixed_dictionaries({"name": st.sampled_from(["x", "y", "z"])}),
    span=st.one_of(st.none(), spans),
)


def _numbered(found: list[ConstraintTerms]) -> tuple[ConstraintTerms, ...]:
    return tuple(
        ConstraintTerms(f"c{n}", c.kind, c.materiality, c.value, c.span)
        for n, c in enumerate(found, start=1)
    )


sheets = st.lists(constraints, max_size=5).map(_numbered)


@given(sheets, sheets, st.randoms())
def test_the_order_in_which_constraints_were_made_never_matters(a, b, random) -> None:
    mixed_a, mixed_b = list(a), list(b)
    random.shuffle(mixed_a)
    random.shuffle(mixed_b)
    assert differences(ContractTerms(a), ContractTerms(b)) == differences(
        ContractTerms(tuple(mixed_a)), ContractTerms(tuple(mixed_b))
    )


@given(sheets)
def test_identical_sheets_agree_on_every_row(a) -> None:
    assert all(row.agreed for row in differences(ContractTerms(a), ContractTerms(a)))


@given(sheets, sheets)
def test_every_constraint_stands_in_exactly_one_row(a, b) -> None:
    rows = differences(ContractTerms(a), ContractTerms(b))[:-1]
    assert sorted(row.a.id for row in rows if row.a) == sorted(c.id for c in a)
    assert sorted(row.b.id for row in rows if row.b) == sorted(c.id for c in b)


def _one(kind: str = "time", **changed: object) -> ConstraintTerms:
    given = {"materiality": "critical", "value": {"name": "x"}, "span": Span(0, 0, 4)} | changed
    return ConstraintTerms("c1", kind, **given)


def _fields(a: ConstraintTerms, b: ConstraintTerms) -> list[tuple[str, ...]]:
    return [row.fields for row in differences(ContractTerms((a,)), ContractTerms((b,)))[:-1]]


def test_a_one_sided_constraint_differs_in_presence() -> None:
    row = differences(ContractTerms((_one(),)), ContractTerms())[0]
    assert (row.b, row.fields) == (None, ("presence",))


def test_kinds_that_differ_are_two_one_sided_rows() -> None:
    assert _fields(_one(), _one("quantity")) == [("presence",), ("presence",)]


def test_slightly_other_words_around_the_same_value_are_no_difference() -> None:
    assert _fields(_one(), _one(span=Span(0, 0, 6))) == [()]


def test_materiality_is_a_difference_of_its_own() -> None:
    assert _fields(_one(), _one(materiality="minor")) == [("materiality",)]


def test_the_ambiguity_mark_is_the_last_row() -> None:
    marked = ContractTerms(ambiguity=Ambiguity(True, ("the parent",)))
    row = differences(ContractTerms(), marked)[-1]
    assert (row.kind, row.fields) == ("ambiguity", ("unresolved", "readings"))
