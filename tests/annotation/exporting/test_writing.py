import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.exporting.cells import original
from annotation.exporting.writing import PIECE, json_line, pieces, settled

LETTERS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


def whole(rows: list[dict[str, Any]], columns: tuple[str, ...], form: str) -> bytes:
    return b"".join(piece for piece, _count in pieces(rows, columns, form))


@given(texts=st.lists(LETTERS, max_size=5))
def test_every_reader_of_lines_finds_one_object_a_line(texts: list[str]) -> None:
    rows = [{"text": text} for text in texts]
    found = whole(rows, ("text",), "jsonl").decode().splitlines()
    assert [json.loads(line) for line in found] == rows


@given(texts=st.lists(st.tuples(LETTERS, LETTERS), max_size=5))
def test_python_s_own_reader_finds_every_cell_as_it_was(texts: list[tuple[str, str]]) -> None:
    rows = [{"a": a, "b": b} for a, b in texts]
    file = io.StringIO(whole(rows, ("a", "b"), "csv").decode(), newline="")
    found = [[original(cell) for cell in row] for row in csv.reader(file, strict=True)]
    assert found == [["a", "b"], *([a, b] for a, b in texts)]


def test_a_csv_begins_with_its_header_and_no_byte_order_mark() -> None:
    assert whole([], ("id", "text"), "csv") == b"id,text\r\n"


def test_the_first_row_comes_at_once_and_the_others_in_large_pieces() -> None:
    rows = [{"text": "x" * 1000}] * 200
    found = list(pieces(rows, ("text",), "jsonl"))
    assert [count for _piece, count in found[:1]] == [1]
    assert all(len(piece) >= PIECE for piece, _count in found[1:-1])
    assert sum(count for _piece, count in found) == 200


@pytest.mark.parametrize("form, lines", [("jsonl", 1), ("csv", 2)])
def test_rows_are_counted_without_the_header(form: str, lines: int) -> None:
    found = list(pieces([{"a": 1}], ("a",), form))
    assert sum(count for _piece, count in found) == 1
    assert b"".join(piece for piece, _count in found).count(b"\n") == lines


def test_objects_are_written_with_their_keys_in_order() -> None:
    value = {"b": [{"d": 1, "c": 2}], "a": None}
    assert json_line(settled(value)) == '{"a": null, "b": [{"c": 2, "d": 1}]}\n'
