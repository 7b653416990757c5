"""Which entries of the ledger a reader is not told of. Each app says what it hides, and of whom."""

from collections.abc import Callable
from dataclasses import dataclass

from annotation.models import LedgerEntry, Person, Project
from annotation.models.ledger import LedgerQuerySet
from annotation.permissions import may

# The entries that an app hides of a reader; None where there are none.
Withheld = Callable[[Project, Person], LedgerQuerySet | None]
_WITHHELD: list[Withheld] = []


@dataclass(frozen=True)
class LedgerShown:
    """The entries that a reader may see; `whole` unless some may be hidden, and with them the
    numbers from which their count could be seen. `annotates` says that this is why.
    """

    entries: LedgerQuerySet
    whole: bool
    annotates: bool


def register(*withheld: Withheld) -> None:
    """Add what is hidden; called from the `ready` of the app that writes the entries."""
    _WITHHELD.extend(withheld)


def shown_ledger(*, reader: Person, project: Project) -> LedgerShown:
    """Return what the reader may see of the project's ledger."""
    annotates = may(reader, "annotate", project).allowed
    entries: LedgerQuerySet = LedgerEntry.objects.filter(project=project)
    entries = entries.visible_to(reader, annotates=annotates)
    hidden = withheld_entries(reader=reader, project=project)
    for rows in hidden:
        entries = entries.exclude(pk__in=rows.values("pk"))
    return LedgerShown(entries, whole=not annotates and not hidden, annotates=annotates)


def withheld_entries(*, reader: Person, project: Project) -> list[LedgerQuerySet]:
    """Return the entries that are hidden of this reader, whether they annotate or not."""
    found = (withheld(project, reader) for withheld in _WITHHELD)
    return [rows for rows in found if rows is not None]
