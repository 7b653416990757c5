"""What contracts add to the pages of requests: a column with the version, a section with the
contract.
"""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotation.models import Person, Project, Request
from contracts.models import Contract
from contracts.views.contract import shown


def contracts_approved(project: Project) -> tuple[int, int]:
    """How many of the project's requests have their contract."""
    return Contract.objects.current(project).count(), project.requests.count()


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
