from argparse import ArgumentParser
from typing import Any

from annotation.management.sentences import (
    SentenceCommand,
    actor_of,
    person_named,
    project_named,
)
from annotation.models import Role
from annotation.services.projects import set_member


class Command(SentenceCommand):
    help = "Give a person exactly these roles in a project."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's short name")
        parser.add_argument("username")
        parser.add_argument("roles", nargs="+", choices=Role.Name.values, metavar="role")
        parser.add_argument(
            "--as",
            dest="actor",
            metavar="USERNAME",
            help="who decides; the project's first owner unless given",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        membership = set_member(
            actor=actor_of(project, options["actor"]),
            project=project,
            person=person_named(options["username"]),
            roles=options["roles"],
        )
        held = ", ".join(membership.role_names)
        self.stdout.write(f"{options['username']} is in “{project.slug}” as {held}.")
