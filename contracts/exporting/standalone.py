from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from annotation.exporting.kinds import CHUNK, ExportKind, Wanted, register
from annotation.exporting.names import moment
from annotation.exporting.writing import settled
from annotation.models import HumanRewrite


@register
class StandaloneExport(ExportKind):
    """standalone.jsonl: the human reference of each request, written from scratch."""

    name = "standalone"
    order = 50
    label = _("Standalone references")
    purpose = _("The human reference arm: each request as a person wrote it to stand alone.")
    columns = ("request", "text", "author", "clarification", "warnings", "sealed_at")
    work = "standalone"
    of_people = True
    for_own = True

    def count(self, wanted: Wanted) -> int:
        return self._written(wanted).count()

    def rows(self, wanted: Wanted) -> Iterator[dict[str, Any]]:
        written = self._written(wanted).filter(wanted.handed_out()).select_related("request")
        ordered = written.order_by("request__position", "request_id", "pk")
        for reference in ordered.iterator(chunk_size=CHUNK):
            yield {
                "request": reference.request.key,
                "text": reference.text,
                "author": wanted.names.of(reference.author_id),
                "clarification": reference.clarification,
                "warnings": settled(reference.warnings),
                "sealed_at": moment(reference.sealed_at),
            }

    def _written(self, wanted: Wanted) -> QuerySet[HumanRewrite]:
        return HumanRewrite.objects.standing().filter(
            wanted.by("author"),
            request__project=wanted.project,
            kind=HumanRewrite.Kind.STANDALONE,
        )
