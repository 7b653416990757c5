"""Whether a person wants suggestions beside their sheets."""

from annotation.models import Person, Request, Turn
from annotation.services.preferences import prefer

PREFERENCE = "suggestions_hidden"


def suggestions_hidden(person: Person) -> bool:
    return person.preferences.get(PREFERENCE) is True


def hide_suggestions(*, actor: Person, hidden: bool) -> Person:
    """Remember the person's own choice, on every sheet from now on."""
    return prefer(actor=actor, name=PREFERENCE, value=hidden)


def turns_asked(request: Request) -> list[int]:
    """The turns in which somebody asks: the user's own, and the current text."""
    said = list(request.turns.all())
    users = [place for place, turn in enumerate(said) if turn.role == Turn.Speaker.USER]
    return [*users, len(said)]
