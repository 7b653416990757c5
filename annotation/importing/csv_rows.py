"""Strict CSV: one delimiter, quotation marks, a header; every row with the line it begins on. No
Django here.
"""

import csv
import re
from collections.abc import Iterator

from annotation.exporting.cells import original
from annotation.importing.json_rows import bad_byte
from annotation.importing.mapping import Reading
from annotation.importing.problems import Problems
from annotation.importing.rows import MAX_CELL, MAX_COLUMNS, MAX_ROWS, Row, Shape, header_fault

_ESCAPED_BYTE = re.compile("[\udc80-\udcff]")


class _Lines:
    """The lines as text, and what the reader of rows must know of the last ones."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self.undecoded = False  # a byte that is not UTF-8 came by
        self.ends: tuple[str, str] = ("", "")  # the last characters of the last two lines

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            try:
                text = line.decode()
            except UnicodeDecodeError:
                # The bad bytes stay recognisable until their row and column are known.
                text, self.undecoded = line.decode("utf-8", "surrogateescape"), True
            self.ends = (self.ends[1], text[-1:])
            yield text

    @property
    def bare_return(self) -> bool:
        return "\r" in self.ends


def csv_rows(
    source: Iterator[bytes], shape: Shape, problems: Problems, reading: Reading
) -> Iterator[Row]:
    """Yield every sound row after the header; a row's number is the line on which it begins."""
    csv.field_size_limit(MAX_CELL)
    lines = _Lines(source)
    reader = csv.reader(iter(lines), strict=True, delimiter=reading.delimiter)
    start, count = 1, 0
    try:
        header = next((cells for cells in reader if any(cell.strip() for cell in cells)), None)
        if header is None:
            problems.add(None, "", "empty", "the file has no rows.")
            return
        if not _header_is_whole(header, reader.line_num, lines, problems):
            return
        names, others = _our_names(header, reader.line_num, shape, problems, reading)
        if not names:
            return
        start = reader.line_num + 1
        for cells in reader:
            count += bool(cells)
            if count > MAX_ROWS:
                sentence = f"over {MAX_ROWS:,} rows: split the file."
                problems.add(start, "", "too_many_rows", sentence)
                return
            if cells and (fault := _row_fault(header, cells, lines)):
                problems.add(start, *fault)
            elif cells:
                yield _row(start, cells, names, header, others)
            start = reader.line_num + 1
    except csv.Error as fault:
        problems.add(start, "", *_broken(fault))


def _broken(fault: csv.Error) -> tuple[str, str]:
    """What the library says, in a sentence about the row on which the trouble begins."""
    said = str(fault)
    if "field larger" in said:
        return "too_long", (
            f"a cell is over {MAX_CELL:,} characters, or its quotation mark is never closed."
        )
    if "unexpected end" in said:
        return "unclosed_quote", "a quotation mark opens in this row and is never closed."
    if "expected after" in said:
        return "unbalanced_quote", (
            "a quotation mark in this row stands inside a cell: write it twice, "
            "and close every cell that begins with one."
        )
    return "broken_csv", f"broken CSV: {said}."


def _row(
    start: int, cells: list[str], names: list[str], header: list[str], others: frozenset[str]
) -> Row:
    """A row under our names; an empty cell is no value."""
    ours: dict[str, str] = {}
    rest: dict[str, str] = {}
    for name, theirs, cell in zip(names, header, cells, strict=True):
        if cell:
            # Only the apostrophe that our own exports put before a formula is taken away.
            whole = original(cell) if cell[0] == "'" else cell
            (rest if theirs in others else ours)[name] = whole
    return Row(start, ours, cells=True, others=rest or None)


def _our_names(
    header: list[str], row: int, shape: Shape, problems: Problems, reading: Reading
) -> tuple[list[str], frozenset[str]]:
    """The header under our names, and which columns are none of ours; nothing after a fault."""
    names, others, faults = reading.header(header, shape)
    for column, code, sentence in faults:
        problems.add(row, column, code, sentence)
    ours = [name for name, theirs in zip(names, header, strict=True) if theirs not in others]
    bad = header_fault(shape, ours, row, problems, mapped=bool(reading.columns)) or faults
    return ([], frozenset()) if bad else (names, others)


def _header_is_whole(header: list[str], row: int, lines: _Lines, problems: Problems) -> bool:
    if len(header) > MAX_COLUMNS:
        sentence = f"{len(header):,} columns; at most {MAX_COLUMNS} are read."
        problems.add(row, "", "too_many_columns", sentence)
        return False
    for sign, name in ((";", "“;”"), ("\t", "a tab"), ("|", "“|”")):
        if len(header) == 1 and sign in header[0]:
            sentence = f"1 column found: is the delimiter {name}? Choose it, or use commas."
            problems.add(row, "", "delimiter", sentence)
            return False
    fault = next((fault for cell in header if (fault := _cell_fault(cell, lines))), None)
    if fault:
        problems.add(row, "", *fault)
    return fault is None


def _row_fault(header: list[str], cells: list[str], lines: _Lines) -> tuple[str, str, str] | None:
    if len(cells) != len(header):
        if lines.bare_return:
            return (
                "",
                "bare_return",
                (
                    "a carriage return without line feed splits this row: put the cell that "
                    "holds it in quotation marks."
                ),
            )
        return "", "cell_count", f"{_cells(len(cells))}, the header has {len(header)}."
    for name, cell in zip(header, cells, strict=True):
        if fault := _cell_fault(cell, lines):
            return name, *fault
    return None


def _cell_fault(cell: str, lines: _Lines) -> tuple[str, str] | None:
    if "\x00" in cell:
        return "nul", "the text holds a NUL character."
    if lines.undecoded and (found := _ESCAPED_BYTE.search(cell)):
        return "encoding", bad_byte(ord(found[0]) - 0xDC00)
    return None


def _cells(count: int) -> str:
    return f"{count} cell" if count == 1 else f"{count} cells"
