"""What a person was shown that they must not know while they still annotate, and when: kept in the
ledger.
"""

from django.db import transaction

from annotation.models import Person, Project
from annotation.permissions import may
from annotation.services import ledger

KIND = "exposed"


def expose(*, person: Person, project: Project, subject: str, what: str) -> None:
    """Record, the first time only, that the person was shown `what` of `subject` (a request's id
    or a run).
    """
    seen = project.ledger.filter(kind=KIND, actor=person, subject=subject, content={"what": what})
    if seen.exists():
        return
    with transaction.atomic():
        ledger.record(
            project=project, kind=KIND, subject=subject, content={"what": what}, actor=person
        )


def exposed_subjects(*, person: Person, project: Project) -> set[str]:
    """Return the ids of the requests (and runs) of which the person was shown something."""
    return set(project.ledger.filter(kind=KIND, actor=person).values_list("subject", flat=True))


def needs_consent(*, person: Person, project: Project, subject: str) -> bool:
    """Tell whether showing would cost this person a sheet: they may annotate here and were not
    shown it so far.
    """
    return may(person, "annotate", project).allowed and subject not in exposed_subjects(
        person=person, project=project
    )
