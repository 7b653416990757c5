"""The exporter knows no file: each app registers the kinds of file that it can write."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from django.db.models import Q
from django.utils.functional import Promise

from annotation.exporting.names import Names
from annotation.models import Person, Project

CHUNK = 200  # requests that are in memory at once, with everything that hangs on them


@dataclass(frozen=True)
class Wanted:
    """What one export is about: the project, under which names people stand in it, and whose work
    alone it shows (`own`). What `reader` must not know is left out of it; nobody reads a file that
    is written on the server.
    """

    project: Project
    names: Names
    own: Person | None = None
    reader: Person | None = None

    def by(self, field: str) -> Q:
        """Everybody's rows, or those whose `field` is the person alone."""
        return Q(**{field: self.own}) if self.own else Q()

    def handed_out(self) -> Q:
        """What may leave the house: a seat whose sealed work was marked as read can no longer be
        retracted. One's own work is read by nobody else.
        """
        return Q() if self.own else Q(seat=None) | Q(seat__read_at__isnull=False)


class ExportKind(ABC):
    """One kind of file. `rows` are objects with the same keys in the same order for every content,
    unless the format's description says otherwise; CSV writes `columns`.
    """

    name: ClassVar[str]
    label: ClassVar[str | Promise]
    purpose: ClassVar[str | Promise]  # a sentence for the person who chooses
    columns: ClassVar[tuple[str, ...]]
    group: ClassVar[str] = "back"  # "back": can be imported again; "table"; "record"
    order: ClassVar[int]
    forms: ClassVar[tuple[str, ...]] = ("jsonl",)
    work: ClassVar[str] = ""  # the kind of work whose sealed seats it shows
    of_people: ClassVar[bool] = False  # whether names stand in it
    for_own: ClassVar[bool] = False  # whether a person may take their own rows alone
    # Shows neither others' work nor answers, so that whoever annotates may have it too.
    blind: ClassVar[bool] = False

    @abstractmethod
    def count(self, wanted: Wanted) -> int:
        """How many rows the file would have now."""

    @abstractmethod
    def rows(self, wanted: Wanted) -> Iterator[dict[str, Any]]:
        """Yield the rows in their order, holding no more than a chunk of them."""


EXPORT_KINDS: dict[str, ExportKind] = {}


def register(kind: type[ExportKind]) -> type[ExportKind]:
    """Add a kind of export; used as a class decorator."""
    EXPORT_KINDS[kind.name] = kind()
    for earlier in sorted(EXPORT_KINDS.values(), key=lambda known: known.order):
        EXPORT_KINDS[earlier.name] = EXPORT_KINDS.pop(earlier.name)  # pages list them in order
    return kind
