"""What a change of settings would do to work that exists, in sentences for the owner."""

from copy import copy
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.desk import WORK_KINDS
from annotation.models import Consent, Project, Seat
from annotation.services.needs import Wanted, overfull, wanted_now


def of_needs(project: Project, after: Wanted) -> list[str]:
    """One sentence for each kind of work of which more seats are taken than would be wanted."""
    return [
        ngettext(
            "%(kind)s: %(n)d request has more seats taken than you want; it keeps them.",
            "%(kind)s: %(n)d requests have more seats taken than you want; they keep them.",
            n,
        )
        % {"kind": WORK_KINDS[kind].label, "n": n}
        for kind, n in overfull(project=project, after=after).items()
    ]


def of_settings(project: Project, settings: dict[str, Any]) -> list[str]:
    """What these settings, put in the place of the present ones, do to work that exists."""
    proposed = copy(project)
    for name, value in settings.items():
        setattr(proposed, name, value)
    found = of_needs(project, wanted_now(proposed))
    if proposed.consent_text != project.consent_text:
        found += _agreed(project, bool(proposed.consent_text.strip()))
    if proposed.reference_date != project.reference_date:
        found += _dated(project)
    return found


def _agreed(project: Project, still_asked: bool) -> list[str]:
    agreed = Consent.objects.filter(project=project, withdrawn_at=None)
    n = agreed.values("person").distinct().count()
    if not n or not still_asked:
        return []
    sentence = ngettext(
        "%(n)d person agreed to an earlier wording and is asked again before their next item.",
        "%(n)d people agreed to an earlier wording and are asked again before their next item.",
        n,
    )
    return [sentence % {"n": n}]


def _dated(project: Project) -> list[str]:
    undated = project.requests.filter(reference_date=None)
    n = undated.filter(seats__state=Seat.State.SUBMITTED).distinct().count()
    if not n:
        return []
    sentence = _(
        "%(n)d of the %(of)d requests that bring no date have sealed work, written under the "
        "date of before; it stays as it is."
    )
    return [sentence % {"n": n, "of": undated.count()}]
