"""The desk knows no kind of work: each app registers its own, and the desk hands out the next item
of any.

A kind of work is a value here, not a class tree: who may take which requests, how many seats each
has, how a finished draft is sealed, and the address of the page on which it is done.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise

from annotation.models import Person, Project, Request, Seat

if TYPE_CHECKING:
    from annotation.services.drafts import Sent


def everybody(_project: Project, _person: Person) -> bool:
    return True


@dataclass(frozen=True)
class DraftShown:
    """A draft to be read, not edited: a template and what it needs."""

    template: str
    context: dict[str, Any]


@dataclass(frozen=True)
class WorkKind:
    """One kind of work. `open_to` gives the requests whose seats this person may take, in the
    desk's order; `seats_wanted` how many seats a request has unless a Need says otherwise.

    `read_draft` turns what a program sent into a draft, or refuses it; `seal` seals the draft and
    returns what was sealed; `retract` takes it back, where it may be. `topics` name the guidelines
    beside the work.
    """

    name: str
    label: str | Promise
    seats_wanted: Callable[[Project], int]
    open_to: Callable[[Project, Person], QuerySet[Request]]
    page: str  # URL name, taken with the project's slug and the seat's id
    # Shows the whole work anew, for acts that change all of it (undo, a conflict that was settled).
    work: Callable[[HttpRequest, Project, Seat], HttpResponse]
    draft_shown: Callable[[Seat, dict[str, Any]], DraftShown]
    read_draft: Callable[[Seat, Any], dict[str, Any]]
    seal: Callable[[Person, Seat, "Sent"], Any]
    retract: Callable[[Person, Seat], None] | None = None
    # Saves a draft, where that has rules of its own.
    keep: Callable[[Person, Seat, dict[str, Any], "Sent"], Seat] | None = None
    offered: Callable[[Project, Person], bool] = everybody
    # The answers of the request, where its page shows them; records that first, and may refuse.
    answers: Callable[[Person, Seat], list[str]] | None = None
    # What the page after a seal tells of it, and how sealed work is done once more.
    outcome: Callable[[Seat], dict[str, Any] | None] | None = None
    once_more: Callable[[Person, Seat], Seat] | None = None
    # URL name of the page that follows a seal, taken as `page` is; else the next item does.
    after: str = ""
    # What the holders of seats are told whose sealed work was handed back to them, by seat.
    came_back: Callable[[Sequence[Seat]], dict[int, str]] | None = None
    topics: tuple[str, ...] = ()
    counted: bool = True  # part of what the study counts as done
    order: int = 0  # its place on the desk: what closes other work to a person comes last


WORK_KINDS: dict[str, WorkKind] = {}


def counted_kinds() -> list[WorkKind]:
    """The kinds of work that are part of what a study counts."""
    return [kind for kind in WORK_KINDS.values() if kind.counted]


def register(kind: WorkKind) -> WorkKind:
    """Add a kind of work; called from the `ready` of the app that owns it."""
    kinds = sorted([*WORK_KINDS.values(), kind], key=lambda one: one.order)
    WORK_KINDS.clear()
    WORK_KINDS.update({one.name: one for one in kinds})
    return kind
