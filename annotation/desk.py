"""The desk knows no kind of work: each app registers its own, and the desk hands out the next item
of any.

A kind of work is a value here, not a class tree: who may take which requests, how many seats each
has, and the
address of the page on which it is done.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.functional import Promise

from annotation.models import Person, Project, Request


@dataclass(frozen=True)
class WorkKind:
    """One kind of work. `open_to` gives the requests whose seats this person may take, in the
    desk's order.
    """

    name: str
    label: str | Promise
    seats_wanted: Callable[[Project], int]
    open_to: Callable[[Project, Person], QuerySet[Request]]
    page: str  # URL name, taken with the project's slug and the seat's id


WORK_KINDS: dict[str, WorkKind] = {}


def register(kind: WorkKind) -> WorkKind:
    """Add a kind of work; called from the `ready` of the app that owns it."""
    WORK_KINDS[kind.name] = kind
    return kind
