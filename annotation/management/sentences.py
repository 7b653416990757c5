import sys
from typing import Any

from django.core.exceptions import PermissionDenied
from django.core.management.base import BaseCommand, CommandError

from annotation.models import Person, Project
from annotation.services.projects import Refused


class SentenceCommand(BaseCommand):
    """A command that says what is wrong in plain sentences on stderr and then exits with 1."""

    _called_from_command_line: (
        bool  # Django's own: False under call_command, which wants exceptions
    )

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except (CommandError, Refused, PermissionDenied) as fault:
            if not self._called_from_command_line:
                raise CommandError(str(fault)) from fault
            self.stderr.write(str(fault))
            sys.exit(1)


def project_named(slug: str) -> Project:
    """Return the project, or stop with a sentence."""
    project = Project.objects.filter(slug=slug).first()
    if project is None:
        raise CommandError(
            f"There is no project “{slug}”: see the address of its page, "
            "or make it with `python manage.py create_project`."
        )
    return project


def person_named(username: str) -> Person:
    """Return the person, or stop with a sentence."""
    person = Person.objects.filter(username=username).first()
    if person is None:
        raise CommandError(
            f"Nobody is called “{username}”: add them with "
            f"`python manage.py add_person {username}`."
        )
    return person


def actor_of(project: Project, username: str | None) -> Person:
    """Return who acts: the person named with --as, or the project's first owner."""
    if username:
        return person_named(username)
    first = project.memberships.current().filter(roles__name="owner").first()
    if first is None:
        raise CommandError(f"“{project.slug}” has no owner: say with --as who does this.")
    return first.person
