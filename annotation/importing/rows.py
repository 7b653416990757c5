"""One row of a file, the columns a file may have, and the limits that hold for every file."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.importing.problems import Problems
from annotation.importing.showing import quoted

MAX_BYTES = 64 * 1024 * 1024
MAX_ROWS = 1_000_000
MAX_COLUMNS = 500
MAX_CELL = 1_000_000
MAX_DEPTH = 50


@dataclass(frozen=True, slots=True)
class Row:
    """One object of the file with the line it begins on (counted from 1).

    The values of a row of `cells` (from CSV) are all texts: lists, objects and numbers stand in
    them as JSON. `others` are columns that the file's author said are none of ours; `lines` are the
    lines of its parts, where one row was put together from several.
    """

    number: int
    values: dict[str, Any]
    cells: bool = False
    others: dict[str, Any] | None = None
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Shape:
    """Which columns a kind of file has. Without columns any are taken; `others` says whether
    further columns are kept (as metadata) or refused.
    """

    columns: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    others: bool = True

    def faults(self, found: Iterable[str]) -> list[tuple[str, str, str]]:
        """Return (column, code, sentence) for every column that is written wrongly or unknown."""
        present = set(found)
        faults = []
        for name in sorted(present.difference(self.columns)) if self.columns else ():
            meant = self._meant(name, present)
            if meant:
                sentence = f"{quoted(name)} is not a column: write it as “{meant}”."
                faults.append((name, "column_name", sentence))
            elif not self.others:
                sentence = (
                    f"the column {quoted(name)} is unknown: remove it. "
                    f"Allowed: {', '.join(self.columns)}."
                )
                faults.append((name, "unknown_column", sentence))
        return faults

    def _meant(self, name: str, present: set[str]) -> str:
        for column in self.columns:
            if name.strip().casefold() == column.casefold():
                return column
            if column not in present and letters(name) == letters(column):
                return column
        return ""


def letters(name: str) -> str:
    """The name without case, hyphens, underscores and blanks: what two spellings share."""
    return name.strip().casefold().replace("-", "").replace("_", "").replace(" ", "")


def header_fault(
    shape: Shape, header: Sequence[str], row: int, problems: Problems, *, mapped: bool = False
) -> bool:
    """Add what is wrong with the names of a CSV's columns; return whether anything is. Names that
    were `mapped` by a person are looked at one by one.
    """
    before = problems.total
    lists = (
        f"Expected: {', '.join(shape.columns)}. "
        f"Found: {', '.join(quoted(name) for name in header[:20])}."
    )
    for name in sorted({name for name in header if header.count(name) > 1}):
        problems.add(row, name, "repeated_column", f"the column {quoted(name)} stands twice.")
    misspelt = shape.faults(header)
    for name, code, sentence in misspelt:
        problems.add(row, name, code, f"{sentence} {lists}")
    if shape.columns and not misspelt and not mapped and not set(header) & set(shape.columns):
        problems.add(row, "", "no_header", f"row {row} must name the columns. {lists}")
    elif not misspelt:
        for name in shape.required:
            if name not in header:
                said = "say which column of the file it is." if mapped else lists
                problems.add(row, name, "missing", f"the column “{name}” is missing. {said}")
    return problems.total > before
