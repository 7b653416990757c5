"""The importer knows no file: each app registers the kinds of file that it owns."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from django.utils.functional import Promise

from annotation.importing.problems import Problems
from annotation.importing.reading import Row
from annotation.models import Person, Project


class FileKind(ABC):
    """One kind of file. `check` writes nothing; `load` runs in one transaction after a check
    without faults.
    """

    name: ClassVar[str]
    label: ClassVar[str | Promise]
    columns: ClassVar[tuple[str, ...]]
    act: ClassVar[str] = "import"
    target: ClassVar[str] = ""  # what the rows belong to, where a file needs one ("arm")

    @abstractmethod
    def check(
        self, project: Project, rows: Sequence[Row], problems: Problems, target: str
    ) -> list[Any]:
        """Return the parsed rows; add every fault to `problems`."""

    @abstractmethod
    def load(self, project: Project, parsed: list[Any], actor: Person, target: str) -> int:
        """Write the parsed rows and return how many were written."""


FILE_KINDS: dict[str, FileKind] = {}


def register(kind: type[FileKind]) -> type[FileKind]:
    """Add a kind of file; used as a class decorator."""
    FILE_KINDS[kind.name] = kind()
    return kind
