"""Reading the files of a public data set: JSON Lines whose rows must have certain fields. No Django
here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from annotation.importing.reading import parse_object

Row = dict[str, Any]


class SourceError(ValueError):
    """The source is not as expected; the text names the file, the row and what is wrong."""


@dataclass(frozen=True)
class ConvertedPairs:
    """The rows of four files, and how many candidates were left out, by reason."""

    corpus: tuple[Row, ...]
    requests: tuple[Row, ...]
    contracts: tuple[Row, ...]
    twins: tuple[Row, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)


def read_lines(text: str, name: str) -> list[Row]:
    """Return the objects of a JSON Lines text; `name` is the file's, for faults."""
    rows = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            rows.append(parse_object(line))
        except ValueError as fault:
            raise SourceError(f"{name}, row {number}: {fault}") from fault
    return rows


def needed(row: Mapping[str, Any], names: Iterable[str], file: str, number: int) -> list[Any]:
    """Return the values of `names`; raises SourceError for the first that the row lacks."""
    wanted = list(names)
    missing = [name for name in wanted if name not in row]
    if missing:
        raise SourceError(f"{file}, row {number}: no field “{missing[0]}”.")
    return [row[name] for name in wanted]
