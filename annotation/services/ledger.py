"""The append-only, hash-chained record of every sealing.

The ledger knows no kind of entry: whatever seals something says what it was. Call `record` (or
`record_all`) inside the transaction that does the sealing, so that neither stands without the
other.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import DateTimeField, Func
from django.utils import timezone

from annotation.erased import ErasedNames
from annotation.models import LedgerEntry, Person, Project

BATCH = 500  # entries in one statement
# A row's own time is noted a moment before its entry's: whoever seals may wait in between.
APART = timedelta(seconds=15)


@dataclass(frozen=True)
class Seal:
    """How to check the rows behind one kind of entry whose content has their `sha256`.

    `hashes` computes them anew from the rows, by subject and by the content's field `tells`, which
    tells the rows of one subject apart; what was retracted and sealed again has several. `times`,
    where something follows from when it was sealed, are the rows' own times by subject: they must
    be those of the entries.
    """

    kind: str
    tells: str
    hashes: Callable[[Project], Mapping[tuple[str, Any], Collection[str]]]
    times: Callable[[Project], Mapping[str, datetime]] | None = None


SEALS: dict[str, Seal] = {}


def register(*seals: Seal) -> None:
    """Add seals; called from the `ready` of the app that owns the rows."""
    SEALS.update({seal.kind: seal for seal in seals})


@dataclass(frozen=True, slots=True)
class Entry:
    """What one entry is to say: the `subject` (a request's id, say) and what was sealed of it."""

    kind: str
    subject: str
    content: dict[str, Any]


@dataclass(frozen=True)
class Broken:
    """The first entry at which the chain does not hold, and why, in a sentence."""

    sequence: int
    reason: str


def record(
    *, project: Project, kind: str, subject: str, content: dict[str, Any], actor: Person | None
) -> LedgerEntry:
    """Append one entry to the project's chain and return it. Raises outside a transaction."""
    entry = Entry(kind, subject, content)
    return record_all(project=project, entries=[entry], actor=actor)[0]


def record_all(
    *, project: Project, entries: Iterable[Entry], actor: Person | None
) -> list[LedgerEntry]:
    """Append the entries to the project's chain, in their order and with one time, and return
    them. Raises outside a transaction.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("A ledger entry belongs in the transaction that seals what it records.")
    project.lock()  # one writer of the chain at a time
    last, now = _last_and_now(project)
    at = now.isoformat(timespec="microseconds")
    first, previous = (last.sequence + 1, last.hash) if last else (1, "")
    chain = []
    for sequence, entry in enumerate(entries, start=first):
        link = LedgerEntry(
            project=project,
            sequence=sequence,
            kind=entry.kind,
            subject=entry.subject,
            content=entry.content,
            actor=actor,
            at=at,
            previous_hash=previous,
        )
        link.hash = previous = link.computed_hash()
        chain.append(link)
    return LedgerEntry.objects.bulk_create(chain, batch_size=BATCH)


def _last_and_now(project: Project) -> tuple[LedgerEntry | None, datetime]:
    """The newest entry and the time after the lock, in one query where the database has a clock:
    everybody who seals waits for this.
    """
    newest = LedgerEntry.objects.filter(project=project).order_by("-sequence")
    if transaction.get_connection().vendor == "postgresql":
        newest = newest.annotate(now=_Clock())
    last = newest.only("sequence", "hash").first()
    at: datetime | None = getattr(last, "now", None)
    return last, at.astimezone(UTC) if at else database_time()


class _Clock(Func):
    """PostgreSQL's clock as it is now, not as it was when the transaction began."""

    function = "clock_timestamp"
    output_field = DateTimeField()


def database_time() -> datetime:
    """The time of the one clock that all web processes and workers share, in UTC.

    PostgreSQL is asked for the time now, not for that at which the transaction began. SQLite is a
    library in this process: its clock is the machine's own, which is read finer here.
    """
    connection = transaction.get_connection()
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        at: datetime = cursor.fetchone()[0]
    return at.astimezone(UTC)


def first_broken(project: Project, *, newest: int | None = None) -> Broken | None:
    """Walk the chain from the start, or the `newest` entries alone; return the first entry that
    does not hold, or None when all do.
    """
    entries = project.ledger.order_by("sequence")
    previous, start = "", 1
    if newest is not None:
        earlier = project.ledger.order_by("-sequence")[newest : newest + 1].first()
        if earlier is not None:
            previous, start = earlier.hash, earlier.sequence + 1
    rows = entries.filter(sequence__gte=start).iterator() if start > 1 else entries.iterator()
    for expected, entry in enumerate(rows, start=start):
        if entry.sequence != expected:
            return Broken(expected, f"entry {expected} is missing; the next is {entry.sequence}.")
        if entry.previous_hash != previous:
            return Broken(expected, f"entry {expected} does not follow the entry before it.")
        if entry.computed_hash() != entry.hash:
            return Broken(
                expected, f"entry {expected} ({entry.kind}) was changed after it was written."
            )
        previous = entry.hash
    return None


def first_altered(project: Project) -> Broken | None:
    """Compare what was sealed with the rows as they are now; return the first that differs."""
    found = {kind: seal.hashes(project) for kind, seal in SEALS.items()}
    times = {kind: seal.times(project) for kind, seal in SEALS.items() if seal.times}
    names = ErasedNames(project)
    for entry in project.ledger.filter(kind__in=SEALS).order_by("sequence").iterator():
        tells = names.now(entry.sequence, entry.content.get(SEALS[entry.kind].tells))
        key = (entry.subject, tells)
        now = found[entry.kind].get(key, ())
        if entry.content["sha256"] not in now:
            fate = "was changed after it was sealed" if now else "is gone"
            what = f"what entry {entry.sequence} ({entry.kind}) sealed {fate}."
            return Broken(entry.sequence, what)
        at = times.get(entry.kind, {}).get(entry.subject)
        if at and abs(at - datetime.fromisoformat(entry.at)) > APART:
            what = (
                f"entry {entry.sequence} ({entry.kind}) was written {entry.at}, and {entry.subject}"
                f" says that it was {at.astimezone(UTC).isoformat(timespec='microseconds')}: its"
                " time was changed after it was sealed."
            )
            return Broken(entry.sequence, what)
    return None
