from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.erased import ErasedNames
from annotation.exporting.kinds import CHUNK, ExportKind, Wanted, register
from annotation.exporting.names import Names
from annotation.exporting.writing import settled
from annotation.models import LedgerEntry
from annotation.withheld_entries import withheld_entries


@register
class LedgerExport(ExportKind):
    """ledger.jsonl: every entry of the chain. Under pseudonyms its hashes stand for what was
    sealed under user names: only the named file can be checked against them, and there all but the
    entries that name somebody who is erased; those show the name that they have now. Of entries
    that the reader must not be told of, only their place in the chain is written.
    """

    name = "ledger"
    order = 120
    label = _("Ledger")
    purpose = _("Every sealing and everything that somebody was shown, with the chain of hashes.")
    columns = (
        "sequence", "kind", "subject", "content", "actor", "at", "previous_hash", "hash",
        "project_id", "actor_id",
    )  # fmt: skip
    group = "record"
    of_people = True

    def count(self, wanted: Wanted) -> int:
        """Without those of which only the place is written: their number is others' work."""
        return wanted.project.ledger.count() - len(_withheld(wanted))

    def rows(self, wanted: Wanted) -> Iterator[dict[str, Any]]:
        names, erased = wanted.names, ErasedNames(wanted.project)
        hidden = _withheld(wanted)
        for entry in wanted.project.ledger.order_by("sequence").iterator(chunk_size=CHUNK):
            if entry.sequence in hidden:
                yield _place_alone(entry)
                continue
            yield {
                "sequence": entry.sequence,
                "kind": entry.kind,
                "subject": names.without_usernames(erased.subject_of(entry)),
                "content": settled(_content(entry, names, erased)),
                "actor": names.of(entry.actor_id) if entry.actor_id else None,
                "at": entry.at,
                "previous_hash": entry.previous_hash,
                "hash": entry.hash,
                # What a hash is taken over too; without names it could not be worked out anyway.
                "project_id": entry.project_id if names.named else None,
                "actor_id": entry.actor_id if names.named else None,
            }


def _withheld(wanted: Wanted) -> set[int]:
    """The numbers of the entries that the file's reader is not told of."""
    if wanted.reader is None:
        return set()
    hidden = withheld_entries(reader=wanted.reader, project=wanted.project)
    return {number for rows in hidden for number in rows.values_list("sequence", flat=True)}


def _place_alone(entry: LedgerEntry) -> dict[str, Any]:
    """An entry without what it says and who said it: its hash cannot be worked out from that."""
    return {
        "sequence": entry.sequence,
        "kind": entry.kind,
        "subject": entry.subject,
        "content": {},
        "actor": None,
        "at": entry.at,
        "previous_hash": entry.previous_hash,
        "hash": entry.hash,
        "project_id": None,
        "actor_id": None,
    }


def _content(entry: LedgerEntry, names: Names, erased: ErasedNames) -> Any:
    """The content with people under the names that the file has for them, also where a name is a
    key.
    """
    content = erased.content_of(entry)
    if entry.kind == "pseudonyms.kept":
        content = {names.without_usernames(name): given for name, given in content.items()}
    return names.without_usernames(content)
