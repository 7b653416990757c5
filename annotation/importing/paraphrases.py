from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.importing.fields import Fields
from annotation.importing.kinds import register
from annotation.importing.look_alikes import look_alike_key
from annotation.importing.people import FileOfPeople, People
from annotation.importing.problems import Problems
from annotation.importing.rows import Row
from annotation.importing.sealing import meant_warnings, sealed_elsewhere
from annotation.importing.showing import quoted
from annotation.models import HumanRewrite, Person, Project, Request, Seat
from annotation.services.rewrites import MAX_LENGTH, record_rewrite

KIND = HumanRewrite.Kind.PARAPHRASE


@dataclass(frozen=True)
class _Paraphrase:
    request: Request
    author: Person
    text: str
    warnings: list[dict[str, Any]]
    sealed_at: datetime | None


@register
class ParaphrasesFile(FileOfPeople):
    """paraphrases.jsonl: what people wrote elsewhere, from scratch; one for each request and
    author.
    """

    name = "paraphrases"
    label = _("Paraphrases (paraphrases.jsonl)")
    columns = ("request", "kind", "text", "author", "warnings", "sealed_at")
    required = ("request", "text", "author")

    def read(
        self, project: Project, rows: Iterable[Row], problems: Problems, said: Mapping[str, str]
    ) -> list[_Paraphrase]:
        known = _Known(project, said)
        found = (self._row(Fields(row, problems), known) for row in rows)
        return [paraphrase for paraphrase in found if paraphrase]

    def _row(self, fields: Fields, known: "_Known") -> _Paraphrase | None:
        request = known.request(fields)
        if fields.take("kind") is not None:
            fields.choice("kind", (KIND,))
        text = fields.text("text")
        if text and len(text) > MAX_LENGTH:
            sentence = f"{len(text):,} letters; at most {MAX_LENGTH:,} are kept."
            fields.fault("text", "too_long", sentence)
        name = fields.text("author")
        author = known.people.named(fields, "author", name) if name else None
        warnings = meant_warnings(fields)
        sealed_at = sealed_elsewhere(fields)
        if request is None or author is None or text is None:
            return None
        known.check_once(fields, request, author)
        return _Paraphrase(request, author, text, warnings, sealed_at)

    def write(self, project: Project, rows: list[_Paraphrase], actor: Person) -> int:
        now = timezone.now()
        for row in rows:
            sealed_at = row.sealed_at or now
            rewrite = record_rewrite(
                actor=actor,
                author=row.author,
                request=row.request,
                seat=_seat(project, row, sealed_at),
                kind=KIND,
                text=row.text,
                warnings=row.warnings,
            )
            # When it was sealed there; the ledger has the time at which it came in here.
            rewrite.sealed_at = sealed_at
            rewrite.save(update_fields=["sealed_at"])
        return len(rows)


class _Known:
    """What the project has, read once for a whole file."""

    def __init__(self, project: Project, said: Mapping[str, str]) -> None:
        self.people = People(project, said)
        self._requests = {request.key: request for request in project.requests.all()}
        self._alike = {look_alike_key(key): key for key in self._requests}
        self._written = set(
            HumanRewrite.objects.filter(request__project=project, kind=KIND, retracted_at=None)
            .values_list("request_id", "author_id")
        )  # fmt: skip
        self._seated = set(
            Seat.objects.filter(project=project, kind=KIND).values_list("request_id", "holder_id")
        )
        self._first: dict[tuple[int, int], int] = {}

    def request(self, fields: Fields) -> Request | None:
        key = fields.id("request")
        if key is None or key in self._requests:
            return self._requests[key] if key else None
        alike = self._alike.get(look_alike_key(key))
        meant = f"; is “{alike}” meant? Write it exactly so" if alike else ""
        fields.fault(
            "request", "unknown_request", f"the project has no request {quoted(key)}{meant}."
        )
        return None

    def check_once(self, fields: Fields, request: Request, author: Person) -> None:
        pair = (request.pk, author.pk)
        who = f"{quoted(author.username)} and {quoted(request.key)}"
        row = self._first.setdefault(pair, fields.row)
        if row != fields.row:
            fields.fault("author", "duplicate_id", f"{who} stand on row {row} already.")
        if pair in self._written:
            fields.fault("author", "present", f"{who} have their paraphrase already.")
        elif pair in self._seated:
            fields.fault("author", "seated", f"{who}: it is being written here.")


def _seat(project: Project, row: _Paraphrase, sealed_at: datetime) -> Seat:
    """A sealed seat, so that nobody is asked for what is there."""
    return Seat.objects.create(
        project=project,
        request=row.request,
        kind=KIND,
        slot=Seat.objects.filter(request=row.request, kind=KIND).count() + 1,
        position=row.request.position,
        holder=row.author,
        state=Seat.State.SUBMITTED,
        taken_at=sealed_at,
        leased_until=sealed_at,
        sealed_at=sealed_at,
        draft={"text": row.text, "meant": []},
    )
