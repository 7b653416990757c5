"""Under which names erased people stand in a ledger, whose entries cannot change.

The entry of an erasure does not repeat the old name: it says where in the chain that name stands.
So the chain itself tells whom its older entries mean, to whoever may read it and to nobody else.
"""

import json
from collections.abc import Iterator
from typing import Any

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from annotation.models import LedgerEntry, Project

KIND = "person.erased"
_OF_PEOPLE = ("member.", "consent.")  # kinds of entry whose subject is somebody's user name
_NAMES_AS_KEYS = ("pseudonyms.kept",)


class ErasedNames:
    """The names of the erased people of a project, old and new, read once.

    A name means the erased person only in the entries before their erasure: later it may be
    somebody else's.
    """

    def __init__(self, project: Project) -> None:
        erasures = list(project.ledger.filter(kind=KIND).order_by("sequence"))
        places = [entry.content.get("named_at") for entry in erasures]
        wanted = {place[0] for place in places if place}
        named = {e.sequence: e for e in project.ledger.filter(sequence__in=wanted)}
        # A name → the number of each erasure that ended it, with the name that came instead.
        self._ended: dict[str, list[tuple[int, str]]] = {}
        for entry, place in zip(erasures, places, strict=True):
            old = _text_at(named.get(place[0]), place[1]) if place else None
            if old is not None:
                self._ended.setdefault(old, []).append((entry.sequence, entry.subject))

    def __contains__(self, name: str) -> bool:
        """Whether it once was the name of somebody who is erased."""
        return name in self._ended

    def now(self, sequence: int, value: Any) -> Any:
        """The value from the entry of that number, with each text that is exactly an old name
        replaced; roles are left as they are.
        """
        if not self._ended:
            return value
        if isinstance(value, str):
            ended = self._ended.get(value, ())
            return next((now for until, now in ended if sequence < until), value)
        if isinstance(value, dict):
            return {k: v if k == "roles" else self.now(sequence, v) for k, v in value.items()}
        if isinstance(value, list):
            return [self.now(sequence, part) for part in value]
        return value

    def subject_of(self, entry: LedgerEntry) -> str:
        of_people = entry.kind.startswith(_OF_PEOPLE)
        return str(self.now(entry.sequence, entry.subject)) if of_people else entry.subject

    def content_of(self, entry: LedgerEntry) -> Any:
        content = self.now(entry.sequence, entry.content)
        if entry.kind in _NAMES_AS_KEYS:
            return {self.now(entry.sequence, key): value for key, value in content.items()}
        return content


def named_at(project: Project, name: str) -> list[int] | None:
    """Where the name stands first in the project's ledger: the number of the entry, and which of
    its texts; None when it stands nowhere.
    """
    for entry in _may_name(project, name).iterator():
        found = list(_texts(entry))
        if name in found:
            return [entry.sequence, found.index(name)]
    return None


def entries_naming(project: Project, name: str) -> int:
    """How many entries of the project's ledger have the name in them."""
    return sum(name in _texts(entry) for entry in _may_name(project, name).iterator())


def _may_name(project: Project, name: str) -> Any:
    """Entries in whose text the name is found, maybe as a part of a word."""
    entries = project.ledger.annotate(text=Cast("content", TextField()))
    # SQLite keeps letters outside ASCII as escapes, PostgreSQL as they are.
    within = Q(text__contains=name) | Q(text__contains=json.dumps(name)[1:-1])
    return entries.filter(within | Q(subject=name)).order_by("sequence")


def _text_at(entry: LedgerEntry | None, place: int) -> str | None:
    found = list(_texts(entry)) if entry else []
    return found[place] if place < len(found) else None


def _texts(entry: LedgerEntry) -> Iterator[str]:
    """The subject, then every text of the content, in an order that no database changes."""
    yield entry.subject
    yield from _within(entry.content)


def _within(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key in sorted(value):
            yield key
            yield from _within(value[key])
    elif isinstance(value, list):
        for part in value:
            yield from _within(part)
