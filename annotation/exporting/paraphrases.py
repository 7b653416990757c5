from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from annotation.exporting.kinds import CHUNK, ExportKind, Wanted, register
from annotation.exporting.names import moment
from annotation.exporting.writing import settled
from annotation.models import HumanRewrite


@register
class ParaphrasesExport(ExportKind):
    """paraphrases.jsonl: what people wrote from scratch. What was retracted or withdrawn is not in
    it.
    """

    name = "paraphrases"
    order = 60
    label = _("Paraphrases")
    purpose = _("Other wordings of the requests by people, for the questions about robustness.")
    columns = ("request", "kind", "text", "author", "warnings", "sealed_at")
    work = "paraphrase"
    of_people = True
    for_own = True

    def count(self, wanted: Wanted) -> int:
        return self._written(wanted).count()

    def rows(self, wanted: Wanted) -> Iterator[dict[str, Any]]:
        written = self._written(wanted).filter(wanted.handed_out()).select_related("request")
        ordered = written.order_by("request__position", "request_id", "pk")
        for rewrite in ordered.iterator(chunk_size=CHUNK):
            yield {
                "request": rewrite.request.key,
                "kind": rewrite.kind,
                "text": rewrite.text,
                "author": wanted.names.of(rewrite.author_id),
                "warnings": settled(rewrite.warnings),
                "sealed_at": moment(rewrite.sealed_at),
            }

    def _written(self, wanted: Wanted) -> QuerySet[HumanRewrite]:
        return HumanRewrite.objects.standing().filter(
            wanted.by("author"),
            request__project=wanted.project,
            kind=HumanRewrite.Kind.PARAPHRASE,
        )
