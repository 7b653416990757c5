"""What a file seems to be, before anybody said so: its form, delimiter, kind and columns. Only a
proposal; the encoding is never guessed.
"""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from annotation.importing.archives import ArchiveFault, is_packed
from annotation.importing.archives import folder as folder_of
from annotation.importing.kinds import FileKind
from annotation.importing.mapping import DELIMITERS, TREC_COLUMNS, Reading, as_utf8
from annotation.importing.problems import Problems
from annotation.importing.reading import MAX_COLUMNS, lines_of, read_rows, reads_as_csv
from annotation.importing.rows import Row, Shape, letters
from annotation.importing.showing import visible
from annotation.importing.source import Source

FIRST = 20
_LOOKED_AT = 200  # rows of JSON Lines whose keys are the columns
_HEAD = 1 << 18  # bytes that are looked at
_CELL = 160
_BEGIN_OF_ROW = ("{", "[")


@dataclass(frozen=True)
class Proposal:
    """What a file seems to be, and about how many rows it has."""

    kind: str
    reading: Reading
    lines: int


@dataclass(frozen=True)
class FirstRows:
    """The first rows under our names; a column of others shows what becomes metadata."""

    columns: list[str]
    rows: list[tuple[int, list[str]]]


def proposal(filename: str, data: bytes, kinds: Sequence[FileKind]) -> Proposal:
    """Say which of the kinds (at least one) the file most likely is, and how it is read."""
    source = Source(filename, data)
    if len(kinds) > 1:
        kinds = _by_packing(data, kinds) or kinds
    try:
        source.unpack(folder=kinds[0].folder)
    except ArchiveFault:
        return Proposal(kinds[0].name, Reading(format="jsonl"), 0)
    if source.members is not None:
        return Proposal(kinds[0].name, Reading(), source.lines())
    source.reading = _form(source)
    found = columns(source)
    first = sorted(kinds, key=lambda k: k.name != "requests")  # if nothing tells kinds apart
    kind = max(first, key=lambda k: _likeness(k, source, found))
    reading = replace(source.reading, columns=proposed_columns(kind, found))
    return Proposal(kind.name, reading, source.lines())


def columns(source: Source) -> list[str]:
    """The columns of an unpacked file as it names them; empty when it cannot be read so."""
    text = as_utf8(source.data[:_HEAD], source.reading.encoding, Problems("")) or b""
    if source.reading.format == "trec" or not text:
        return []
    if reads_as_csv(source.filename, source.reading):
        decoded = (line.decode("utf-8", "replace") for line in lines_of(text))
        reader = csv.reader(decoded, delimiter=source.reading.delimiter)
        try:
            header = next((row for row in reader if any(cell.strip() for cell in row)), [])
        except csv.Error:
            return []
        return list(dict.fromkeys(header))[:MAX_COLUMNS]
    whole = b"".join(islice(lines_of(text), _LOOKED_AT))
    plain = replace(source.reading, encoding="utf-8", columns={})
    rows = read_rows(whole, "f.jsonl", Problems(""), Shape(), plain)
    return list(dict.fromkeys(name for row in rows for name in row.values))[:MAX_COLUMNS]


def proposed_columns(kind: FileKind, found: Iterable[str]) -> dict[str, str]:
    """Map each column of the file to ours of the same name, in whatever case, or to none."""
    left = {letters(ours): ours for ours in reversed(kind.columns)}
    exact = set(found) & set(kind.columns)
    mapped = {}
    for theirs in found:
        if theirs in exact:
            mapped[theirs] = theirs
            continue
        ours = left.get(letters(theirs), "")
        mapped[theirs] = "" if ours in exact or ours in mapped.values() else ours
    return mapped


def first_rows(kind: FileKind, source: Source) -> FirstRows:
    """The first rows of an unpacked file as they will be read, under our names."""
    limited = replace(source, data=_head(source), count=0)
    if source.reading.format == "trec":
        lines = enumerate(islice(lines_of(limited.data), FIRST), start=1)
        parts = [(number, line.decode("utf-8", "replace").split()) for number, line in lines]
        return FirstRows(list(TREC_COLUMNS), [(n, [*map(visible, cells)]) for n, cells in parts])
    rows = list(islice(limited.rows(Problems(""), Shape()), FIRST))
    named = list(dict.fromkeys(name for row in rows for name in row.values))
    ours = [name for name in kind.columns if name in named]
    others = any(row.others or set(row.values) - set(ours) for row in rows)
    shown = [(row.number, [*(_shown(row.values.get(c)) for c in ours)]) for row in rows]
    if others:
        ours.append("metadata, others")
        for (_number, cells), row in zip(shown, rows, strict=True):
            cells.append(_shown(_others(row, kind)))
    return FirstRows(ours, shown)


def _head(source: Source) -> bytes:
    """Enough whole lines for the first rows; the one that the cut goes through is left off."""
    if len(source.data) <= _HEAD:
        return source.data
    cut = source.data.rfind(b"\n", 0, _HEAD)
    return (
        source.data[: cut + 1]
        if cut >= 0 and "16" not in source.reading.encoding
        else (source.data[:_HEAD])
    )


def _others(row: Row, kind: FileKind) -> dict[str, Any] | None:
    rest = {k: v for k, v in row.values.items() if k not in kind.columns} | (row.others or {})
    return rest or None


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return visible(value, _CELL)
    if isinstance(value, dict):
        return visible(", ".join(f"{k}: {v}" for k, v in value.items()), _CELL)
    return visible(str(value), _CELL)


def _by_packing(data: bytes, kinds: Sequence[FileKind]) -> list[FileKind]:
    """Only kinds that are a folder if the file is one, and only others if it is none."""
    packed = False
    if is_packed(data):
        try:
            packed = "corpus.jsonl" in folder_of(data)
        except ArchiveFault:
            packed = False
    return [kind for kind in kinds if kind.folder == packed]


def _form(source: Source) -> Reading:
    """JSON Lines, CSV with its delimiter, or a TREC run, by the first line that says something."""
    head = source.data[:_HEAD].removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    line = next((line for line in head.splitlines() if line.strip()), "")
    words = line.split()
    if len(words) in (5, 6, 7) and words[1].upper() == "Q0":
        return Reading(format="trec")
    if line.lstrip().startswith(_BEGIN_OF_ROW):
        return Reading(format="jsonl")
    counts = {sign: line.count(sign) for sign in DELIMITERS}
    likely = max(DELIMITERS, key=lambda sign: counts[sign])
    named = source.filename.lower().endswith((".csv", ".tsv"))
    if counts[likely] or named:
        return Reading(format="csv", delimiter=likely)
    return Reading(format="jsonl")


def _likeness(kind: FileKind, source: Source, found: Sequence[str]) -> tuple[bool, bool, int, int]:
    """How well a kind fits: its form, its required columns, its name in the file's, how many of its
    columns are there.
    """
    fits = source.reading.format in kind.formats
    if source.reading.format == "trec":
        return fits, False, 0, 0
    mapped = set(proposed_columns(kind, found).values())
    named = kind.name in source.filename.lower()
    shared = len(mapped & set(kind.columns))
    return fits, set(kind.required) <= mapped, int(named), shared
