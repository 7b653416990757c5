from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.forms import NewProjectForm
from annotation.management.sentences import SentenceCommand, person_named
from annotation.models import Project
from annotation.services.projects import create_project


class Command(SentenceCommand):
    help = "Create a project with its first owner."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the short name in addresses; it never changes")
        parser.add_argument("--name", required=True)
        parser.add_argument("--owner", required=True, metavar="USERNAME")
        parser.add_argument("--description", default="")
        parser.add_argument(
            "--purpose", choices=Project.Purpose.values, default=Project.Purpose.ACCEPTANCE.value
        )
        parser.add_argument(
            "--hypothetical",
            action="store_true",
            help="say on every page that the data is invented",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        owner = person_named(options["owner"])
        form = NewProjectForm(
            {name: options[name] for name in ("slug", "name", "description", "purpose")}
            | {"hypothetical": options["hypothetical"]}
        )
        if not form.is_valid():
            faults = (f"{name}: {' '.join(map(str, texts))}" for name, texts in form.errors.items())
            raise CommandError("\n".join(faults))
        project = create_project(actor=owner, **form.cleaned_data)
        self.stdout.write(f"The project “{project.slug}” is at /p/{project.slug}/.")
