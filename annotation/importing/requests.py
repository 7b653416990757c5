import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.canonical import content_hash
from annotation.importing.corpus import refuse_twins
from annotation.importing.fields import Fields, look_alike_key
from annotation.importing.kinds import FileKind, register
from annotation.importing.problems import Problems
from annotation.importing.reading import Row
from annotation.models import Corpus, Person, Project, Request, RequestClass, Turn
from annotation.services import ledger

SPEAKERS = ("user", "assistant")
# What every rule for comparing answers drops: articles, blanks and punctuation.
_NOTHING = re.compile(r"\b(?:a|an|the)\b|[\W_]+")


@dataclass(frozen=True)
class _Request:
    key: str
    request_class: str
    text: str
    turns: list[tuple[str, str]]
    reference_date: date | None
    answers: list[str] | None
    evidence: list[list[str]] | None
    metadata: dict[str, Any]

    @property
    def sha256(self) -> str:
        return content_hash(
            {
                "id": self.key,
                "class": self.request_class,
                "turns": [{"role": role, "text": text} for role, text in self.turns],
                "text": self.text,
                "reference_date": self.reference_date.isoformat() if self.reference_date else None,
                "answers": self.answers,
                "evidence": self.evidence,
            }
        )


@register
class RequestsFile(FileKind):
    """requests.jsonl or .csv: new requests; ids that the project has already are refused."""

    name = "requests"
    label = _("Requests (requests.jsonl or .csv)")
    columns = ("id", "class", "turns", "text", "reference_date", "answers", "evidence", "metadata")

    def check(
        self, project: Project, rows: Sequence[Row], problems: Problems, target: str
    ) -> list[_Request]:
        first_row: dict[str, tuple[str, int]] = {}
        present = {
            look_alike_key(key): key for key in project.requests.values_list("key", flat=True)
        }
        documents = _document_keys(project)
        parsed = [
            request
            for row in rows
            if (request := self._read(Fields(row, problems), first_row, present, documents))
        ]
        return parsed

    def _read(
        self,
        fields: Fields,
        first_row: dict[str, tuple[str, int]],
        present: dict[str, str],
        documents: set[str] | None,
    ) -> _Request | None:
        key = fields.id("id")
        request_class = fields.text("class")
        text = fields.text("text")
        turns = _turns(fields)
        reference_date = fields.date("reference_date")
        answers = _answers(fields)
        evidence = _evidence(fields, documents)
        metadata = fields.rest_metadata("metadata")
        if key is None or request_class is None or text is None:
            return None
        refuse_twins(fields, "id", key, first_row)
        known = present.get(look_alike_key(key))
        if known is not None:
            fields.fault("id", "present_id", f"the project has a request “{known}” already.")
        return _Request(
            key, request_class.strip(), text, turns, reference_date, answers, evidence, metadata
        )

    def load(self, project: Project, parsed: list[_Request], actor: Person, target: str) -> int:
        classes = {
            name: RequestClass.objects.get_or_create(project=project, name=name)[0]
            for name in sorted({r.request_class for r in parsed})
        }
        offset = project.requests.count()
        requests = Request.objects.bulk_create(
            [
                Request(
                    project=project,
                    key=r.key,
                    request_class=classes[r.request_class],
                    text=r.text,
                    reference_date=r.reference_date,
                    answers=r.answers,
                    evidence=r.evidence,
                    metadata=r.metadata,
                    sha256=r.sha256,
                    position=offset + position,
                )
                for position, r in enumerate(parsed)
            ],
            batch_size=500,
        )
        Turn.objects.bulk_create(
            (
                Turn(request=request, position=position, role=role, text=text)
                for request, r in zip(requests, parsed, strict=True)
                for position, (role, text) in enumerate(r.turns)
            ),
            batch_size=500,
        )
        ledger.record(
            project=project,
            kind="requests.imported",
            subject=f"{len(parsed)} requests",
            content={"sha256": content_hash(sorted(r.sha256 for r in parsed))},
            actor=actor,
        )
        return len(parsed)


def _document_keys(project: Project) -> set[str] | None:
    corpus = Corpus.objects.latest_of(project)
    return set(corpus.documents.values_list("key", flat=True)) if corpus else None


def _turns(fields: Fields) -> list[tuple[str, str]]:
    turns = []
    for position, turn in enumerate(fields.objects("turns") or []):
        role, text = turn.get("role"), turn.get("text")
        if role not in SPEAKERS:
            fields.fault(
                "turns", "unknown_role", f"turn {position}: role must be user or assistant."
            )
        elif not isinstance(text, str) or not text.strip():
            fields.fault("turns", "empty_text", f"turn {position}: the text is empty.")
        else:
            turns.append((role, text))
    return turns


def _answers(fields: Fields) -> list[str] | None:
    answers = fields.texts("answers")
    for answer in answers or []:
        if not _NOTHING.sub("", answer.lower()):
            fields.fault(
                "answers",
                "empty_answer",
                f"“{answer}” is empty once articles and punctuation are dropped: "
                "every answer would match it.",
            )
    return answers


def _evidence(fields: Fields, documents: set[str] | None) -> list[list[str]] | None:
    value = fields.take("evidence")
    if value is None:
        return None
    whole = isinstance(value, list) and all(
        isinstance(item, list) and item and all(isinstance(key, str) for key in item)
        for item in value
    )
    if not whole:
        fields.fault(
            "evidence", "not_a_list", "expected lists of document ids, one list for each item."
        )
        return None
    if documents is None and value:
        fields.fault(
            "evidence", "no_corpus", "import the corpus first: evidence names its documents."
        )
        return None
    evidence: list[list[str]] = value
    for key in (key for item in evidence for key in item):
        if documents is not None and key not in documents:
            fields.fault("evidence", "unknown_document", f"the corpus has no document “{key}”.")
    return evidence
