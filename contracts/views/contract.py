"""One approved contract, to read."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotation.access import open_project, reader
from annotation.models import Person
from annotation.permissions import may
from annotation.services.exposure import expose
from contracts.models import Adjudication, Contract
from contracts.views.shown import terms_shown


@require_safe
def contract(request: HttpRequest, slug: str, contract_id: int) -> HttpResponse:
    """What the request demands, its hash, and where the ledger seals it. That it was shown is
    recorded.
    """
    project = open_project(request, slug, "see_requests")
    person = reader(request)
    found = get_object_or_404(
        Contract.objects.select_related(
            "request__request_class", "request__project", "adjudicator"
        ),
        pk=contract_id,
        request__project=project,
    )
    expose(person=person, project=project, subject=found.request.key, what="contract")
    return render(request, "contracts/contract.html", {"project": project} | shown(found, person))


def shown(found: Contract, person: Person) -> dict[str, Any]:
    """What a page shows of a contract; who made it, to owners who do not annotate only."""
    project = found.request.project
    entry = project.ledger.filter(
        kind="contract.approved", subject=found.request.key, content__version=found.version
    ).first()
    annotates = may(person, "annotate", project).allowed
    named = may(person, "manage_people", project).allowed and not annotates
    settled = Adjudication.objects.filter(contract=found).select_related(
        "sheet_a__annotator", "sheet_b__annotator"
    )
    newer = Contract.objects.filter(supersedes=found).first()
    return {
        "contract": found,
        "may_twin": newer is None and may(person, "build_twins", project).allowed,
        "entry": entry,
        "annotators": list(found.annotators.all()) if named else None,
        "settled": settled.first() if named else None,
        "newer": newer,
    } | terms_shown(found.request, found.terms)
