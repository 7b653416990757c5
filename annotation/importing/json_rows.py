"""Strict JSON Lines: what one row may hold, and where it breaks a rule. No Django here."""

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from annotation.importing.mapping import Reading
from annotation.importing.problems import Problems
from annotation.importing.rows import MAX_CELL, MAX_COLUMNS, MAX_DEPTH, Row, Shape
from annotation.importing.showing import quoted

_SURROGATE = re.compile("[\ud800-\udfff]")
_MAX_INTEGER = 2**63


class Fault(ValueError):
    """One rule that a value breaks; `str()` is a sentence."""

    def __init__(self, code: str, message: str, column: str = "") -> None:
        super().__init__(message)
        self.code, self.column = code, column


class _Repeated(dict[str, Any]):
    """An object in which a key stood twice; which, is kept until its column is known."""

    key = ""


def json_rows(
    lines: Iterator[bytes], shape: Shape, problems: Problems, reading: Reading
) -> Iterator[Row]:
    """Yield a row for every line that is not blank; add the faults of all others."""
    first = True
    for number, line in enumerate(lines, start=1):
        if not line.strip(b" \t\r\n"):  # what JSON calls blank; other blanks are a fault
            continue
        if first and (spread := _spread(line)):
            problems.add(number, "", *spread)
            return
        first = False
        try:
            values = parse_object(_text(line))
        except Fault as fault:
            problems.add(number, fault.column, *_told(fault, line))
            continue
        values, others, faults = reading.applied(values, shape)
        for column, code, sentence in faults:
            problems.add(number, column, code, sentence)
        if not faults:
            yield Row(number, values, others=others or None)


def _spread(first: bytes) -> tuple[str, str] | None:
    """One array, or one object over many lines, instead of one object a line."""
    begin = first.strip()
    if begin.startswith(b"["):
        return "not_an_object", (
            "expected an object {…}, found a list: write one object on each line, "
            "without the [ ] around them."
        )
    if begin == b"{":
        return "broken_json", "an object must stand on one line: write JSON Lines."
    return None


def _told(fault: Fault, line: bytes) -> tuple[str, str]:
    """A broken last line without its line feed was most likely cut off."""
    if fault.code == "broken_json" and not line.endswith((b"\n", b"\r")):
        if not line.rstrip().endswith(b"}"):
            return "truncated", f"the last row breaks off, the file is not whole: {fault}"
    return fault.code, str(fault)


def _text(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as fault:
        raise Fault("encoding", bad_byte(line[fault.start])) from fault


def bad_byte(byte: int) -> str:
    """Say which byte is not UTF-8, and which letter its author probably meant."""
    try:
        meant = f" (“{bytes([byte]).decode('cp1252')}” in Windows-1252)"
    except UnicodeDecodeError:
        meant = ""
    return f"byte 0x{byte:02X}{meant} is not UTF-8: save the file as UTF-8."


def parse_object(line: str) -> dict[str, Any]:
    """Parse one JSON object strictly: no NaN, no repeated keys, no lone surrogates, no NUL,
    bounded depth, cells, columns and integers.

    Raises ValueError with a sentence.
    """
    value = _parsed(line)
    if not isinstance(value, dict):
        raise Fault("not_an_object", f"expected an object {{…}}, found {_type_name(value)}.")
    if isinstance(value, _Repeated):
        raise Fault("repeated_key", f"the key {quoted(value.key)} stands twice.", value.key)
    if len(value) > MAX_COLUMNS:
        raise Fault("too_many_columns", f"{len(value):,} keys; at most {MAX_COLUMNS} are read.")
    for key, part in value.items():
        _check(key, key, 1)
        _check(part, key, 1)
    return value


def parse_cell(cell: str) -> Any:
    """Parse the JSON in one cell of a CSV as strictly; raises ValueError with a sentence."""
    value = _parsed(cell)
    _check(value, "", 1)
    return value


def _parsed(text: str) -> Any:
    try:
        # A raw NUL breaks JSON anyway; read past it, so that its column can be named.
        return json.loads(text, object_pairs_hook=_unique_keys, strict="\x00" not in text)
    except json.JSONDecodeError as fault:
        reason = fault.msg.lower().removesuffix(" at")
        raise Fault(
            "broken_json", f"broken JSON at character {fault.colno}: {reason}{_hint(fault)}."
        ) from fault
    except RecursionError as fault:
        raise Fault("too_deep", f"nested deeper than {MAX_DEPTH} levels.") from fault
    except ValueError as fault:  # for example an integer of 5,000 digits
        raise Fault("bad_number", "a number is too long to be read.") from fault


def _hint(fault: json.JSONDecodeError) -> str:
    rest = fault.doc[fault.pos :].lstrip()
    if rest.startswith("'"):
        return " (JSON knows only double quotation marks)"
    if rest.startswith(("//", "#", "/*")):
        return " (JSON knows no comments)"
    if rest.startswith(("}", "]")):
        return " (is there a comma too many before it?)"
    return ""


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    seen: set[str] = set()
    repeated = _Repeated(found)
    repeated.key = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    return repeated


def _check(value: Any, column: str, depth: int) -> None:
    """Raise the Fault of the first part of the value that cannot be stored as it is."""
    if depth > MAX_DEPTH:
        raise Fault("too_deep", f"nested deeper than {MAX_DEPTH} levels.", column)
    if isinstance(value, str):
        _check_text(value, column)
    elif isinstance(value, dict):
        if isinstance(value, _Repeated):
            raise Fault("repeated_key", f"the key {quoted(value.key)} stands twice.", column)
        for key, part in value.items():
            _check_text(key, column)
            _check(part, column, depth + 1)
    elif isinstance(value, list):
        for part in value:
            _check(part, column, depth + 1)
    elif isinstance(value, float) and not math.isfinite(value):
        raise Fault(
            "not_a_number", "NaN, Infinity and larger numbers than 1.8e308 are refused.", column
        )
    elif isinstance(value, int) and not -_MAX_INTEGER <= value < _MAX_INTEGER:
        raise Fault(
            "bad_number", "a whole number has over 64 bits: put it in quotation marks.", column
        )


def _check_text(value: str, column: str) -> None:
    if len(value) > MAX_CELL:
        raise Fault("too_long", f"the text is over {MAX_CELL:,} characters.", column)
    if "\x00" in value:
        raise Fault("nul", "the text holds a NUL character.", column)
    if not value.isascii() and _SURROGATE.search(value):
        raise Fault("surrogate", "the text holds half of a surrogate pair.", column)


def _type_name(value: Any) -> str:
    names = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
