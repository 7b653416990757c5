"""What waits on the bench, and for whom."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q, QuerySet

from annotation.desk import WORK_KINDS
from annotation.models import Person, Project, Request, Seat
from annotation.needs import seat_numbers, seats_wanted, with_free_seats
from annotation.permissions import may
from annotation.services.seats import RETRACT_WITHIN
from contracts.differences import Difference, differences
from contracts.models import Adjudication, Sheet
from contracts.services.bench.rows import all_agree, farthest_pair
from contracts.services.sheets import left_out


@dataclass(frozen=True)
class Waiting:
    """One request on the bench. `opened` is its open adjudication; `accepted_at` when it is
    accepted on its own, because all its reviewers agree.
    """

    request: Request
    differences: int
    critical: int
    opened: Adjudication | None = None
    accepted_at: datetime | None = None


def requests_annotated_by(person: Person) -> QuerySet[Request]:
    """Requests of which the person holds, held or sealed annotations."""
    return Request.objects.filter(
        Q(sheets__annotator=person)
        | Q(seats__holder=person, seats__kind="sheet")
        | Q(human_rewrites__author=person)
    )


def waiting(project: Project, person: Person) -> list[tuple[Request, int]]:
    """The requests of `queue`, each with its number of differences."""
    return [(row.request, row.differences) for row in queue(project, person)]


def queue(project: Project, person: Person) -> list[Waiting]:
    """Requests with enough sealed sheets and no contract that this person may adjudicate: those
    with critical differences first, then by number, then in the requests' order.

    Requests that an adjudicator has open stay among them until their contract is approved.
    """
    opened = _opened(project)
    closed = set(closed_to_annotators(project, person).values_list("pk", flat=True))
    closed -= {pk for pk, held in opened.items() if held.adjudicator_id == person.pk}
    closed |= set(
        requests_annotated_by(person).filter(project=project).values_list("pk", flat=True)
    )
    rows = [
        _waiting(held.request, [held.sheet_a, held.sheet_b], held)
        for pk, held in opened.items()
        if pk not in closed
    ]
    rows += [
        _waiting(sheets[0].request, sheets)
        for pk, sheets in complete(project).items()
        if pk not in closed and pk not in opened
    ]
    rows.sort(key=lambda row: (-row.critical, -row.differences, row.request.position))
    return rows


def complete(project: Project) -> dict[int, list[Sheet]]:
    """The blind standing sheets of each request whose sheets are all sealed and that has neither
    a contract nor a known one, by request.
    """
    found = Sheet.objects.by_request(project).filter(request__contracts=None)
    by_request: dict[int, list[Sheet]] = {}
    for sheet in (
        found.exclude(request__gold__isnull=False)
        .exclude(pk__in=left_out(project))
        .select_related("request__request_class", "request__project", "annotator")
        .prefetch_related("constraints")
        .order_by("request__position", "pk")
    ):
        by_request.setdefault(sheet.request_id, []).append(sheet)
    numbers, given_up = seat_numbers(WORK_KINDS["sheet"], project), _given_up(project)
    return {
        pk: sheets
        for pk, sheets in by_request.items()
        if len(sheets) >= max(2, numbers.on(pk, sheets[0].request.request_class_id) - given_up[pk])
    }


def sheets_wanted(request: Request) -> int:
    """How many sealed sheets an adjudication of the request waits for: those whose reviewers said
    that they cannot judge it are not waited for.
    """
    given_up = _given_up(request.project)[request.pk]
    return max(2, seats_wanted(WORK_KINDS["sheet"], request) - given_up)


def closed_to_annotators(project: Project, person: Person) -> QuerySet[Request]:
    """What somebody who also annotates is told nothing of: requests of which they may still get a
    sheet, or whose sheets are not all sealed. None for whoever does not annotate.
    """
    if not may(person, "annotate", project).allowed:
        return Request.objects.none()
    kind = WORK_KINDS["sheet"]
    numbers = seat_numbers(kind, project)
    mine = with_free_seats(kind.open_to(project, person), kind, project, numbers).values("pk")
    return project.requests.filter(Q(pk__in=mine) | Q(pk__in=at_work(project).values("request")))


def at_work(project: Project) -> QuerySet[Seat]:
    """The seats at which somebody is at work on a sheet."""
    return Seat.objects.filter(project=project, kind="sheet", state=Seat.State.HELD)


def _opened(project: Project) -> dict[int, Adjudication]:
    found = Adjudication.objects.filter(request__project=project, state=Adjudication.State.OPEN)
    found = found.select_related(
        "request__request_class", "request__project", "sheet_a", "sheet_b", "adjudicator"
    ).prefetch_related("sheet_a__constraints", "sheet_b__constraints")
    return {held.request_id: held for held in found}


def _given_up(project: Project) -> Counter[int]:
    seats = Seat.objects.filter(project=project, kind="sheet", state=Seat.State.CANNOT_JUDGE)
    return Counter(dict(seats.order_by().values_list("request").annotate(Count("pk"))))


def _waiting(request: Request, sheets: list[Sheet], opened: Adjudication | None = None) -> Waiting:
    found: list[Difference] = differences(*(sheet.terms for sheet in farthest_pair(sheets)))
    open_rows = sum(not difference.agreed for difference in found)
    accepted_at = None
    if not open_rows and opened is None and all_agree(sheets):
        accepted_at = max(sheet.sealed_at for sheet in sheets) + RETRACT_WITHIN
    return Waiting(request, open_rows, sum(d.critical for d in found), opened, accepted_at)
