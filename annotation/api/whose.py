"""Whose work a list shows, and under which names."""

from collections.abc import Iterable

from annotation.models import Person, Project
from annotation.permissions import may
from annotation.progress import sees_all_counts
from annotation.services.exposure import expose, exposures


def sees_others(person: Person, project: Project) -> bool:
    """Whether other people's sealed work is shown: never to somebody who annotates."""
    return sees_all_counts(person, project)


def pseudonyms_for(person: Person, project: Project) -> dict[int, str]:
    """Each member's pseudonym by person; only one's own for whoever may not export. Who settles
    differences is not told who wrote what.
    """
    members = project.memberships.all()
    if not may(person, "export", project).allowed:
        members = members.filter(person=person)
    return dict(members.values_list("person_id", "pseudonym"))


def expose_all(person: Person, project: Project, subjects: Iterable[str], what: str) -> None:
    """Record, the first time only, that the person was shown `what` of each subject."""
    wanted = list(dict.fromkeys(subjects))
    seen = exposures(person=person, project=project).filter(subject__in=wanted)
    known = {
        subject
        for subject, said in seen.values_list("subject", "content")
        if said == {"what": what}
    }
    for subject in wanted:
        if subject not in known:
            expose(person=person, project=project, subject=subject, what=what)
