from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.checks import answers
from annotation.importing.fields import Fields
from annotation.importing.kinds import register
from annotation.importing.people import FileOfPeople
from annotation.importing.problems import Problems
from annotation.importing.rows import Row
from annotation.importing.sealing import meant_warnings, sealed_elsewhere
from annotation.importing.showing import quoted
from annotation.models import HumanRewrite, Person, Project, Request
from contracts.importing.rows import Known, OncePerRequest
from contracts.services.standalone import leaked_answers, record_standalone


@dataclass(frozen=True)
class _Reference:
    request: Request
    author: Person
    text: str
    clarification: bool
    warnings: list[dict[str, Any]]
    sealed_at: datetime | None


@register
class StandaloneFile(FileOfPeople):
    """standalone.jsonl: the human reference of each request, written elsewhere from request and
    contract.
    """

    name = "standalone"
    label = _("Standalone references (standalone.jsonl)")
    columns = ("request", "text", "author", "clarification", "warnings", "sealed_at")
    required = ("request", "text", "author")

    def read(
        self, project: Project, rows: Iterable[Row], problems: Problems, said: Mapping[str, str]
    ) -> list[_Reference]:
        known = Known(project, said)
        written = set(
            HumanRewrite.objects.standing()
            .filter(request__project=project, kind=HumanRewrite.Kind.STANDALONE)
            .values_list("request__key", flat=True)
        )
        once = OncePerRequest()
        parsed = []
        for row in rows:
            fields = Fields(row, problems)
            request = known.request(fields)
            text = fields.text("text")
            author = known.person(fields, "author")
            clarification = fields.flag("clarification")
            warnings = meant_warnings(fields)
            sealed_at = sealed_elsewhere(fields)
            if request is None:
                continue
            once.check(fields, "request", request.key, quoted(request.key))
            if request.key in written:
                sentence = f"{quoted(request.key)} has its reference already."
                fields.fault("request", "present", sentence)
            if text is None or author is None:
                continue
            meant = any(warning["code"] == answers.CODE for warning in warnings)
            if not meant and leaked_answers(request, text):
                fields.fault("text", "names_answer", "the reference names the answer.")
            parsed.append(_Reference(request, author, text, clarification, warnings, sealed_at))
        return parsed

    def write(self, project: Project, rows: list[_Reference], actor: Person) -> int:
        for reference in rows:
            written = record_standalone(
                actor=actor,
                author=reference.author,
                request=reference.request,
                seat=None,
                text=reference.text,
                clarification=reference.clarification,
                warnings=reference.warnings,
            )
            if reference.sealed_at:  # there; the ledger has the time at which it came in here
                written.sealed_at = reference.sealed_at
                written.save(update_fields=["sealed_at"])
        return len(rows)
