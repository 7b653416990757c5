from argparse import ArgumentParser
from typing import Any

from annotation.erasure_effects import effect_of
from annotation.management.sentences import SentenceCommand, person_named
from annotation.models import Person
from annotation.services.erasure import erase_person


class Command(SentenceCommand):
    help = (
        "Say what erasing a person would do; with --yes, do it, for good. What they sealed stays "
        "under a pseudonym, and no figure changes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--yes", action="store_true", help="erase them; nothing asks again")
        parser.add_argument(
            "--texts",
            action="store_true",
            help="withdraw their consents too: the texts of their paraphrases are deleted",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        person, texts = person_named(options["username"]), options["texts"]
        if person.erased_at:
            day = person.erased_at.date().isoformat()
            self.stdout.write(f"{person.username} was erased on {day}. Nothing was changed.")
            return
        self._say_effect(person, texts)
        if not options["yes"]:
            again = f"erase_person {person.username}{' --texts' if texts else ''} --yes"
            self.stdout.write(f"Nothing was changed. To do it: python manage.py {again}")
            return
        erased = erase_person(actor=None, person=person, texts=texts)
        self.stdout.write(f"Done. They stand as {erased.username} from now on.")

    def _say_effect(self, person: Person, texts: bool) -> None:
        effect = effect_of(person)
        self.stdout.write(f"Erasing {person.username}. This goes for good:")
        for sentence in effect.goes(texts=texts):
            self.stdout.write(f"- {sentence}")
        self.stdout.write("This stays:")
        for sentence in effect.stays(texts=texts):
            self.stdout.write(f"- {sentence}")
        for refusal in effect.refusals:
            self.stdout.write(f"In the way: {refusal}")
