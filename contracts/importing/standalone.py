from collections.abc import Iterable, Mapping

from django.utils.translation import gettext_lazy as _

from annotation.checks import answers
from annotation.importing.fields import Fields
from annotation.importing.kinds import register
from annotation.importing.known import Known, OncePerRequest
from annotation.importing.people import FileOfPeople
from annotation.importing.problems import Problems
from annotation.importing.rows import Row
from annotation.importing.sealing import (
    meant_warnings,
    sealed_elsewhere,
)
from annotation.importing.showing import quoted
from annotation.models import HumanRewrite, Person, Project
from annotation.services.rewrites import record_rewrites, sealed_rewrite
from contracts.services.standalone import leaked_answers

KIND = HumanRewrite.Kind.STANDALONE


@register
class StandaloneFile(FileOfPeople):
    """standalone.jsonl: the human reference of each request, written elsewhere from request and
    contract.
    """

    name = "standalone"
    act = "import_work"
    label = _("Standalone references (standalone.jsonl)")
    columns = ("request", "text", "author", "clarification", "warnings", "sealed_at")
    required = ("request", "text", "author")

    def read(
        self, project: Project, rows: Iterable[Row], problems: Problems, said: Mapping[str, str]
    ) -> list[HumanRewrite]:
        known = Known(project, said)
        written = set(
            HumanRewrite.objects.standing()
            .filter(request__project=project, kind=KIND)
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
            parsed.append(
                sealed_rewrite(
                    request=request,
                    author=author,
                    kind=KIND,
                    text=text,
                    clarification=clarification,
                    warnings=warnings,
                    sealed_at=sealed_at,
                )
            )
        return parsed

    def write(self, project: Project, rows: list[HumanRewrite], actor: Person) -> int:
        record_rewrites(project=project, rewrites=rows, actor=actor)
        return len(rows)
