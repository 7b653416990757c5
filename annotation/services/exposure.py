"""What a person was shown that they must not know while they still annotate, and when: kept in the
ledger.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from annotation.models import LedgerEntry, Person, Project
from annotation.permissions import may
from annotation.services import ledger

KIND = "exposed"


def expose(*, person: Person, project: Project, subject: str, what: str) -> None:
    """Record, the first time only, that the person was shown `what` of `subject` (a request's id
    or a run).
    """
    expose_all(person=person, project=project, subjects=[subject], what=what)


def expose_all(*, person: Person, project: Project, subjects: Iterable[str], what: str) -> None:
    """Record, the first time only, that the person was shown `what` of each subject."""
    wanted = list(dict.fromkeys(subjects))
    seen = exposures(person=person, project=project).filter(subject__in=wanted)
    told = seen.values_list("subject", "content")
    known = {subject for subject, said in told if said == {"what": what}}
    new = [
        ledger.Entry(KIND, subject, {"what": what}) for subject in wanted if subject not in known
    ]
    if new:
        with transaction.atomic():
            ledger.record_all(project=project, entries=new, actor=person)


def first_shown(project: Project) -> dict[tuple[int | None, str], datetime]:
    """When each person was first shown something of a request, by person and request's id: a sheet
    sealed later is not blind.
    """
    found: dict[tuple[int | None, str], datetime] = {}
    entries = project.ledger.filter(kind=KIND).order_by("sequence")
    for actor, key, at in entries.values_list("actor", "subject", "at").iterator():
        found.setdefault((actor, key), datetime.fromisoformat(at))
    return found


def exposures(*, person: Person, project: Project) -> QuerySet[LedgerEntry]:
    """Everything that the person was shown in the project, as ledger entries: `subject` is the id
    of a request or a run.
    """
    return project.ledger.filter(kind=KIND, actor=person)


def was_exposed(*, person: Person, project: Project, subject: str) -> bool:
    return exposures(person=person, project=project).filter(subject=subject).exists()


def needs_consent(*, person: Person, project: Project, subject: str) -> bool:
    """Tell whether showing would cost this person a sheet: they may annotate here and were not
    shown it so far.
    """
    return may(person, "annotate", project).allowed and not was_exposed(
        person=person, project=project, subject=subject
    )
