"""Whether a person wants suggestions beside their sheets."""

from django.db import transaction

from annotation.models import Person, Request, Turn

PREFERENCE = "suggestions_hidden"


def suggestions_hidden(person: Person) -> bool:
    return person.preferences.get(PREFERENCE) is True


@transaction.atomic
def hide_suggestions(*, actor: Person, hidden: bool) -> Person:
    """Remember the person's own choice, on every sheet from now on."""
    person = Person.objects.select_for_update().get(pk=actor.pk)  # another tab may change others
    person.preferences = {**person.preferences, PREFERENCE: hidden}
    person.save(update_fields=["preferences"])
    actor.preferences = person.preferences
    return actor


def turns_asked(request: Request) -> list[int]:
    """The turns in which somebody asks: the user's own, and the current text."""
    said = list(request.turns.all())
    users = [place for place, turn in enumerate(said) if turn.role == Turn.Speaker.USER]
    return [*users, len(said)]
