"""Where a seat is free for a person: looked for near the last that they took, then everywhere.

Nothing is remembered between two searches, so nothing can be out of date. What makes a search of a
big study fast is that seats are counted by blocks of positions first: a block whose requests all
have their last seat taken, or all belong to the person, is not looked into.
"""

from itertools import pairwise
from typing import Any

from django.db.models import (
    CharField,
    Count,
    Exists,
    F,
    OuterRef,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.functions import Coalesce

from annotation.desk import WorkKind
from annotation.models import Person, Project, Request, Seat
from annotation.models.work import SeatQuerySet
from annotation.needs import seat_numbers, with_free_seats

LOOKED_AT_ONCE = 20  # free requests that one look fetches: others may be faster with the first
# Positions after the last one that are looked at before anything is counted. The first step is
# short: a database that has no statistics of its tables yet reads all of it before it sorts.
NEAR = (64, 2_000)
BLOCK = 1_024  # positions counted together


def free_for(actor: Person, project: Project, kind: WorkKind) -> list[Request]:
    """The first requests with a free seat for the person, each with `wanted`: soon after the last
    that they took, else the first anywhere, and what they put aside only when nothing else is
    left. Nothing means that none was free when this looked.
    """
    numbers = seat_numbers(kind, project)
    if not max(numbers.distinct):
        return []
    most = max(numbers.default, *numbers.of_class.values(), 0)
    beyond = [request for request, seats in numbers.of_request.items() if seats > most]
    own = Seat.objects.filter(project=project, kind=kind.name, holder=actor)
    # Full requests are left out first: an index alone tells them.
    every = with_free_seats(project.requests.order_by(), kind, project, numbers)
    free = (every & kind.open_to(project, actor)).defer("answers", "evidence", "metadata")
    free = free.order_by("position", "pk")
    last = Coalesce(Subquery(own.order_by("-position").values("position")[:1]), Value(-1))
    found: list[Request]
    for after, until in pairwise((0, *NEAR)):
        near = free.filter(position__gt=last + after, position__lte=last + until)
        found = list(near[:LOOKED_AT_ONCE])
        if found:
            return found
    blocks = _open_blocks(project, kind, own, most)
    if beyond:  # a single request with more seats than any class: its block is always looked into
        places = project.requests.filter(pk__in=beyond).values_list("position", flat=True)
        blocks = sorted({*blocks, *(place // BLOCK for place in places)})
    if blocks:
        # Where the person has a seat already, there is none for them but the one put aside.
        mine = Exists(own.filter(request=OuterRef("pk")))
        there = free.alias(block=F("position") / BLOCK).filter(
            ~mine, block__in=blocks, position__gte=min(blocks) * BLOCK
        )
        found = [*there[:LOOKED_AT_ONCE]]
        if found:
            return found
    aside = free.filter(pk__in=own.filter(state=Seat.State.RETURNED).values("request"))
    # A sum is sorted last: SQLite would walk the order of all requests to find these few.
    return list(aside.order_by(F("position") + 0, "pk")[:LOOKED_AT_ONCE])


def _open_blocks(project: Project, kind: WorkKind, own: SeatQuerySet, most: int) -> list[int]:
    """The blocks in which a request may have a seat for the person; `most` is the most seats that
    a request has. Counted in one query.

    No two taken seats of a request share a slot, so that as many taken slots up to `most` as
    `most` times the requests means that every request is full.
    """
    taken = Seat.objects.filter(project=project, kind=kind.name, slot__lte=most).taken()
    parts = {"requests": project.requests.all(), "taken": taken, "own": own.taken()}
    first, *others = (_by_block(rows, name) for name, rows in parts.items())
    counts: dict[str, dict[int, int]] = {name: {} for name in parts}
    for name, block, count in first.union(*others, all=True):
        counts[name][block] = count
    return [
        block
        for block, requests in sorted(counts["requests"].items())
        if counts["taken"].get(block, 0) < most * requests
        and counts["own"].get(block, 0) < requests
    ]


def _by_block(rows: QuerySet[Any], name: str) -> Any:
    blocks = rows.order_by().annotate(block=F("position") / BLOCK).values("block")
    part = Value(name, output_field=CharField())
    return blocks.annotate(part=part, n=Count("pk")).values_list("part", "block", "n")
