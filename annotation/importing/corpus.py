from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from django.utils.translation import gettext_lazy as _

from annotation.canonical import content_hash
from annotation.importing.fields import Fields
from annotation.importing.kinds import FileKind, register
from annotation.importing.look_alikes import NewNames
from annotation.importing.problems import Problems
from annotation.importing.rows import Row
from annotation.models import Corpus, Document, Person, Project
from annotation.services import ledger

BATCH = 1_000
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class _Document:
    key: str
    title: str
    text: str
    metadata: dict[str, Any]


@register
class CorpusFile(FileKind):
    """corpus.jsonl: a whole corpus; a file with other content becomes the next version."""

    name = "corpus"
    label = _("Corpus (corpus.jsonl)")
    columns = ("_id", "title", "text", "metadata")
    required = ("_id", "text")
    keeps_others = True

    def check(
        self, project: Project, rows: Iterable[Row], problems: Problems, target: str
    ) -> list[_Document]:
        names = NewNames()
        parsed = []
        for row in rows:
            fields = Fields(row, problems)
            key = fields.id("_id")
            title = fields.text("title", required=False) or ""
            text = fields.text("text")
            metadata = fields.rest_metadata("metadata")
            if key is not None:
                names.check(fields, "_id", key)
            if key is not None and text is not None:
                parsed.append(_Document(key, title, text, metadata))
        return parsed

    def load(self, project: Project, parsed: list[_Document], actor: Person, target: str) -> int:
        sha256 = content_hash(
            [[d.key, d.title, d.text, d.metadata] for d in sorted(parsed, key=lambda d: d.key)]
        )
        if project.corpora.filter(sha256=sha256).exists():
            return 0
        last = Corpus.objects.latest_of(project)
        corpus = Corpus.objects.create(
            project=project,
            version=last.version + 1 if last else 1,
            sha256=sha256,
            document_count=len(parsed),
            created_by=actor,
        )
        for batch in batches(enumerate(parsed)):
            Document.objects.bulk_create(
                Document(
                    corpus=corpus,
                    key=d.key,
                    title=d.title,
                    text=d.text,
                    metadata=d.metadata,
                    position=position,
                )
                for position, d in batch
            )
        ledger.record(
            project=project,
            kind="corpus.frozen",
            subject=f"corpus {corpus.version}",
            content={"sha256": sha256, "documents": len(parsed)},
            actor=actor,
        )
        return len(parsed)


def batches(items: Iterable[_T]) -> Iterator[list[_T]]:
    """Yield the items in lists of a thousand, so that no more rows than that exist at once."""
    source = iter(items)
    while batch := list(islice(source, BATCH)):
        yield batch
