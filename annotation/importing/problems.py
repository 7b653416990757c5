"""What is wrong with a file, said so that its author can mend it."""

from dataclasses import asdict, dataclass, field
from typing import Any

SHOWN = 100


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault. `row` counts lines of the file from 1; `column` is a field name, or empty for the
    whole row.
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
    """A collector: keeps the first hundred faults and counts all of them."""

    file: str
    shown: list[Problem] = field(default_factory=list)
    total: int = 0

    def add(self, row: int | None, column: str, code: str, message: str) -> None:
        self.total += 1
        if len(self.shown) < SHOWN:
            self.shown.append(Problem(self.file, row, column, code, message))

    def to_json(self) -> list[dict[str, Any]]:
        return [asdict(problem) for problem in self.shown]


class ImportRefused(Exception):
    """The file was refused as a whole and nothing was written; `problems` says why."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        super().__init__("\n".join(str(problem) for problem in problems.shown))
