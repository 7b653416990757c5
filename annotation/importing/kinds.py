"""The importer knows no file: each app registers the kinds of file that it owns."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar

from django.utils.functional import Promise

from annotation.importing.problems import Problems
from annotation.importing.rows import Row, Shape
from annotation.models import Person, Project


class FileKind(ABC):
    """One kind of file. `check` writes nothing; `load` runs in one transaction after a check
    without faults.
    """

    name: ClassVar[str]
    label: ClassVar[str | Promise]
    columns: ClassVar[tuple[str, ...]]
    required: ClassVar[tuple[str, ...]] = ()  # the columns that a CSV must have
    keeps_others: ClassVar[bool] = False  # whether further columns are kept as metadata
    act: ClassVar[str] = "import"
    target: ClassVar[str] = ""  # what the rows belong to, where a file needs one ("arm")

    @property
    def shape(self) -> Shape:
        return Shape(self.columns, self.required, self.keeps_others)

    def target_fault(self, target: str) -> tuple[str, str] | None:
        """Return (code, sentence) when the rows cannot belong to something of that name."""
        return None

    @abstractmethod
    def check(
        self, project: Project, rows: Iterable[Row], problems: Problems, target: str
    ) -> list[Any]:
        """Return the parsed rows; add every fault to `problems`. The rows can be gone through
        once: no more of the file is in memory than what is returned.
        """

    @abstractmethod
    def load(self, project: Project, parsed: list[Any], actor: Person, target: str) -> int:
        """Write the parsed rows and return how many were written."""


FILE_KINDS: dict[str, FileKind] = {}


def register(kind: type[FileKind]) -> type[FileKind]:
    """Add a kind of file; used as a class decorator."""
    FILE_KINDS[kind.name] = kind()
    return kind
