import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.canonical import content_hash
from annotation.importing.fields import Fields, composed
from annotation.importing.inserting import insert
from annotation.importing.kinds import FileOfRows, register
from annotation.importing.look_alikes import NewNames, look_alike_key
from annotation.importing.problems import Problems
from annotation.importing.rows import Row
from annotation.importing.showing import quoted
from annotation.models import Corpus, Person, Project, Request, RequestClass, Turn
from annotation.services import ledger

SPEAKERS = ("user", "assistant")
MAX_CLASS = 60
MAX_TURNS = 1_000
# What stands for every class in results, in rules and in addresses.
RESERVED_CLASSES = ("all", "*")
_STORED = ("project", "key", "request_class", "text", "reference_date", "answers", "evidence",
           "metadata", "created_by", "sha256", "position")  # fmt: skip
# What every rule for comparing answers drops: articles, blanks and punctuation.
_NOTHING = re.compile(r"\b(?:a|an|the)\b|[\W_]+")
_RESERVED = {look_alike_key(name) for name in RESERVED_CLASSES}


@dataclass(slots=True)
class NewRequest:
    key: str
    request_class: str
    text: str
    turns: list[tuple[str, str]]
    reference_date: date | None
    answers: list[str] | None
    evidence: list[list[str]] | None
    metadata: dict[str, Any]
    sha256: str = ""

    def __post_init__(self) -> None:
        self.sha256 = content_hash(
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
class RequestsFile(FileOfRows):
    """requests.jsonl or .csv: new requests; ids that the project has already are refused."""

    name = "requests"
    label = _("Requests (requests.jsonl or .csv)")
    columns = ("id", "class", "turns", "text", "reference_date", "answers", "evidence", "metadata")
    required = ("id", "class", "text")
    keeps_others = True
    depends_on = frozenset({"corpus.frozen", "requests.imported", "twin.approved"})

    def check(
        self, project: Project, rows: Iterable[Row], problems: Problems, target: str
    ) -> list[NewRequest]:
        names = NewNames(project.requests.values_list("key", flat=True), "request")
        classes = Classes(project.request_classes.values_list("name", flat=True))
        documents = _document_keys(project)
        return [
            request
            for row in rows
            if (request := _read(Fields(row, problems), names, classes, documents))
        ]

    def load(self, project: Project, parsed: list[NewRequest], actor: Person, target: str) -> int:
        classes = {
            name: RequestClass.objects.get_or_create(project=project, name=name)[0]
            for name in sorted({r.request_class for r in parsed})
        }
        offset = project.requests.count()
        insert(
            Request,
            _STORED,
            (
                (project.pk, r.key, classes[r.request_class].pk, r.text, r.reference_date,
                 r.answers, r.evidence, r.metadata, actor.pk, r.sha256, position)
                for position, r in enumerate(parsed, start=offset)
            ),
        )  # fmt: skip
        ids = project.requests.filter(position__gte=offset).order_by("position")
        insert(
            Turn,
            ("request", "position", "role", "text"),
            (
                (request_id, position, role, text)
                for request_id, r in zip(ids.values_list("pk", flat=True), parsed, strict=True)
                for position, (role, text) in enumerate(r.turns)
            ),
        )
        hashes = [r.sha256 for r in parsed]
        ledger.record(
            project=project,
            kind="requests.imported",
            subject=f"{len(parsed)} requests",
            content={"sha256": content_hash(sorted(hashes))},
            actor=actor,
        )
        return len(parsed)


class Classes:
    """The classes of the project and of the rows read so far: one spelling for each."""

    def __init__(self, present: Iterable[str]) -> None:
        self._spelt = {look_alike_key(name): name for name in present}

    def check(self, fields: Fields, name: str) -> None:
        if look_alike_key(name.strip()) in _RESERVED:
            fields.fault(
                "class",
                "reserved_class",
                f"{quoted(name)} stands for every class: give this class another name.",
            )
            return
        known = self._spelt.setdefault(look_alike_key(name), name)
        if known != name:
            allowed = ", ".join(quoted(spelt) for spelt in sorted(self._spelt.values())[:20])
            fields.fault(
                "class",
                "look_alike_class",
                f"{quoted(name)} looks like the class {quoted(known)}: write both alike. "
                f"The classes so far: {allowed}.",
            )


def _read(
    fields: Fields, names: NewNames, classes: Classes, documents: set[str] | None
) -> NewRequest | None:
    key = fields.id("id")
    request_class = fields.name("class", MAX_CLASS)
    text = fields.text("text")
    turns = _turns(fields)
    reference_date = fields.date("reference_date")
    answers = _answers(fields)
    evidence = _evidence(fields, documents)
    metadata = fields.rest_metadata("metadata")
    if key is not None:
        names.check(fields, "id", key)
    if request_class is not None:
        classes.check(fields, request_class)
    if key is None or request_class is None or text is None:
        return None
    return NewRequest(key, request_class, text, turns, reference_date, answers, evidence, metadata)


def _document_keys(project: Project) -> set[str] | None:
    corpus = Corpus.objects.latest_of(project)
    return set(corpus.documents.values_list("key", flat=True)) if corpus else None


def _turns(fields: Fields) -> list[tuple[str, str]]:
    given = fields.objects("turns") or []
    if len(given) > MAX_TURNS:
        fields.fault("turns", "too_long", f"{len(given):,} turns; at most {MAX_TURNS:,} are kept.")
        return []
    turns = []
    for position, turn in enumerate(given):
        role, text = turn.get("role"), turn.get("text")
        others = sorted(turn.keys() - {"role", "text"})
        if role not in SPEAKERS:
            sentence = f"turn {position}: role must be user or assistant, not {quoted(role)}."
            fields.fault("turns", "unknown_role", sentence)
        elif not isinstance(text, str) or not text.strip():
            fields.fault("turns", "empty_text", f"turn {position}: the text is empty.")
        else:
            turns.append((role, text))
        if others:
            sentence = f"turn {position}: {', '.join(map(quoted, others))} is not kept."
            fields.warn("turns", "not_kept", sentence)
    return turns


def _answers(fields: Fields) -> list[str] | None:
    answers = fields.texts("answers")
    for answer in answers or []:
        if says_nothing(answer):
            fields.fault(
                "answers",
                "empty_answer",
                f"{quoted(answer)} is empty once articles and punctuation are dropped: "
                "every answer would match it.",
            )
    return answers


def says_nothing(answer: str) -> bool:
    """Tell whether every answer would match this one: it is articles and punctuation only."""
    return not _NOTHING.sub("", answer.lower())


def _evidence(fields: Fields, documents: set[str] | None) -> list[list[str]] | None:
    value = fields.json("evidence")
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
    evidence = [[composed(key) for key in item] for item in value]
    for key in (key for item in evidence for key in item):
        if documents is not None and key not in documents:
            fields.fault(
                "evidence", "unknown_document", f"the corpus has no document {quoted(key)}."
            )
    return evidence
