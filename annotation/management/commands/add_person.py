import secrets
from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from annotation.management.sentences import SentenceCommand
from annotation.models import Person


class Command(SentenceCommand):
    help = "Add a person and print their first password, once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--email", default="")
        parser.add_argument("--superuser", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        person = Person(
            username=Person.normalize_username(options["username"]),
            email=Person.objects.normalize_email(options["email"]),
            is_staff=options["superuser"],
            is_superuser=options["superuser"],
        )
        password = secrets.token_urlsafe(15)
        person.set_password(password)
        try:
            person.full_clean()
        except ValidationError as fault:
            raise CommandError(" ".join(fault.messages)) from fault
        person.save()
        self.stdout.write(f"{person.username} may log in with this password: {password}")
        self.stdout.write("It is shown only now; they change it on their account page.")
