"""From bytes to rows: strict JSON Lines and CSV, with the row number of every fault. No Django
here.
"""

import io
from collections.abc import Iterator

from annotation.importing.csv_rows import csv_rows
from annotation.importing.json_rows import json_rows, parse_object
from annotation.importing.problems import Problems
from annotation.importing.rows import (
    MAX_BYTES,
    MAX_CELL,
    MAX_COLUMNS,
    MAX_DEPTH,
    MAX_ROWS,
    Row,
    Shape,
)
from annotation.importing.sniffing import foreign_content

__all__ = [
    "MAX_BYTES",
    "MAX_CELL",
    "MAX_COLUMNS",
    "MAX_DEPTH",
    "MAX_ROWS",
    "Row",
    "Shape",
    "parse_object",
    "read_rows",
    "stream_rows",
]

_BOM = b"\xef\xbb\xbf"
_ANY = Shape()


def read_rows(data: bytes, filename: str, problems: Problems, shape: Shape = _ANY) -> list[Row]:
    """Return all rows that `stream_rows` yields."""
    return list(stream_rows(data, filename, problems, shape))


def stream_rows(
    data: bytes, filename: str, problems: Problems, shape: Shape = _ANY
) -> Iterator[Row]:
    """Yield the rows of a .csv file, or of a JSON Lines file under any other name.

    Every fault is added to `problems` with its row. A line feed, a carriage return or both end a
    line; other line separators of Unicode are letters of a text.
    """
    as_csv = filename.lower().endswith(".csv")
    if fault := _whole_file_fault(data, as_csv):
        problems.add(None, "", *fault)
        return
    read = csv_rows if as_csv else json_rows
    found = False
    for row in read(_lines(data), shape, problems):
        found = True
        yield row
    if not found and not problems.total:
        problems.add(None, "", "empty", "the file has no rows.")


def _whole_file_fault(data: bytes, as_csv: bool) -> tuple[str, str] | None:
    """What can be said before a single row is read."""
    if len(data) > MAX_BYTES:
        return "too_large", f"the file is over {MAX_BYTES // 2**20} MiB: split it."
    if foreign := foreign_content(data, as_csv=as_csv):
        return foreign
    if not as_csv and _too_many(data):
        return "too_many_rows", f"over {MAX_ROWS:,} rows: split the file."
    return None


def _too_many(data: bytes) -> bool:
    """Count rows only where there are so many line ends that it matters."""
    if data.count(b"\n") + data.count(b"\r") < MAX_ROWS:
        return False
    return sum(1 for line in _lines(data) if line.strip()) > MAX_ROWS


def _lines(data: bytes) -> Iterator[bytes]:
    """The lines with their ends, cut at bytes: no letter of UTF-8 holds a byte that ends a line."""
    stream = io.BytesIO(data)  # shares the bytes; nothing is copied but the line at hand
    if data.startswith(_BOM):
        stream.seek(len(_BOM))
    for line in stream:
        if b"\r" in line:
            yield from line.splitlines(keepends=True)
        else:
            yield line
