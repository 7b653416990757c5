"""How many seats each request wants: changed by an owner, after the effect on work that exists was
shown.
"""

from collections.abc import Mapping
from dataclasses import replace

from django.db import transaction
from django.db.models import Count
from django.utils.translation import gettext as _

from annotation.desk import WORK_KINDS
from annotation.models import Need, Person, Project, Seat
from annotation.needs import SeatNumbers, seat_numbers
from annotation.permissions import require
from annotation.progress import outside
from annotation.services import ledger
from annotation.services.projects import Refused, lock

# (kind of work, primary key) → seats; None takes the row away, so that the wider rule holds again.
Seats = Mapping[tuple[str, int], int | None]


# What a project wants: the numbers of seats of each kind of work.
Wanted = Mapping[str, SeatNumbers]


def wanted_now(project: Project) -> Wanted:
    """What the project wants today; with changed numbers on `project`, what it then would."""
    return {name: seat_numbers(kind, project) for name, kind in WORK_KINDS.items()}


def wanted_after(
    project: Project, *, classes: Seats | None = None, requests: Seats | None = None
) -> Wanted:
    """What the project would want after such a change of needs."""
    return {
        kind: replace(
            numbers,
            of_class=_merged(numbers.of_class, kind, classes or {}),
            of_request=_merged(numbers.of_request, kind, requests or {}),
        )
        for kind, numbers in wanted_now(project).items()
    }


def overfull(*, project: Project, after: Wanted) -> dict[str, int]:
    """By kind of work, how many requests would have more seats taken than `after` wants, where
    today's rules want more: they keep those seats.
    """
    before, found = wanted_now(project), dict[str, int]()
    taken = (
        Seat.objects.filter(project=project)
        .taken()
        .order_by()
        .values_list("kind", "request_id", "request__request_class_id")
        .annotate(n=Count("pk"))
    )
    for kind, request_id, class_id, n in taken.iterator():
        if kind not in after:  # its app is not installed any more
            continue
        wanted = after[kind].on(request_id, class_id)
        if wanted < n and wanted < before[kind].on(request_id, class_id):
            found[kind] = found.get(kind, 0) + 1
    return found


@transaction.atomic
def change_needs(
    *,
    actor: Person,
    project: Project,
    classes: Seats | None = None,
    requests: Seats | None = None,
) -> int:
    """Write how many seats classes and single requests want; seats that are taken stay. Returns
    how many rules changed. Keys that are not the project's are a fault of the caller.
    """
    require(actor, "set_single_needs" if requests else "manage_project", project)
    lock(project)
    names = {
        "request_class": dict(project.request_classes.values_list("pk", "name")),
        "request": dict(
            project.requests.filter(pk__in=[pk for _kind, pk in requests or ()]).values_list(
                "pk", "key"
            )
        ),
    }
    fixed = outside(project)
    if keys := [names["request"][pk] for _kind, pk in requests or () if pk in fixed]:
        raise Refused(
            _("%(keys)s: the seats of these requests cannot be changed here.")
            % {"keys": ", ".join(sorted(set(keys)))}
        )
    changes = []
    for field, wanted in (("request_class", classes or {}), ("request", requests or {})):
        for (kind, pk), seats in wanted.items():
            name = names[field][pk]
            if _set(project, WORK_KINDS[kind].name, field, pk, seats):
                changes.append({"kind": kind, field.replace("request_", ""): name, "seats": seats})
    if changes:
        ledger.record(
            project=project,
            kind="needs.changed",
            subject=project.slug,
            content={"changes": changes},
            actor=actor,
        )
    return len(changes)


def exceptions(project: Project) -> list[Need]:
    """The single requests for which another number holds, in the desk's order. What is outside
    the study has its own numbers, which are nobody's to change here.
    """
    single = Need.objects.filter(project=project, request__isnull=False)
    single = single.exclude(request__in=outside(project))
    return list(single.select_related("request").order_by("request__position", "kind"))


def _set(project: Project, kind: str, field: str, pk: int, seats: int | None) -> bool:
    """Write or remove one rule; False when it was so already."""
    row = Need.objects.filter(project=project, kind=kind, **{f"{field}_id": pk}).first()
    if seats is None:
        return bool(row and row.delete())
    if row is None:
        Need.objects.create(project=project, kind=kind, seats=seats, **{f"{field}_id": pk})
        return True
    return bool(Need.objects.filter(pk=row.pk).exclude(seats=seats).update(seats=seats))


def _merged(rules: Mapping[int, int], kind: str, change: Seats) -> dict[int, int]:
    ours = {pk: seats for (name, pk), seats in change.items() if name == kind}
    return {pk: seats for pk, seats in {**rules, **ours}.items() if seats is not None}
