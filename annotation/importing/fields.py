"""Typed reading of one row: each method returns the value, or None after adding the fault. No
Django here.
"""

import datetime
import re
import unicodedata
from typing import Any

from annotation.importing.json_rows import parse_cell
from annotation.importing.problems import Problems
from annotation.importing.rows import Row
from annotation.importing.showing import quoted

MAX_ID = 200
_FORBIDDEN_IN_IDS = {"Cc", "Cf", "Zl", "Zp", "Zs", "Cs", "Co", "Cn"}
# Letters and marks that leave no trace: joiners, selectors, fillers, the empty Braille cell.
_NO_TRACE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)", re.ASCII)
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)


class Fields:
    """The fields of one row, read one by one."""

    def __init__(self, row: Row, problems: Problems) -> None:
        self.row = row.number
        self._values = row.values
        self._cells = row.cells
        self._others = row.others or {}
        self._lines = row.lines
        self._problems = problems
        self._seen: set[str] = set()

    def fault(self, column: str, code: str, message: str, part: int | None = None) -> None:
        """Add a fault; `part` counts from 1 which of the lines behind this row it stands on."""
        row = self.row if part is None or not self._lines else self._lines[part - 1]
        self._problems.add(row, column, code, message)

    def warn(self, column: str, code: str, message: str) -> None:
        self._problems.warn(self.row, column, code, message)

    def take(self, column: str) -> Any:
        """Return the value as it stands: in a row of cells always a text."""
        self._seen.add(column)
        return self._values.get(column)

    def json(self, column: str) -> Any:
        """Return the value; in a row of cells, what the JSON in the cell says."""
        value = self.take(column)
        if not self._cells or value is None:
            return value
        try:
            return parse_cell(value)
        except ValueError as fault:
            self.fault(column, "broken_json", f"the cell must hold JSON: {fault}")
            return None

    def text(self, column: str, *, required: bool = True) -> str | None:
        value = self.take(column)
        if value is None:
            if required:
                self.missing(column)
            return None
        if not isinstance(value, str):
            self.fault(column, "not_a_text", "expected a text, in quotation marks.")
            return None
        if required and not value.strip():
            self.fault(column, "empty_text", "the text is empty.")
            return None
        return value

    def missing(self, column: str) -> None:
        said = "is missing or empty" if self._cells else "is missing"
        self.fault(column, "missing", f"the column “{column}” {said}.")

    def id(self, column: str) -> str | None:
        """An id, composed (NFC); a blank at an end and what nobody can see are faults."""
        value = self.take(column)
        if value is None:
            self.missing(column)
            return None
        if not isinstance(value, str):
            self.fault(column, "id_not_text", "an id must be a text, in quotation marks.")
            return None
        fault = id_fault(value)
        if fault:
            self.fault(column, "bad_id", fault)
            return None
        return composed(value)

    def name(self, column: str, longest: int) -> str | None:
        """A short name that pages show, such as a class: written as strictly as an id."""
        value = self.text(column)
        if value is None:
            return None
        fault = id_fault(value, what="name", longest=longest)
        if fault:
            self.fault(column, "bad_name", fault)
            return None
        return composed(value)

    def choice(self, column: str, allowed: tuple[str, ...]) -> str | None:
        value = self.text(column)
        if value is not None and value not in allowed:
            sentence = f"{quoted(value)} is not one of: {', '.join(allowed)}."
            self.fault(column, "unknown_value", sentence)
            return None
        return value

    def date(self, column: str) -> datetime.date | None:
        value = self.text(column, required=False)
        if value is None:
            return None
        try:
            if not _DATE.fullmatch(value):
                raise ValueError
            return datetime.date.fromisoformat(value)
        except ValueError:
            sentence = f"{quoted(value)} is not a date like 2024-06-30, without a time of day."
            self.fault(column, "bad_date", sentence)
            return None

    def moment(self, column: str) -> datetime.datetime | None:
        """A date with its time of day and its zone."""
        value = self.text(column, required=False)
        if value is None:
            return None
        try:
            if not _MOMENT.fullmatch(value):
                raise ValueError
            return datetime.datetime.fromisoformat(value)
        except ValueError:
            sentence = f"{quoted(value)} is not a time with its zone like 2024-06-30T12:00:00Z."
            self.fault(column, "bad_time", sentence)
            return None

    def texts(self, column: str) -> list[str] | None:
        """A list of non-empty texts; None when the column is absent or faulty."""
        value = self.json(column)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(v, str) and v.strip() for v in value):
            self.fault(column, "not_a_list", "expected a list of texts, none of them empty.")
            return None
        return value

    def objects(self, column: str) -> list[dict[str, Any]] | None:
        value = self.json(column)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
            self.fault(column, "not_a_list", "expected a list of objects.")
            return None
        return value

    def object(self, column: str) -> dict[str, Any]:
        value = self.json(column)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.fault(column, "not_an_object", "expected an object {…}.")
            return {}
        return value

    def flag(self, column: str) -> bool:
        """True or false: JSON's own two words, and the same two in a cell. Nothing else is."""
        value = self.take(column)
        if self._cells:
            value = {"true": True, "false": False}.get(value, value)
        if value is None or value is False:
            return False
        if value is True:
            return True
        self.fault(column, "not_a_flag", f"expected true or false, found {quoted(value)}.")
        return False

    def number(self, column: str, *, least: float | None = None) -> float | None:
        """A finite number; in a cell, digits with a decimal point."""
        value = self.take(column)
        if value is None:
            return None
        if self._cells:
            value = _number_of(value)
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.fault(
                column, "not_a_number", "expected a number such as 4.1, with a decimal point."
            )
            return None
        if least is not None and value < least:
            self.fault(column, "bad_number", f"the number must be {least:g} or more.")
            return None
        return value

    def rest_metadata(self, column: str) -> dict[str, Any]:
        """The metadata object together with every field that nobody asked for; call it last."""
        given = self.object(column)
        rest = {k: v for k, v in self._values.items() if k not in self._seen} | self._others
        for name in rest.keys() & given.keys():
            self.fault(
                column, "repeated_key", f"{quoted(name)} stands in “{column}” and beside it."
            )
        return {**rest, **given}


def _number_of(cell: str) -> float | None:
    """Python reads 1_000 and digits of every script as numbers; a file's author means neither."""
    if not _NUMBER.fullmatch(cell) or len(cell) > 30:
        return None
    number = float(cell)
    return int(cell) if re.fullmatch(r"-?\d{1,18}", cell) else _finite(number)


def _finite(number: float) -> float | None:
    return number if abs(number) != float("inf") else None


def composed(value: str) -> str:
    """The form in which ids are compared and stored: composed letters (NFC)."""
    return unicodedata.normalize("NFC", value)


def id_fault(value: str, *, what: str = "id", longest: int = MAX_ID) -> str:
    """Say what is wrong with an id (or another short name), or return the empty string."""
    if not value.strip():
        return f"the {what} is empty."
    if len(composed(value)) > longest:
        return f"the {what} is over {longest} characters."
    if value != value.strip(" "):
        return f"the {what} begins or ends with a blank: remove it."
    if value.isascii() and value.isprintable():
        return ""
    for character in value:
        unseen = character != " " and unicodedata.category(character) in _FORBIDDEN_IN_IDS
        if unseen or _NO_TRACE.match(character):
            return f"the {what} holds an invisible character (U+{ord(character):04X}): remove it."
    return ""
