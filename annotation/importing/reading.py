"""From bytes to rows: strict JSON Lines and CSV, with the row number of every fault. No Django
here.
"""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from annotation.importing.problems import Problems

MAX_BYTES = 64 * 1024 * 1024
MAX_CELL = 1_000_000
MAX_DEPTH = 50


@dataclass(frozen=True, slots=True)
class Row:
    """One object of the file with the line it stands on (counted from 1)."""

    number: int
    values: dict[str, Any]


class _Fault(ValueError):
    def __init__(self, code: str, message: str, column: str = "") -> None:
        super().__init__(message)
        self.code, self.column = code, column


def read_rows(data: bytes, filename: str, problems: Problems) -> list[Row]:
    """Return the rows of a .jsonl or .csv file; every fault is added to `problems` with its row."""
    text = _decoded(data, problems)
    if text is None:
        return []
    if filename.lower().endswith(".csv"):
        rows = list(_csv_rows(text, problems))
    else:
        rows = list(_json_rows(text, problems))
    if not rows and not problems.total:
        problems.add(None, "", "empty", "the file has no rows.")
    return rows


def _decoded(data: bytes, problems: Problems) -> str | None:
    if len(data) > MAX_BYTES:
        problems.add(None, "", "too_large", f"the file is over {MAX_BYTES // 2**20} MiB: split it.")
        return None
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        problems.add(None, "", "encoding", "the file is UTF-16: save it as UTF-8.")
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        row = data[: fault.start].count(b"\n") + 1
        byte = data[fault.start]
        problems.add(
            row, "", "encoding", f"byte 0x{byte:02X} is not UTF-8: save the file as UTF-8."
        )
        return None


def _json_rows(text: str, problems: Problems) -> Iterator[Row]:
    # Only a line feed ends a row: splitlines() would also cut at U+2028 inside a text.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield Row(number, parse_object(line))
        except _Fault as fault:
            problems.add(number, fault.column, fault.code, str(fault))


def parse_object(line: str) -> dict[str, Any]:
    """Parse one JSON object strictly: no NaN, no repeated keys, no lone surrogates, no NUL,
    bounded depth.

    Raises ValueError with a sentence.
    """
    try:
        value = json.loads(
            line,
            object_pairs_hook=_unique_keys,
            parse_constant=_no_constant,
            parse_float=_finite,
        )
    except json.JSONDecodeError as fault:
        raise _Fault(
            "broken_json", f"broken JSON at character {fault.colno}: {fault.msg.lower()}."
        ) from fault
    except RecursionError as fault:
        raise _Fault("too_deep", f"nested deeper than {MAX_DEPTH} levels.") from fault
    except _Fault:
        raise
    except ValueError as fault:  # for example an integer of 5,000 digits
        raise _Fault("bad_number", "a number is too long to be read.") from fault
    if not isinstance(value, dict):
        raise _Fault("not_an_object", f"expected an object {{…}}, found {_type_name(value)}.")
    for key, part in value.items():
        _check_text(part, key, 1)
    return value


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _Fault("repeated_key", f"the key “{key}” stands twice.", key)
        found[key] = value
    return found


def _no_constant(word: str) -> float:
    raise _Fault("not_a_number", f"{word} is not a number that can be stored.")


def _finite(word: str) -> float:
    number = float(word)
    if number in (float("inf"), float("-inf")):
        raise _Fault("not_a_number", f"{word} is too large.")
    return number


def _check_text(value: Any, column: str, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise _Fault("too_deep", f"nested deeper than {MAX_DEPTH} levels.", column)
    if isinstance(value, str):
        if "\x00" in value:
            raise _Fault("nul", "the text holds a NUL character.", column)
        if any("\ud800" <= c <= "\udfff" for c in value):
            raise _Fault("surrogate", "the text holds half of a surrogate pair.", column)
        if len(value) > MAX_CELL:
            raise _Fault("too_long", f"the text is over {MAX_CELL:,} characters.", column)
    elif isinstance(value, dict):
        for key, part in value.items():
            _check_text(key, column, depth + 1)
            _check_text(part, column, depth + 1)
    elif isinstance(value, list):
        for part in value:
            _check_text(part, column, depth + 1)


def _type_name(value: Any) -> str:
    names = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def _csv_rows(text: str, problems: Problems) -> Iterator[Row]:
    csv.field_size_limit(MAX_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(reader, None)
        if header is None or not any(cell.strip() for cell in header):
            problems.add(None, "", "empty", "the file has no rows.")
            return
        if not _header_holds(header, problems):
            return
        start = reader.line_num + 1
        for cells in reader:
            if cells and len(cells) != len(header):
                problems.add(
                    start,
                    "",
                    "cell_count",
                    f"{len(cells)} cells, the header has {len(header)}.",
                )
            elif cells:
                row = _csv_row(start, header, cells, problems)
                if row:
                    yield row
            start = reader.line_num + 1
    except csv.Error as fault:
        problems.add(reader.line_num, "", "broken_csv", f"broken CSV: {fault}.")


def _header_holds(header: list[str], problems: Problems) -> bool:
    repeated = {name for name in header if header.count(name) > 1}
    for name in sorted(repeated):
        problems.add(1, name, "repeated_column", f"the column “{name}” stands twice.")
    if len(header) == 1 and (";" in header[0] or "\t" in header[0]):
        problems.add(
            1, "", "delimiter", "1 column found: is the delimiter “;” or a tab? Use commas."
        )
        return False
    return not repeated


def _csv_row(number: int, header: list[str], cells: list[str], problems: Problems) -> Row | None:
    values: dict[str, Any] = {}
    for name, cell in zip(header, cells, strict=True):
        if "\x00" in cell:
            problems.add(number, name, "nul", "the text holds a NUL character.")
            return None
        if cell == "":
            continue
        values[name] = cell
        if cell[0] in "[{":  # lists and objects stand as JSON in a cell
            try:
                values[name] = parse_object(f'{{"cell": {cell}}}')["cell"]
            except ValueError as fault:
                problems.add(number, name, "broken_json", str(fault))
                return None
    return Row(number, values)
