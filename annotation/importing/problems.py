"""What is wrong with a file, said so that its author can mend it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from annotation.importing.showing import visible

SHOWN = 100
MAX_MESSAGE = 2_000
MAX_COLUMN = 100


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault, or one warning. `row` counts lines of the file from 1; `column` is a field name,
    or empty for the whole row.
    """

    file: str
    row: int | None
    column: str
    code: str
    message: str

    def __str__(self) -> str:
        place = self.file
        if self.row is not None:
            place += f", row {self.row}"
        if self.column:
            place += f", column {self.column}"
        return f"{place}: {self.message}"


@dataclass
class Problems:
    """A collector: keeps the first faults and the first hundred warnings and counts all of them. A
    fault refuses the file; a warning does not; a note is a sentence about the whole file.

    `file` changes while a folder is read (`file_named` is what was sent). `names` says how the file
    calls our columns, so that a fault names what its author can find.
    """

    file: str
    names: Mapping[str, str] = field(default_factory=dict)
    limit: int = SHOWN
    shown: list[Problem] = field(default_factory=list)
    total: int = 0
    warnings: list[Problem] = field(default_factory=list)
    warned: int = 0
    notes: list[str] = field(default_factory=list)
    codes: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.file_named = self.file

    def add(self, row: int | None, column: str, code: str, message: str) -> None:
        self.total += 1
        self.codes[code] += 1
        if len(self.shown) < self.limit:
            self.shown.append(self._problem(row, column, code, message))

    def warn(self, row: int | None, column: str, code: str, message: str) -> None:
        self.warned += 1
        if len(self.warnings) < SHOWN:
            self.warnings.append(self._problem(row, column, code, message))

    def note(self, sentence: str) -> None:
        self.notes.append(visible(sentence, MAX_MESSAGE))

    def forget(self) -> None:
        """Begin anew, for a second check of the same rows."""
        self.shown, self.total, self.warnings, self.warned, self.notes = [], 0, [], 0, []
        self.codes, self.file = Counter(), self.file_named

    def in_order(self) -> None:
        """Bring the faults into the order of the file, or of each file of a folder."""
        files = {name: n for n, name in enumerate(dict.fromkeys(p.file for p in self.shown))}
        self.shown.sort(key=lambda problem: (files[problem.file], problem.row or 0))

    def to_json(self) -> list[dict[str, Any]]:
        return [asdict(problem) for problem in self.shown]

    def _problem(self, row: int | None, column: str, code: str, message: str) -> Problem:
        # A message quotes the file: what it quotes must not steer a terminal, a log or a page.
        column = visible(self.names.get(column, column), MAX_COLUMN)
        return Problem(self.file, row, column, code, visible(message, MAX_MESSAGE))


class ImportRefused(Exception):
    """The file was refused as a whole and nothing was written; `problems` says why."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        super().__init__("\n".join(str(problem) for problem in problems.shown))
