"""Double clicks on the services, by threads that start together: each act must be done once."""

from collections import Counter
from collections.abc import Callable
from threading import Barrier, Thread
from typing import Any

from django.db import connection

from annotation.models import Person, Project, Seat
from annotation.services.drafts import Sent
from annotation.services.projects import Refused
from annotation.services.seats import take_next
from contracts.models import Adjudication
from contracts.services.bench import approving, opening
from contracts.services.sheets import add_constraint, seal_sheet
from contracts.terms import Span
from evaluation.services.protocols import register_protocol

CLICKS = 6


def at_once(act: Callable[[], Any]) -> Counter[str]:
    """Run the act in six threads that start together; count what came of them."""
    barrier, came = Barrier(CLICKS), Counter[str]()

    def click() -> None:
        barrier.wait()
        try:
            came[type(act()).__name__] += 1
        except Refused:
            came["Refused"] += 1
        except Exception as fault:  # noqa: BLE001 every other fault is what the test looks for
            came[f"{type(fault).__name__}: {fault}"] += 1
        finally:
            connection.close()

    threads = [Thread(target=click) for _number in range(CLICKS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return came


def all_acts(project: Project) -> dict[str, Any]:
    """Take, adjudicate, approve, register and start, each six times at once."""
    person = {p.username: p for p in Person.objects.all()}
    names = ("annotator-a", "annotator-b")
    took = at_once(
        lambda: take_next(actor=person["annotator-a"], project=project, kind_name="sheet")
    )
    held = Seat.objects.filter(holder=person["annotator-a"], state="held").count()
    for name in names:
        seat = take_next(actor=person[name], project=project, kind_name="sheet")
        assert seat is not None
        seat, _key = add_constraint(seat=seat, kind="referent", span=Span(0, 0, 5), sent=Sent(0))
        seal_sheet(actor=person[name], seat=seat)
    request, adjudicator = seat.request, person["adjudicator"]
    opened = at_once(lambda: opening.open_adjudication(actor=adjudicator, request=request))
    approved = at_once(
        lambda: approving.approve(
            actor=adjudicator, adjudication=Adjudication.objects.get(request=request)
        )
    )
    rules = {**project.protocols.get().content, "name": "clicked"}
    registered = at_once(
        lambda: register_protocol(actor=person["engineer"], project=project, content=rules)
    )
    return {
        "took": took,
        "held": held,
        "opened": opened,
        "approved": approved,
        "contracts": request.contracts.count(),
        "registered": registered,
        "protocols": project.protocols.filter(name="clicked").count(),
    }
