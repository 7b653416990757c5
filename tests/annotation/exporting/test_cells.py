"""The rule for formula cells: what OWASP's page on CSV injection lists, and the way back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.exporting.cells import cell_of, harmless, original

LETTERS = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("=+-@\t\r\n'\" "))


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", " =1", '"=1', "'=1", " '\" +1", "-"],
)
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(text: str) -> None:
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "1-1", "a=b", "it's", "'tis", "x\n=1", "(=1)", "–1"])
def test_what_is_no_formula_stays_as_it_is(text: str) -> None:
    assert harmless(text) == text == original(text)


@given(text=LETTERS)
def test_the_way_back_gives_the_same_text(text: str) -> None:
    assert original(harmless(text)) == text


@given(text=LETTERS)
def test_no_cell_begins_as_a_formula(text: str) -> None:
    assert harmless(text).lstrip(" '\"")[:1] not in set("=+-@\t\r\n") or harmless(text)[0] == "'"


@pytest.mark.parametrize(
    "value, cell",
    [
        (None, ""),
        (True, "true"),
        (False, "false"),
        (-4, "'-4"),
        ([], "[]"),
        ({"a": "é"}, '{"a": "é"}'),
    ],
)
def test_other_values_are_written_as_the_importer_reads_them(value: object, cell: str) -> None:
    assert cell_of(value) == cell
