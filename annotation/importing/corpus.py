from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.canonical import content_hash
from annotation.importing.fields import Fields, look_alike_key
from annotation.importing.kinds import FileKind, register
from annotation.importing.problems import Problems
from annotation.importing.reading import Row
from annotation.models import Corpus, Document, Person, Project
from annotation.services import ledger


@dataclass(frozen=True)
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

    def check(
        self, project: Project, rows: Sequence[Row], problems: Problems, target: str
    ) -> list[_Document]:
        first_row: dict[str, tuple[str, int]] = {}
        parsed = []
        for row in rows:
            fields = Fields(row, problems)
            key = fields.id("_id")
            title = fields.text("title", required=False) or ""
            text = fields.text("text")
            metadata = fields.rest_metadata("metadata")
            if key is None or text is None:
                continue
            refuse_twins(fields, "_id", key, first_row)
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
        Document.objects.bulk_create(
            (
                Document(
                    corpus=corpus,
                    key=d.key,
                    title=d.title,
                    text=d.text,
                    metadata=d.metadata,
                    position=position,
                )
                for position, d in enumerate(parsed)
            ),
            batch_size=500,
        )
        ledger.record(
            project=project,
            kind="corpus.frozen",
            subject=f"corpus {corpus.version}",
            content={"sha256": sha256, "documents": len(parsed)},
            actor=actor,
        )
        return len(parsed)


def refuse_twins(
    fields: Fields, column: str, key: str, first_row: dict[str, tuple[str, int]]
) -> None:
    """Refuse an id that stands on an earlier row, or that only looks different from one that
    does.
    """
    earlier = first_row.setdefault(look_alike_key(key), (key, fields.row))
    if earlier[1] == fields.row:
        return
    if earlier[0] == key:
        fields.fault(column, "duplicate_id", f"the id “{key}” stands on row {earlier[1]} already.")
    else:
        fields.fault(
            column,
            "look_alike_id",
            f"the id “{key}” looks like “{earlier[0]}” on row {earlier[1]}.",
        )
