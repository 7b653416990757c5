"""What a person was shown that they must not know while they still annotate, and when: kept in the
ledger.
"""

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
    seen = exposures(person=person, project=project).filter(subject=subject)
    if {"what": what} in seen.values_list("content", flat=True):
        return
    with transaction.atomic():
        ledger.record(
            project=project, kind=KIND, subject=subject, content={"what": what}, actor=person
        )


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
