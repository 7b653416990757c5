"""What contracts add to the pages of requests: a column with the version, a section with the
contract.
"""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotation.models import Person, Project, Request
from contracts.models import Contract
from contracts.qualification import outside_the_study
from contracts.services.training import silent_checks
from contracts.views.contract import shown


def contracts_approved(project: Project) -> tuple[int, int]:
    """How many of the study's requests have their contract."""
    wanted = project.requests.count() - outside_the_study(project).count()
    return Contract.objects.current(project).count(), wanted


def contract_versions(requests: Sequence[Request]) -> dict[int, str]:
    """The newest version of each request's contract, in one query; requests without one are
    missing.
    """
    found = Contract.objects.filter(request__in=requests).order_by("version")
    versions = dict(found.values_list("request_id", "version"))
    return {pk: _("version %(number)d") % {"number": number} for pk, number in versions.items()}


def contract_part(person: Person, request: Request) -> dict[str, Any] | None:
    """What the story of a request shows of its newest contract; None without one."""
    found = (
        Contract.objects.filter(request=request)
        .select_related("request__project", "adjudicator")
        .order_by("-version")
        .first()
    )
    return shown(found, person) if found else None


def silent_found(project: Project, people: Sequence[Person]) -> dict[int, str]:
    """For each person, what their sheets have of the silent items' critical demands."""
    checks = silent_checks(project)
    return {
        person.pk: _("%(found)d of %(wanted)d in %(items)d items")
        % {"found": found.found, "wanted": found.wanted, "items": found.items}
        for person in people
        if (found := checks.get(person.pk))
    }
