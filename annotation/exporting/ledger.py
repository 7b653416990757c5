from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.exporting.kinds import CHUNK, ExportKind, Wanted, register
from annotation.exporting.writing import settled


@register
class LedgerExport(ExportKind):
    """ledger.jsonl: every entry of the chain. Under pseudonyms its hashes stand for what was
    sealed under user names: only the named file can be checked against them.
    """

    name = "ledger"
    order = 120
    label = _("Ledger")
    purpose = _("Every sealing and everything that somebody was shown, with the chain of hashes.")
    columns = (
        "sequence", "kind", "subject", "content", "actor", "at", "previous_hash", "hash",
    )  # fmt: skip
    group = "record"
    of_people = True

    def count(self, wanted: Wanted) -> int:
        return wanted.project.ledger.count()

    def rows(self, wanted: Wanted) -> Iterator[dict[str, Any]]:
        names = wanted.names
        for entry in wanted.project.ledger.order_by("sequence").iterator(chunk_size=CHUNK):
            yield {
                "sequence": entry.sequence,
                "kind": entry.kind,
                "subject": names.without_usernames(entry.subject),
                "content": settled(names.without_usernames(entry.content)),
                "actor": names.of(entry.actor_id) if entry.actor_id else None,
                "at": entry.at,
                "previous_hash": entry.previous_hash,
                "hash": entry.hash,
            }
