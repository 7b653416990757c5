"""Sheets that are not blind, and the owner's decision to count one all the same, with a reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Person, Project
from annotation.services import exposure, ledger
from annotation.services.projects import Refused, lock
from annotation.services.work import require_oversight
from contracts.models import Admission, Sheet
from contracts.services.sheets import sealed_after_exposure

MOST = 2_000  # characters of a reason


@dataclass(frozen=True)
class Marked:
    """A sheet sealed after its annotator was shown something of the request: what, and when."""

    sheet: Sheet
    shown: Sequence[tuple[str, datetime]]
    admission: Admission | None


def marked_sheets(*, actor: Person, project: Project) -> list[Marked]:
    """Every marked sheet of the project, the admitted ones too, for an owner who does not
    annotate.
    """
    require_oversight(actor, project)
    marked = sealed_after_exposure(project)
    rows = Sheet.objects.by_request(project).filter(pk__in=marked)
    rows = rows.select_related("request", "annotator", "admission__by").order_by("pk")
    return [Marked(sheet, _shown_before(sheet, project), _admission(sheet)) for sheet in rows]


@transaction.atomic
def admit(*, actor: Person, sheet: Sheet, reason: str) -> Admission:
    """Count a marked sheet in agreement and contracts from now on. It is decided once; the reason
    stays in the ledger and in every report. Raises Refused with a sentence.
    """
    project = sheet.request.project
    require_oversight(actor, project)
    reason = reason.strip()
    if not reason:
        raise Refused(_("Say why this sheet may count: the reason stays in every report."))
    if len(reason) > MOST:
        raise Refused(_("A reason has at most %(n)d characters.") % {"n": MOST})
    lock(project)
    if sheet.annotator_id == actor.pk:
        raise Refused(_("Nobody admits a sheet of their own: ask another owner."))
    if sheet.pk not in sealed_after_exposure(project):
        raise Refused(_("This sheet is blind and counts already."))
    admission, made = Admission.objects.get_or_create(
        sheet=sheet, defaults={"by": actor, "reason": reason}
    )
    if not made:
        raise Refused(_("This sheet was admitted already."))
    ledger.record(
        project=project,
        kind="sheet.admitted",
        subject=sheet.request.key,
        content={
            "annotator": sheet.annotator.username,
            "sha256": sheet.sha256,
            "reason": reason,
        },
        actor=actor,
    )
    return admission


def _shown_before(sheet: Sheet, project: Project) -> list[tuple[str, datetime]]:
    entries = exposure.exposures(person=sheet.annotator, project=project)
    rows = entries.filter(subject=sheet.request.key).order_by("sequence")
    shown = [(e.content.get("what", ""), datetime.fromisoformat(e.at)) for e in rows]
    return [(what, at) for what, at in shown if at < sheet.sealed_at]


def _admission(sheet: Sheet) -> Admission | None:
    return getattr(sheet, "admission", None)
