from argparse import ArgumentParser
from typing import Any

from annotation.management.sentences import SentenceCommand, person_named
from annotation.services.log_in import deactivate


class Command(SentenceCommand):
    help = "End a person's access: sessions, API tokens and items at work. Their work stays."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        person = person_named(options["username"])
        deactivate(person=person)
        self.stdout.write(f"{person.username} can no longer log in. What they wrote stays.")
