"""A race for seats by real processes: `python -m tests.services.claims --rounds 20` on whatever
database the environment names; prints a line of JSON for each round.

Every claimer takes and seals until nothing is left for it. After each round the seats are counted,
and whoever was told "nothing" is checked: at that moment every item that was not its own was full.
"""

import argparse
import json
import os
import tempfile
import traceback
from collections import Counter
from datetime import datetime
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402 after django.setup()
from django.db import connections, transaction  # noqa: E402
from django.utils import timezone  # noqa: E402

from annotation.models import Membership, Person, Project, Request, RequestClass, Role, Seat  # noqa: E402
from annotation.services import seats  # noqa: E402
from annotation.services.projects import create_project  # noqa: E402


def make_study(claimers: int, items: int, wanted: int) -> Project:
    """A project with so many annotators and requests; the one of an earlier run is used again."""
    found = Project.objects.filter(slug="claims").first()
    if found:
        return found
    owner = Person.objects.create(username="claims-owner")
    project = create_project(actor=owner, slug="claims", name="A race")
    Project.objects.filter(pk=project.pk).update(reviewers_per_request=wanted)
    people = Person.objects.bulk_create(Person(username=f"claimer-{n}") for n in range(claimers))
    members = Membership.objects.bulk_create(
        Membership(project=project, person=person, pseudonym=f"c{person.pk}") for person in people
    )
    Role.objects.bulk_create(Role(membership=m, name="annotator") for m in members)
    request_class = RequestClass.objects.create(project=project, name="any")
    Request.objects.bulk_create(
        Request(
            project=project, key=f"q{n}", request_class=request_class, text="What?",
            sha256="0" * 64, position=n,
        )
        for n in range(items)
    )  # fmt: skip
    project.refresh_from_db()
    return project


def claim_all(person_id: int, project_id: int, barrier: Barrier, out: Path) -> None:
    """One process: claim and seal until nothing is left; leave what came of it in a file."""
    said: dict[str, Any] = {"person": person_id, "took": 0, "error": ""}
    try:
        connections.close_all()
        person, project = Person.objects.get(pk=person_id), Project.objects.get(pk=project_id)
        barrier.wait()
        while seat := seats.take_next(actor=person, project=project, kind_name="sheet"):
            said["took"] += 1
            with transaction.atomic():
                seats.submit(seat=seat)
        said["nothing_at"] = timezone.now().isoformat()
    except Exception:  # noqa: BLE001 every fault is what the race looks for
        said["error"] = traceback.format_exc()[-1500:]
    out.write_text(json.dumps(said))
    os._exit(0)


def race(project: Project, wanted: int, folder: Path) -> dict[str, Any]:
    """One round, from no seat at all; return how many seats came of it and what is wrong."""
    Seat.objects.filter(project=project).delete()
    people = list(
        project.memberships.filter(roles__name="annotator").values_list("person", flat=True)
    )
    fork = get_context("fork")
    barrier = fork.Barrier(len(people))
    connections.close_all()
    processes = [
        fork.Process(target=claim_all, args=(pk, project.pk, barrier, folder / f"{pk}.json"))
        for pk in people
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(timeout=300)
    said = [json.loads((folder / f"{pk}.json").read_text()) for pk in people]
    rows = list(Seat.objects.filter(project=project).values_list("request", "holder", "taken_at"))
    taken = Counter(request for request, _holder, _at in rows)
    return {
        "seats": len(rows),
        "items": len(taken),
        "not_as_wanted": sum(n != wanted for n in taken.values()),
        "twice": len(rows) - len({(request, holder) for request, holder, _at in rows}),
        "took": sum(one["took"] for one in said),
        "told_nothing_wrongly": sum(_wrong(one, rows, set(taken), wanted) for one in said),
        "errors": [one["error"] for one in said if one["error"]],
    }


def _wrong(said: dict[str, Any], rows: list[Any], items: set[int], wanted: int) -> bool:
    """Whether an item of others had a free seat when this claimer was told that nothing is left."""
    if said["error"]:
        return False
    at = datetime.fromisoformat(said["nothing_at"])
    own = {request for request, holder, _at in rows if holder == said["person"]}
    by_then = Counter(request for request, _holder, taken_at in rows if taken_at <= at)
    return any(by_then[request] < wanted for request in items - own)


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.services.claims")
    for name, default in (("rounds", 1), ("claimers", 64), ("items", 200), ("wanted", 2)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    call_command("migrate", verbosity=0)
    project = make_study(given.claimers, given.items, given.wanted)
    with tempfile.TemporaryDirectory() as folder:
        for _round in range(given.rounds):
            print(json.dumps(race(project, given.wanted, Path(folder))), flush=True)


if __name__ == "__main__":
    main()
