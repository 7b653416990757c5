"""Which requests somebody may still annotate: the one answer for whoever must not tell them more of
a request until their own work on it is done.
"""

from collections.abc import Collection

from django.db.models import Q, QuerySet

from annotation.desk import counted_kinds
from annotation.models import Person, Project, Request, Seat
from annotation.needs import seat_numbers, with_free_seats
from annotation.permissions import may


def still_open_to(
    *, person: Person, project: Project, kinds: Collection[str] = ()
) -> QuerySet[Request]:
    """The requests at which the person is at work or of which a seat is free for them, of these
    kinds of work or of all that count; none for whoever does not annotate.
    """
    if not may(person, "annotate", project).allowed:
        return Request.objects.none()
    found = Q(pk__in=[])
    for kind in counted_kinds():
        if (kinds and kind.name not in kinds) or not kind.offered(project, person):
            continue
        taken_up = kind.open_to(project, person).order_by()
        held = Seat.objects.filter(holder=person, kind=kind.name, state=Seat.State.HELD)
        free = with_free_seats(taken_up, kind, project, seat_numbers(kind, project))
        found |= Q(pk__in=free.values("pk"))
        found |= Q(pk__in=taken_up.filter(pk__in=held.values("request")).values("pk"))
    return project.requests.filter(found).order_by("position", "pk")
