"""How fast the bench opens a long request: `python -m tests.bench.bench_page`.

Two sheets of so many constraints each, half of which differ. Told are the seconds and the queries
of opening the adjudication, of its page, of one decision and of taking all the rest of one side.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.services.installation import Installation, kill

SIZES = (6, 60)


def words(constraints: int) -> str:
    """A request with a name of its own for each constraint."""
    return "Compare " + ", ".join(f"Harbor{number} Rail" for number in range(constraints)) + "?"


def terms(constraints: int, differing: int) -> list[dict[str, Any]]:
    """A sheet of `words`: one referent a name, the first `differing` with another value."""
    text, found = words(constraints), []
    for number in range(constraints):
        name = f"Harbor{number} Rail"
        start = text.index(name)
        found.append(
            {
                "id": f"c{number + 1}",
                "kind": "referent",
                "materiality": "critical",
                "span": {"turn": 0, "start": start, "end": start + len(name)},
                "value": {"name": f"{name} plc" if number < differing else name},
            }
        )
    return found


def make(constraints: int) -> Any:
    """A study with one request of which two people sealed such a sheet; who adjudicates it, and
    the request.
    """
    from annotation.models import Person, Request, RequestClass
    from annotation.services import drafts, seats
    from annotation.services.drafts import Sent
    from annotation.services.projects import create_project, set_member
    from contracts.services.reading import read_sheet
    from contracts.services.sheets import seal_sheet

    name = f"bench{constraints}"
    owner = Person.objects.create_user(f"{name}-owner")
    project = create_project(actor=owner, slug=name, name=name)
    asked = RequestClass.objects.create(project=project, name="many")
    request = Request.objects.create(
        project=project, key="r1", request_class=asked, text=words(constraints), sha256="0" * 64,
        position=0,
    )  # fmt: skip
    for number, differing in enumerate((0, constraints // 2)):
        person = Person.objects.create_user(f"{name}-{number}")
        set_member(actor=owner, project=project, person=person, roles=["annotator"])
        seat = seats.take_next(actor=person, project=project, kind_name="sheet")
        assert seat
        draft = read_sheet(seat, {"constraints": terms(constraints, differing)})
        seal_sheet(actor=person, seat=drafts.save_draft(seat=seat, draft=draft, sent=Sent(0)))
    adjudicator = Person.objects.create_user(f"{name}-adjudicator")
    set_member(actor=owner, project=project, person=adjudicator, roles=["adjudicator"])
    return adjudicator, request


def opened(constraints: int) -> dict[str, Any]:
    """What each act on the bench costs with so many constraints: seconds and queries."""
    from django.test import Client

    adjudicator, request = make(constraints)
    client, found = Client(), {}
    client.force_login(adjudicator)
    study = f"/p/{request.project.slug}/bench/"
    client.get(study)  # templates are read once
    there = ""

    def open_it() -> Any:
        nonlocal there
        there = client.post(f"{study}open/{request.pk}/")["Location"]
        return client.get(there)

    acts: dict[str, Callable[[], Any]] = {
        "queue": lambda: client.get(study),
        "open": open_it,
        "page": lambda: client.get(there),
        "decide": lambda: client.post(
            f"{there}decide/", {"item": "c1|c1", "take": "a"}, headers={"HX-Request": "true"}
        ),
        "take_all": lambda: client.post(
            f"{there}take-all/", {"side": "b"}, headers={"HX-Request": "true"}
        ),
        "approve": lambda: client.post(f"{there}approve/"),
    }
    for name, act in acts.items():
        found[name] = _cost(act)
    return found


def _cost(act: Callable[[], Any]) -> dict[str, Any]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as asked:
        began = time.perf_counter()
        answer = act()
        spent = time.perf_counter() - began
    assert answer.status_code < 400, answer.content
    return {"seconds": round(spent, 3), "queries": len(asked)}


def measure(sizes: list[int]) -> dict[str, Any]:
    """On the database of the settings, which is empty."""
    from django.conf import settings
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    settings.ALLOWED_HOSTS = ["testserver"]
    return {f"{size} constraints": opened(size) for size in sizes}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_page", description=__doc__)
    parser.add_argument("--constraints", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--here", action="store_true", help="on the database of the environment")
    given = parser.parse_args()
    if given.here:
        import django

        django.setup()
        sys.stdout.write(json.dumps(measure(given.constraints), indent=1) + "\n")
        return
    with tempfile.TemporaryDirectory(prefix="intact-bench-") as folder:
        sizes = [str(size) for size in given.constraints]
        process = Installation(Path(folder)).begin(
            "tests.bench.bench_page", "--here", "--constraints", *sizes, start_new_session=True
        )
        try:
            sys.exit(process.wait())
        finally:
            kill(process)


if __name__ == "__main__":
    main()
