from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.exporting.kinds import CHUNK, ExportKind, Wanted, register
from annotation.exporting.writing import settled


@register
class RequestsExport(ExportKind):
    """requests.jsonl or .csv: every request with its conversation, answers and evidence."""

    name = "requests"
    order = 20
    label = _("Requests")
    purpose = _("What was asked, with the conversation before it, the answers and the evidence.")
    columns = ("id", "class", "turns", "text", "reference_date", "answers", "evidence", "metadata")
    forms = ("jsonl", "csv")

    def count(self, wanted: Wanted) -> int:
        return wanted.project.requests.count()

    def rows(self, wanted: Wanted) -> Iterator[dict[str, Any]]:
        requests = wanted.project.requests.with_words().order_by("position", "pk")
        for request in requests.iterator(chunk_size=CHUNK):
            date = request.reference_date
            yield {
                "id": request.key,
                "class": request.request_class.name,
                "turns": [{"role": turn.role, "text": turn.text} for turn in request.turns.all()],
                "text": request.text,
                "reference_date": date.isoformat() if date else None,
                "answers": request.answers,
                "evidence": request.evidence,
                "metadata": settled(request.metadata),
            }
