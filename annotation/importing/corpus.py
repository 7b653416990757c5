from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.canonical import content_hash
from annotation.importing.fields import Fields
from annotation.importing.inserting import insert
from annotation.importing.kinds import FileOfRows, register
from annotation.importing.look_alikes import NewNames
from annotation.importing.problems import Problems
from annotation.importing.rows import Row
from annotation.importing.source import Source
from annotation.models import Corpus, Document, Person, Project
from annotation.services import ledger


@dataclass(frozen=True, slots=True)
class NewDocument:
    key: str
    title: str
    text: str
    metadata: dict[str, Any]


@dataclass(frozen=True, slots=True)
class NewCorpus:
    documents: list[NewDocument]
    sha256: str

    @classmethod
    def of(cls, documents: list[NewDocument]) -> "NewCorpus":
        """The corpus of these documents, in any order, with its hash."""
        in_order = sorted(documents, key=lambda d: d.key)
        content = [[d.key, d.title, d.text, d.metadata] for d in in_order]
        return cls(documents, content_hash(content))


@register
class CorpusFile(FileOfRows):
    """corpus.jsonl: a whole corpus; a file with other content becomes the next version."""

    name = "corpus"
    label = _("Corpus (corpus.jsonl)")
    columns = ("_id", "title", "text", "metadata")
    required = ("_id", "text")
    keeps_others = True
    depends_on = frozenset({"corpus.frozen"})

    def take(self, project: Project, source: Source, problems: Problems, target: str) -> NewCorpus:
        return NewCorpus.of(super().take(project, source, problems, target))

    def present(self, project: Project, parsed: NewCorpus) -> bool:
        return project.corpora.filter(sha256=parsed.sha256).exists()

    def check(
        self, project: Project, rows: Iterable[Row], problems: Problems, target: str
    ) -> list[NewDocument]:
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
                parsed.append(NewDocument(key, title, text, metadata))
        return parsed

    def load(self, project: Project, parsed: NewCorpus, actor: Person, target: str) -> int:
        if self.present(project, parsed):
            return 0
        documents = parsed.documents
        last = Corpus.objects.latest_of(project)
        corpus = Corpus.objects.create(
            project=project,
            version=last.version + 1 if last else 1,
            sha256=parsed.sha256,
            document_count=len(documents),
            created_by=actor,
        )
        insert(
            Document,
            ("corpus", "key", "title", "text", "metadata", "position"),
            ((corpus.pk, d.key, d.title, d.text, d.metadata, n) for n, d in enumerate(documents)),
        )
        ledger.record(
            project=project,
            kind="corpus.frozen",
            subject=f"corpus {corpus.version}",
            content={"sha256": parsed.sha256, "documents": len(documents)},
            actor=actor,
        )
        return len(documents)
