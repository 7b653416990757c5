from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from annotation.importing.fields import Fields
from annotation.importing.kinds import FileKind, register
from annotation.importing.problems import Problems
from annotation.importing.reading import Row
from annotation.models import HumanRewrite, Person, Project, Request
from contracts.importing.rows import Known
from contracts.services.standalone import leaked_answers, record_standalone


@dataclass(frozen=True)
class _Reference:
    request: Request
    author: Person
    text: str
    clarification: bool


@register
class StandaloneFile(FileKind):
    """standalone.jsonl: the human reference of each request, written elsewhere from request and
    contract.
    """

    name = "standalone"
    label = _("Standalone references (standalone.jsonl)")
    columns = ("request", "text", "author", "clarification")

    def check(
        self, project: Project, rows: Sequence[Row], problems: Problems, target: str
    ) -> list[_Reference]:
        known = Known(project)
        written = set(
            HumanRewrite.objects.filter(
                request__project=project, kind=HumanRewrite.Kind.STANDALONE
            ).values_list("request__key", flat=True)
        )
        parsed = []
        for row in rows:
            fields = Fields(row, problems)
            request = known.request(fields)
            text = fields.text("text")
            author = known.person(fields, "author")
            clarification = fields.flag("clarification")
            if request is None or text is None or author is None:
                continue
            if request.key in written:
                fields.fault("request", "present", f"“{request.key}” has its reference already.")
            written.add(request.key)
            if leaked_answers(request, text):
                fields.fault("text", "names_answer", "the reference names the answer.")
            parsed.append(_Reference(request, author, text, clarification))
        return parsed

    def load(self, project: Project, parsed: list[_Reference], actor: Person, target: str) -> int:
        for reference in parsed:
            record_standalone(
                actor=actor,
                author=reference.author,
                request=reference.request,
                seat=None,
                text=reference.text,
                clarification=reference.clarification,
            )
        return len(parsed)
