"""Approved contracts. That a person was shown one is recorded, as on its page."""

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from annotation.api.operations import Call, operation
from annotation.api.pagination import Page
from annotation.api.whose import pseudonyms_for
from annotation.models import Seat
from annotation.permissions import may
from annotation.services.exposure import expose_all
from contracts.api.shapes import ContractShown, Line
from contracts.models import Contract

EXPOSED = "contract"


@operation("GET", scope="read", act="see_requests", answer=ContractShown, paged=True)
def contracts(call: Call) -> Page:
    """The newest version of each request's contract."""
    page = call.page(_current(call), "pk")
    return Page(_read(call, list(page.results)), page.next, page.previous)


@operation("GET", scope="read", act="see_project", answer=ContractShown)
def contract(call: Call, key: str) -> Line:
    """The newest contract of a request, also for whoever writes its standalone reference."""
    decision = may(call.person, "see_requests", call.project)
    writes = _writes_reference(call, key)
    if not (decision.allowed or writes):
        raise PermissionDenied(decision.reason)
    return _read(call, [get_object_or_404(_current(call), request__key=key)])[0]


def _writes_reference(call: Call, key: str) -> bool:
    """Whether the person holds the seat of this request's standalone reference."""
    held = Seat.objects.filter(project=call.project, holder=call.person, kind="standalone")
    return held.taken().filter(request__key=key).exists()


def _current(call: Call) -> QuerySet[Contract]:
    rows = Contract.objects.current(call.project)
    return rows.select_related("request").prefetch_related("annotators")


def _read(call: Call, found: list[Contract]) -> list[Line]:
    keys = (contract.request.key for contract in found)
    expose_all(person=call.person, project=call.project, subjects=keys, what=EXPOSED)
    told = may(call.person, "export", call.project).allowed
    names = pseudonyms_for(call.person, call.project) if told else None
    return [_line(row, names) for row in found]


def _line(found: Contract, names: dict[int, str] | None) -> Line:
    people = sorted(person.pk for person in found.annotators.all())
    return {
        **found.content,
        "request": found.request.key,
        "version": found.version,
        "sha256": found.sha256,
        "approved_at": found.approved_at,
        "annotators": sorted(names.get(pk, "") for pk in people) if names is not None else None,
        "adjudicator": names.get(found.adjudicator_id or 0) if names is not None else None,
    }
