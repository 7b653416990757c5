"""What contracts hide from whoever annotates, for the two-world test."""

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.blindness.facts import Fact
from annotation.desk import WORK_KINDS
from annotation.models import Person, Project, Request
from annotation.needs import seat_numbers, with_free_seats
from contracts.models import Adjudication, Constraint, Contract, Sheet
from contracts.work import sheets_open_to


def _others(requests: QuerySet[Request], reader: Person) -> QuerySet[Sheet]:
    return Sheet.objects.filter(request__in=requests).exclude(annotator=reader)


def _alter_label(requests: QuerySet[Request], reader: Person) -> int:
    sheets = _others(requests, reader)
    sheets.update(sha256="f" * 64)
    rows = Constraint.objects.filter(sheet__in=sheets)
    return rows.update(materiality="minor", kind="status", value={"name": "altered"})


def _take_back(requests: QuerySet[Request], reader: Person) -> int:
    return _others(requests, reader).filter(retracted_at=None).update(retracted_at=timezone.now())


FACTS = (
    Fact("label", _("what another's sheet says"), _alter_label),
    Fact("sheet", _("that another sealed a sheet"), _take_back),
)


def open_with_a_seat(project: Project, reader: Person) -> QuerySet[Request]:
    """The requests that the reader may still annotate: whoever has a further role may be shown the
    others, on the bench for example.
    """
    kind = WORK_KINDS["sheet"]
    numbers = seat_numbers(kind, project)
    every = with_free_seats(project.requests.order_by(), kind, project, numbers)
    return every & sheets_open_to(project, reader).order_by()


def adjudications(project: Project, _reader: Person) -> list[Any]:
    rows = Adjudication.objects.filter(request__project=project).order_by("-pk")
    return list(rows.values_list("pk", flat=True)[:2])


def contracts(project: Project, _reader: Person) -> list[Any]:
    rows = Contract.objects.filter(request__project=project).order_by("-pk")
    return list(rows.values_list("pk", flat=True)[:2])


def sheets(project: Project, _reader: Person) -> list[Any]:
    rows = Sheet.objects.filter(request__project=project).order_by("pk")
    return list(rows.values_list("pk", flat=True)[:2])
