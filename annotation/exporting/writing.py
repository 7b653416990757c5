"""Rows as the bytes of a file, piece by piece, so that no file is ever whole in memory. No Django
here.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from annotation.exporting.cells import cell_of

CONTENT_TYPES = {
    "jsonl": "application/jsonl; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
}
PIECE = 64 * 1024  # bytes that are gathered before they are handed on
# Letters of a text that many readers take for the end of a line.
_LINE_ENDS = re.compile("[\u0085\u2028\u2029]")

Row = Mapping[str, Any]


def settled(value: Any) -> Any:
    """Return the value with the keys of every object in order: databases keep no order of their
    own, and equal content must give equal bytes.
    """
    if isinstance(value, Mapping):
        return {key: settled(value[key]) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [settled(part) for part in value]
    return value


def json_line(row: Row) -> str:
    """Return one object on one line, whatever a reader takes for the end of a line."""
    text = json.dumps(row, ensure_ascii=False, allow_nan=False)
    return _LINE_ENDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


def pieces(rows: Iterable[Row], columns: Sequence[str], form: str) -> Iterator[tuple[bytes, int]]:
    """Yield the file in pieces of at least `PIECE` bytes, each with the number of rows that end in
    it. The first row comes at once. CSV has a header, no byte order mark, and CR LF after each row.
    """
    lines = _csv_lines(rows, columns) if form == "csv" else map(json_line, rows)
    gathered, size, count = [], 0, 0
    first, header = True, form == "csv"
    for line in lines:
        data = line.encode()
        gathered.append(data)
        size += len(data)
        count += not header
        header = False
        if size >= PIECE or first:
            yield b"".join(gathered), count
            gathered, size, count, first = [], 0, 0, False
    if gathered:
        yield b"".join(gathered), count


def _csv_lines(rows: Iterable[Row], columns: Sequence[str]) -> Iterator[str]:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    for cells in _with_header(rows, columns):
        writer.writerow(cells)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def _with_header(rows: Iterable[Row], columns: Sequence[str]) -> Iterator[Sequence[str]]:
    yield columns
    for row in rows:
        yield [cell_of(row[name]) for name in columns]
