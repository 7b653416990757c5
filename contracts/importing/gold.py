from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from annotation.importing.fields import Fields
from annotation.importing.kinds import FileOfRows, register
from annotation.importing.known import Known, OncePerRequest
from annotation.importing.problems import Problems
from annotation.importing.rows import Row
from annotation.importing.showing import quoted
from annotation.models import Person, Project, Request, Seat
from contracts.importing.rows import read_terms
from contracts.models import Contract, Gold
from contracts.practice import demands
from contracts.services.training import KnownContract, add_gold


@register
class GoldFile(FileOfRows):
    """gold.jsonl: requests whose contract is known, to practise on or to check everybody's work."""

    name = "gold"
    act = "import_work"
    label = _("Known contracts for training (gold.jsonl)")
    columns = ("request", "use", "constraints", "ambiguity", "explanation", "admissible_rewrites")
    required = ("request", "use", "constraints")

    def check(
        self, project: Project, rows: Iterable[Row], problems: Problems, target: str
    ) -> list[KnownContract]:
        known, taken, once = Known(project), _Taken(project), OncePerRequest()
        parsed = []
        for row in rows:
            fields = Fields(row, problems)
            request = known.request(fields)
            use = fields.choice("use", tuple(Gold.Use.values))
            terms = read_terms(fields, request)
            explanation = fields.text("explanation", required=False) or ""
            if terms and not demands(terms):
                sentence = "nothing in it is critical, so that nothing can be found or missed."
                fields.fault("constraints", "nothing_critical", sentence)
            if request is None:
                continue
            once.check(fields, "request", request.key, quoted(request.key))
            if reason := taken.reason(request, use):
                fields.fault("request", "not_free", f"{quoted(request.key)} {reason}")
            if terms and use:
                parsed.append(KnownContract(request, use, terms, explanation))
        return parsed

    def load(
        self, project: Project, parsed: list[KnownContract], actor: Person, target: str
    ) -> int:
        return len(add_gold(actor=actor, project=project, known=parsed))


class _Taken:
    """Requests that cannot become known ones any more, read once for a whole file."""

    def __init__(self, project: Project) -> None:
        of = Gold.objects.filter(request__project=project)
        self._gold = set(of.values_list("request_id", flat=True))
        contracts = Contract.objects.filter(request__project=project)
        self._contracts = set(contracts.values_list("request_id", flat=True))
        seats = Seat.objects.filter(project=project)
        self._seats = set(seats.values_list("request_id", flat=True))

    def reason(self, request: Request, use: str | None) -> str:
        if request.pk in self._gold:
            return "has its known contract already."
        if request.pk in self._contracts:
            return "has a contract that people settled: it is part of the study."
        if use == Gold.Use.PRACTICE and request.pk in self._seats:
            return "is at work already: a practice item must be no part of the study."
        return ""
