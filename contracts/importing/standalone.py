from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from annotation.importing.fields import Fields
from annotation.importing.kinds import FileKind, register
from annotation.importing.problems import Problems
from annotation.importing.rows import Row
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


@register
class StandaloneFile(FileKind):
    """standalone.jsonl: the human reference of each request, written elsewhere from request and
    contract.
    """

    name = "standalone"
    label = _("Standalone references (standalone.jsonl)")
    columns = ("request", "text", "author", "clarification")
    required = ("request", "text", "author")

    def check(
        self, project: Project, rows: Iterable[Row], problems: Problems, target: str
    ) -> list[_Reference]:
        known = Known(project)
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
            if request is None:
                continue
            once.check(fields, "request", request.key, quoted(request.key))
            if request.key in written:
                sentence = f"{quoted(request.key)} has its reference already."
                fields.fault("request", "present", sentence)
            if text is None or author is None:
                continue
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
