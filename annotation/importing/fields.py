"""Typed reading of one row: each method returns the value, or None after adding the fault. No
Django here.
"""

import datetime
import unicodedata
from typing import Any

from annotation.importing.problems import Problems
from annotation.importing.reading import Row

MAX_ID = 200
_FORBIDDEN_IN_IDS = {"Cc", "Cf", "Zl", "Zp", "Zs", "Cs", "Co", "Cn"}


class Fields:
    """The fields of one row, read one by one."""

    def __init__(self, row: Row, problems: Problems) -> None:
        self.row = row.number
        self._values = dict(row.values)
        self._problems = problems
        self._seen: set[str] = set()

    def fault(self, column: str, code: str, message: str) -> None:
        self._problems.add(self.row, column, code, message)

    def take(self, column: str) -> Any:
        self._seen.add(column)
        return self._values.get(column)

    def text(self, column: str, *, required: bool = True) -> str | None:
        value = self.take(column)
        if value is None:
            if required:
                self.fault(column, "missing", f"the column “{column}” is missing.")
            return None
        if not isinstance(value, str):
            self.fault(column, "not_a_text", "expected a text.")
            return None
        if required and not value.strip():
            self.fault(column, "empty_text", "the text is empty.")
            return None
        return value

    def id(self, column: str) -> str | None:
        value = self.take(column)
        if value is None:
            self.fault(column, "missing", f"the column “{column}” is missing.")
            return None
        if not isinstance(value, str):
            self.fault(column, "id_not_text", "an id must be a text, in quotation marks.")
            return None
        fault = id_fault(value)
        if fault:
            self.fault(column, "bad_id", fault)
            return None
        return unicodedata.normalize("NFC", value.strip())

    def choice(self, column: str, allowed: tuple[str, ...]) -> str | None:
        value = self.text(column)
        if value is not None and value not in allowed:
            self.fault(column, "unknown_value", f"“{value}” is not one of: {', '.join(allowed)}.")
            return None
        return value

    def date(self, column: str) -> datetime.date | None:
        value = self.text(column, required=False)
        if not value:
            return None
        try:
            if len(value) != 10 or not value.isascii():
                raise ValueError
            return datetime.date.fromisoformat(value)
        except ValueError:
            self.fault(column, "bad_date", f"“{value}” is not a date like 2024-06-30.")
            return None

    def texts(self, column: str) -> list[str] | None:
        """A list of non-empty texts; None when the column is absent or faulty."""
        value = self.take(column)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(v, str) and v.strip() for v in value):
            self.fault(column, "not_a_list", "expected a list of texts, none of them empty.")
            return None
        return value

    def objects(self, column: str) -> list[dict[str, Any]] | None:
        value = self.take(column)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
            self.fault(column, "not_a_list", "expected a list of objects.")
            return None
        return value

    def object(self, column: str) -> dict[str, Any]:
        value = self.take(column)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.fault(column, "not_an_object", "expected an object {…}.")
            return {}
        return value

    def flag(self, column: str) -> bool:
        value = self.take(column)
        if value in (None, False):
            return False
        if value is True:
            return True
        self.fault(column, "not_a_flag", "expected true or false.")
        return False

    def number(self, column: str) -> float | None:
        value = self.take(column)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.fault(column, "not_a_number", "expected a number.")
            return None
        return value

    def rest_metadata(self, column: str) -> dict[str, Any]:
        """The metadata object together with every field that nobody asked for; call it last."""
        given = self.object(column)
        return {**{k: v for k, v in self._values.items() if k not in self._seen}, **given}


def id_fault(value: str) -> str:
    """Say what is wrong with an id, or return the empty string."""
    trimmed = value.strip()
    if not trimmed:
        return "the id is empty."
    if len(trimmed) > MAX_ID:
        return f"the id is over {MAX_ID} characters."
    for character in trimmed:
        if character != " " and unicodedata.category(character) in _FORBIDDEN_IN_IDS:
            return f"the id holds an invisible character (U+{ord(character):04X})."
    return ""


def look_alike_key(value: str) -> str:
    """Ids with the same key look the same to a person; two of them in one project are refused."""
    return unicodedata.normalize("NFKC", value.strip()).casefold()
