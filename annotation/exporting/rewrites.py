"""What the exports of people's rewordings have in common."""

from collections.abc import Iterator
from typing import Any, ClassVar

from django.db.models import QuerySet

from annotation.exporting.kinds import CHUNK, ExportKind, Wanted
from annotation.exporting.names import moment
from annotation.exporting.writing import settled
from annotation.models import HumanRewrite


class RewritesExport(ExportKind):
    """HumanRewrites of one kind, the one that `work` names: those that stand, in the requests'
    order. A row has the fields that `columns` names.
    """

    of_people: ClassVar[bool] = True
    for_own: ClassVar[bool] = True

    def count(self, wanted: Wanted) -> int:
        return self._written(wanted).count()

    def rows(self, wanted: Wanted) -> Iterator[dict[str, Any]]:
        written = self._written(wanted).filter(wanted.handed_out()).select_related("request")
        ordered = written.order_by("request__position", "request_id", "pk")
        for rewrite in ordered.iterator(chunk_size=CHUNK):
            fields = {
                "request": rewrite.request.key,
                "kind": rewrite.kind,
                "text": rewrite.text,
                "author": wanted.names.of(rewrite.author_id),
                "clarification": rewrite.clarification,
                "warnings": settled(rewrite.warnings),
                "sealed_at": moment(rewrite.sealed_at),
            }
            yield {name: fields[name] for name in self.columns}

    def _written(self, wanted: Wanted) -> QuerySet[HumanRewrite]:
        of_project = HumanRewrite.objects.standing().filter(request__project=wanted.project)
        return of_project.filter(wanted.by("author"), kind=self.work)
