from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.importing.kinds import FileOfRows, register
from annotation.importing.problems import Problems
from annotation.importing.rows import Row
from annotation.ledger_file import Checked, FileFault, check_entries
from annotation.models import Person, Project
from annotation.services import ledger

KIND = "ledger.kept"


@register
class EarlierLedger(FileOfRows):
    """ledger.jsonl of the study that this one goes on with. Its chain is checked, and its head kept
    in the chain of this project: whoever has the file can show that nothing of it was changed.
    """

    name = "ledger"
    act = "import_work"
    label = _("Ledger of an earlier study (ledger.jsonl)")
    columns = (
        "sequence", "kind", "subject", "content", "actor", "at", "previous_hash", "hash",
        "project_id", "actor_id",
    )  # fmt: skip
    required = ("sequence", "kind", "previous_hash", "hash")
    formats = ("jsonl",)

    def check(
        self, project: Project, rows: Iterable[Row], problems: Problems, target: str
    ) -> list[Checked]:
        entries: list[dict[str, Any]] = []
        for row in rows:
            if missing := [name for name in self.required if row.values.get(name) is None]:
                sentence = f"an entry of a ledger has its {missing[0]}."
                problems.add(row.number, missing[0], "missing", sentence)
            entries.append(dict.fromkeys(self.columns) | row.values)
        if problems.total:
            return []
        try:
            return [check_entries(entries)]
        except FileFault as fault:
            problems.add(None, "hash", "broken_chain", str(fault))
            return []

    def load(self, project: Project, parsed: list[Checked], actor: Person, target: str) -> int:
        for found in parsed:
            ledger.record(
                project=project,
                kind=KIND,
                subject=project.slug,
                content={
                    "entries": found.entries,
                    "recomputed": found.recomputed,
                    "head": found.head,
                },
                actor=actor,
            )
        return sum(found.entries for found in parsed)
