"""The study of the load test, made and counted with the product's own settings:
`python -m tests.bench.load_study make PEOPLE REQUESTS` and `… count` print one line of JSON.
"""

import json
import sys
from typing import Any

import django

django.setup()

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db.models import Count  # noqa: E402

from annotation.models import Person, Project, Request, RequestClass  # noqa: E402
from annotation.services.projects import create_project, set_member  # noqa: E402
from contracts.models import Sheet  # noqa: E402


def make(people: str, requests: str) -> dict[str, Any]:
    """An empty database becomes a study with so many annotators, each logged in."""
    call_command("migrate", verbosity=0)
    owner = Person.objects.create_user("owner")
    project = create_project(actor=owner, slug="load", name="Load")
    asked = RequestClass.objects.create(project=project, name="fact")
    Request.objects.bulk_create(
        (
            Request(
                project=project,
                key=f"r{number:06}",
                request_class=asked,
                text=f"Harbor Rail revenue, case {number}?",
                sha256=f"{number:064x}",
                position=number,
            )
            for number in range(int(requests))
        ),
        batch_size=2000,
    )
    return {"sessions": [_session(project, owner, number) for number in range(int(people))]}


def _session(project: Project, owner: Person, number: int) -> str:
    person = Person.objects.create_user(f"annotator-{number}")
    set_member(actor=owner, project=project, person=person, roles=["annotator"])
    store = SessionStore()
    store[SESSION_KEY] = str(person.pk)
    store[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    store[HASH_SESSION_KEY] = person.get_session_auth_hash()
    store.create()
    return store.session_key or ""


def count() -> dict[str, Any]:
    """What the database has: the seats with a sealed sheet, and whatever there is too much of."""
    sheets = Sheet.objects.standing()
    per_request = sheets.values("request").annotate(n=Count("pk"))
    per_seat = sheets.values("seat").annotate(n=Count("pk"))
    return {
        "seats": [str(seat) for seat in sheets.values_list("seat__public_id", flat=True)],
        "doubled": per_seat.filter(n__gt=1).count(),
        "oversold": per_request.filter(n__gt=2).count(),
        "halves": Sheet.objects.filter(constraints=None, unresolved=False).count(),
    }


ACTS = {"make": make, "count": count}

if __name__ == "__main__":
    print(json.dumps(ACTS[sys.argv[1]](*sys.argv[2:])), flush=True)
