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
from annotation.importing.showing import quoted
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


def _searched(fields: Fields, key: str, title: str, text: str) -> str:
    """What is searched of a document. One without a text is read by its title; one without either
    has no words that could be found and stays out: "". Both with a warning.
    """
    if text.strip():
        return text
    if title.strip():
        fields.warn("text", "empty_text", f"{quoted(key)} has no text: its title is taken.")
        return title
    fields.warn("text", "empty_text", f"{quoted(key)} has no words: it is left out.")
    return ""


def document_of(fields: Fields, names: NewNames, *, lacks_text: bool = False) -> NewDocument | None:
    """The document of a row, or None where it has no id or no words; one that `lacks_text` has its
    fault already.
    """
    key = fields.id("_id")
    title = fields.text("title", required=False) or ""
    text = fields.text("text", required=False) or ""
    metadata = fields.rest_metadata("metadata")
    if key is None:
        return None
    names.check(fields, "_id", key)
    words = "" if lacks_text else _searched(fields, key, title, text)
    return NewDocument(key, title, words, metadata) if words else None


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
        documents = super().take(project, source, problems, target)
        if not documents and not problems.total:
            problems.add(None, "", "empty", "no document has words: there is nothing to search.")
        return NewCorpus.of(documents)

    def present(self, project: Project, parsed: NewCorpus) -> bool:
        return project.corpora.filter(sha256=parsed.sha256).exists()

    def check(
        self, project: Project, rows: Iterable[Row], problems: Problems, target: str
    ) -> list[NewDocument]:
        names = NewNames()
        parsed = []
        for row in rows:
            fields = Fields(row, problems)
            lacks_text = not row.cells and row.values.get("text") is None
            if lacks_text:
                fields.missing("text")
            if document := document_of(fields, names, lacks_text=lacks_text):
                parsed.append(document)
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
