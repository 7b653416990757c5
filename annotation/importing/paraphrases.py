from collections.abc import Iterable, Mapping

from django.utils.translation import gettext_lazy as _

from annotation.importing.fields import Fields
from annotation.importing.kinds import register
from annotation.importing.known import Known, OncePerRequest
from annotation.importing.people import FileOfPeople
from annotation.importing.problems import Problems
from annotation.importing.rows import Row
from annotation.importing.sealing import (
    BATCH,
    meant_warnings,
    sealed_elsewhere,
    sealed_seat,
    seats_so_far,
)
from annotation.importing.showing import quoted
from annotation.models import HumanRewrite, Person, Project, Request, Seat
from annotation.services.rewrites import MAX_LENGTH, record_rewrites, sealed_rewrite

KIND = HumanRewrite.Kind.PARAPHRASE


@register
class ParaphrasesFile(FileOfPeople):
    """paraphrases.jsonl: what people wrote elsewhere, from scratch; one for each request and
    author.
    """

    name = "paraphrases"
    act = "import_work"
    label = _("Paraphrases (paraphrases.jsonl)")
    columns = ("request", "kind", "text", "author", "warnings", "sealed_at")
    required = ("request", "text", "author")

    def read(
        self, project: Project, rows: Iterable[Row], problems: Problems, said: Mapping[str, str]
    ) -> list[HumanRewrite]:
        known, taken, once = Known(project, said), _Taken(project), OncePerRequest()
        found = (self._row(Fields(row, problems), known, taken, once) for row in rows)
        return [paraphrase for paraphrase in found if paraphrase]

    def _row(
        self, fields: Fields, known: Known, taken: "_Taken", once: OncePerRequest
    ) -> HumanRewrite | None:
        request = known.request(fields)
        if fields.take("kind") is not None:
            fields.choice("kind", (KIND,))
        text = fields.text("text")
        if text and len(text) > MAX_LENGTH:
            sentence = f"{len(text):,} letters; at most {MAX_LENGTH:,} are kept."
            fields.fault("text", "too_long", sentence)
        author = known.person(fields, "author")
        warnings = meant_warnings(fields)
        sealed_at = sealed_elsewhere(fields)
        if request is None or author is None or text is None:
            return None
        pair = (request.pk, author.pk)
        said = f"a paraphrase of {quoted(request.key)} by {quoted(author.username)}"
        once.check(fields, "author", pair, said)
        taken.check(fields, request, author)
        return sealed_rewrite(
            request=request,
            author=author,
            kind=KIND,
            text=text,
            warnings=warnings,
            sealed_at=sealed_at,
        )

    def write(self, project: Project, rows: list[HumanRewrite], actor: Person) -> int:
        so_far = seats_so_far(project, KIND)
        seats = [
            sealed_seat(
                so_far,
                request=rewrite.request,
                kind=KIND,
                holder=rewrite.author,
                sealed_at=rewrite.sealed_at,
                draft={"text": rewrite.text, "meant": []},
            )
            for rewrite in rows
        ]
        for rewrite, seat in zip(rows, Seat.objects.bulk_create(seats, BATCH), strict=True):
            rewrite.seat = seat
        record_rewrites(project=project, rewrites=rows, actor=actor)
        return len(rows)


class _Taken:
    """Who wrote, or is writing, a paraphrase of what; read once for a whole file."""

    def __init__(self, project: Project) -> None:
        written = HumanRewrite.objects.filter(
            request__project=project, kind=KIND, retracted_at=None
        )
        self._written = set(written.values_list("request_id", "author_id"))
        seats = Seat.objects.filter(project=project, kind=KIND)
        self._seated = set(seats.values_list("request_id", "holder_id"))

    def check(self, fields: Fields, request: Request, author: Person) -> None:
        who = f"{quoted(author.username)} and {quoted(request.key)}"
        if (request.pk, author.pk) in self._written:
            fields.fault("author", "present", f"{who} have their paraphrase already.")
        elif (request.pk, author.pk) in self._seated:
            fields.fault("author", "seated", f"{who}: it is being written here.")
