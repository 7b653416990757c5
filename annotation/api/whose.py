"""Whose work a list shows, and under which names."""

from annotation.models import Person, Project
from annotation.permissions import may
from annotation.progress import sees_all_counts


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
