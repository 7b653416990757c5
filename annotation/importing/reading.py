"""From bytes to rows: strict JSON Lines and CSV, with the row number of every fault. No Django
here.
"""

import io
from collections.abc import Iterator

from annotation.importing.csv_rows import csv_rows
from annotation.importing.json_rows import json_rows, parse_object
from annotation.importing.mapping import Reading, as_utf8
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
    "Reading",
    "Row",
    "Shape",
    "parse_object",
    "lines_of",
    "read_rows",
    "stream_rows",
]

_BOM = b"\xef\xbb\xbf"
_ANY = Shape()
_AS_NAMED = Reading()


def read_rows(
    data: bytes,
    filename: str,
    problems: Problems,
    shape: Shape = _ANY,
    reading: Reading = _AS_NAMED,
) -> list[Row]:
    """Return all rows that `stream_rows` yields."""
    return list(stream_rows(data, filename, problems, shape, reading))


def stream_rows(
    data: bytes,
    filename: str,
    problems: Problems,
    shape: Shape = _ANY,
    reading: Reading = _AS_NAMED,
) -> Iterator[Row]:
    """Yield the rows of a .csv file, or of a JSON Lines file under any other name, unless the
    reading says which of both it is.

    Every fault is added to `problems` with its row. A line feed, a carriage return or both end a
    line; other line separators of Unicode are letters of a text.
    """
    as_csv = reads_as_csv(filename, reading)
    problems.names = reading.names
    if fault := _whole_file_fault(data, as_csv, reading.encoding):
        problems.add(None, "", *fault)
        return
    text = as_utf8(data, reading.encoding, problems)
    if text is None:
        return
    read = csv_rows if as_csv else json_rows
    found = False
    for row in read(lines_of(text), shape, problems, reading):
        found = True
        yield row
    if not found and not problems.total:
        problems.add(None, "", "empty", "the file has no rows.")


def reads_as_csv(filename: str, reading: Reading) -> bool:
    """Whether the file is CSV: as the person said, else as its name ends."""
    return (reading.format or filename.lower().rpartition(".")[2]) == "csv"


def _whole_file_fault(data: bytes, as_csv: bool, encoding: str) -> tuple[str, str] | None:
    """What can be said before a single row is read."""
    if len(data) > MAX_BYTES:
        return "too_large", f"the file is over {MAX_BYTES // 2**20} MiB: split it."
    if foreign := foreign_content(data, as_csv=as_csv, encoding=encoding):
        return foreign
    if not as_csv and _too_many(data):
        return "too_many_rows", f"over {MAX_ROWS:,} rows: split the file."
    return None


def _too_many(data: bytes) -> bool:
    """Count rows only where there are so many line ends that it matters."""
    if data.count(b"\n") + data.count(b"\r") < MAX_ROWS:
        return False
    return sum(1 for line in lines_of(data) if line.strip()) > MAX_ROWS


def lines_of(data: bytes) -> Iterator[bytes]:
    """The lines with their ends, cut at bytes: no letter of UTF-8 holds a byte that ends a line."""
    stream = io.BytesIO(data)  # shares the bytes; nothing is copied but the line at hand
    if data.startswith(_BOM):
        stream.seek(len(_BOM))
    for line in stream:
        if b"\r" in line:
            yield from line.splitlines(keepends=True)
        else:
            yield line
