from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.exporting.kinds import CHUNK, ExportKind, Wanted, register
from annotation.exporting.writing import settled
from annotation.models import Corpus


@register
class CorpusExport(ExportKind):
    """corpus.jsonl: the documents of the newest version, in their order."""

    name = "corpus"
    order = 10
    label = _("Corpus")
    purpose = _("The newest version of the documents that a retriever searches.")
    columns = ("_id", "title", "text", "metadata")
    blind = True

    def count(self, wanted: Wanted) -> int:
        corpus = Corpus.objects.latest_of(wanted.project)
        return corpus.document_count if corpus else 0

    def rows(self, wanted: Wanted) -> Iterator[dict[str, Any]]:
        corpus = Corpus.objects.latest_of(wanted.project)
        if corpus is None:
            return
        for document in corpus.documents.order_by("position", "pk").iterator(chunk_size=CHUNK):
            yield {
                "_id": document.key,
                "title": document.title,
                "text": document.text,
                "metadata": settled(document.metadata),
            }
