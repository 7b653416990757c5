"""What other apps add to the owner's summary of people: one more column each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise

from annotation.models import Person, Project

Cells = Callable[[Project, Sequence[Person]], dict[int, str]]


@dataclass(frozen=True)
class PersonColumn:
    """`cells` gets everybody on the page at once and returns a text for each primary key; who is
    missing has nothing to say.
    """

    label: str | Promise
    cells: Cells


PERSON_COLUMNS: list[PersonColumn] = []


def register_person_column(label: str | Promise, cells: Cells) -> None:
    """Add a column to the summary of people; called from the `ready` of the app that owns it."""
    PERSON_COLUMNS.append(PersonColumn(label, cells))
