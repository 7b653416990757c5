"""The importer knows no file: each app registers the kinds of file that it owns."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from django.utils.functional import Promise

from annotation.importing.problems import Problems
from annotation.importing.rows import Row, Shape
from annotation.importing.source import Source
from annotation.models import Person, Project


@dataclass(frozen=True)
class Option:
    """What a kind of file asks beside its rows. A flag is "" or "on"; it answers a question."""

    name: str
    label: str | Promise
    default: str = ""
    help: str | Promise = ""
    flag: bool = False


class FileKind(ABC):
    """One kind of file. `take` reads and checks, and writes nothing; `load` runs in one transaction
    after a check without faults.
    """

    name: ClassVar[str]
    label: ClassVar[str | Promise]
    columns: ClassVar[tuple[str, ...]]
    required: ClassVar[tuple[str, ...]] = ()  # the columns that a CSV must have
    keeps_others: ClassVar[bool] = False  # whether further columns are kept as metadata
    act: ClassVar[str] = "import"
    target: ClassVar[str] = ""  # what the rows belong to, where a file needs one ("arm")
    formats: ClassVar[tuple[str, ...]] = ("jsonl", "csv")
    folder: ClassVar[bool] = False  # a folder, packed as .zip or .tar.gz
    options: ClassVar[tuple[Option, ...]] = ()
    # Kinds of ledger entries after which a check no longer holds; None: after any.
    depends_on: ClassVar[frozenset[str] | None] = None

    @property
    def shape(self) -> Shape:
        return Shape(self.columns, self.required, self.keeps_others)

    def target_fault(self, target: str) -> tuple[str, str] | None:
        """Return (code, sentence) when the rows cannot belong to something of that name."""
        return None

    @abstractmethod
    def take(self, project: Project, source: Source, problems: Problems, target: str) -> Any:
        """Read and check all of the file, adding every fault to `problems`; return what `load`
        writes.
        """

    def present(self, project: Project, parsed: Any) -> bool:
        """Whether the project has exactly this content already, from another file."""
        return False

    @abstractmethod
    def load(self, project: Project, parsed: Any, actor: Person, target: str) -> int:
        """Write what `take` returned, and return how many rows were written. The project is locked:
        nothing that can be computed before belongs here.
        """


class FileOfRows(FileKind):
    """A kind of file that is one row after the other."""

    def take(self, project: Project, source: Source, problems: Problems, target: str) -> Any:
        rows = source.rows(problems, self.shape)
        return self.check(project, rows, problems, target)

    @abstractmethod
    def check(
        self, project: Project, rows: Iterable[Row], problems: Problems, target: str
    ) -> list[Any]:
        """Return the parsed rows; add every fault to `problems`. The rows can be gone through
        once: no more of the file is in memory than what is returned.
        """


FILE_KINDS: dict[str, FileKind] = {}


def register(kind: type[FileKind]) -> type[FileKind]:
    """Add a kind of file; used as a class decorator."""
    FILE_KINDS[kind.name] = kind()
    return kind
