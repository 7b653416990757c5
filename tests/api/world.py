"""One study in which every address of the API has something to show: people with tokens, requests,
seats in each state, sheets, contracts, a finished run.
"""

import io
from dataclasses import dataclass, field
from typing import Any

from annotation.models import Guideline, ImportJob, Person, Project, Seat
from annotation.services import drafts, import_jobs, seats
from annotation.services.drafts import Sent
from annotation.services.projects import create_project, set_member
from annotation.services.tokens import SCOPES, create_token
from contracts.models import Control
from contracts.services.reading import read_sheet
from contracts.services.sheets import seal_sheet
from evaluation.services.suites import start_suite
from evaluation.services.variations import fill, make_set
from evaluation.suites.execution import work
from tests.evaluation.runs import small_study
from tests.evaluation.views.worlds import LOSSY, run_with

ROLES = ("owner", "engineer", "adjudicator", "annotator")
PEOPLE = {**{role: role for role in ROLES}, "annotator-a": "annotator"}
TEXT = "And its parent before 2021, excluding one-off items?"
SHEET: dict[str, Any] = {
    "constraints": [
        {
            "id": "c1",
            "kind": "time",
            "materiality": "critical",
            "span": {"turn": 0, "start": 15, "end": 26},
            "value": {"relation": "before", "end": "2021"},
        }
    ]
}


@dataclass
class World:
    """The study, its people by role (and one who is in no project), and their tokens."""

    project: Project
    people: dict[str, Person] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    seats: dict[str, Seat] = field(default_factory=dict)
    job: ImportJob = field(default_factory=ImportJob)  # of the owner

    def token(self, person: Person, *scopes: str) -> str:
        return create_token(actor=person, name="program", scopes=scopes or tuple(SCOPES))[1]


def suite_run(engineer: Person, project: Project) -> None:
    """A made set of every request with a contract, and a finished run over it."""
    made = make_set(
        actor=engineer, project=project, name="typing", kinds={"spelling": 1}, rate=1.0, seed=1
    )
    fill(made)
    made.refresh_from_db()
    run = start_suite(actor=engineer, project=project, sets=[made], pipelines=[])
    work(run.pk, worker="w1", seconds=60.0)


def build(*, run: bool = True) -> World:
    """Make the world on whatever database is the default now."""
    owner = Person.objects.create_user("owner")
    world = World(create_project(actor=owner, slug="study", name="Study"), {"owner": owner})
    for name, role in list(PEOPLE.items())[1:]:
        world.people[name] = person = Person.objects.create_user(name)
        set_member(actor=owner, project=world.project, person=person, roles=[role])
    world.people["stranger"] = Person.objects.create_user("stranger")
    small_study.fill(world.project)
    if run:
        run_with(world.people["engineer"], world.project, {"cand": LOSSY})
        suite_run(world.people["engineer"], world.project)
    rows = [{"id": f"w{n}", "class": "follow-up", "text": TEXT} for n in range(1, 9)]
    small_study.take_in(world.project, "requests", rows)
    base = world.project.requests.get(key="a")
    Control.objects.create(project=world.project, key="x1", base=base, accepts=["More words."])
    Guideline.objects.create(
        project=world.project, topic="", version=1, text="Mark what is asked.", sha256="0" * 64,
        author=owner,
    )  # fmt: skip
    world.tokens = {name: world.token(person) for name, person in world.people.items()}
    world.job = import_jobs.start_job(
        actor=owner, project=world.project, kind="requests", filename="more.jsonl",
        stream=io.BytesIO(b'{"id":"more","class":"x","text":"Why?"}'), dry_run=True,
    )  # fmt: skip
    world.seats = _work(world, world.people["annotator"])
    return world


def taken(world: World, person: Person) -> Seat:
    """The person's next sheet among the requests with the words of `TEXT`."""
    seat = seats.take_next(actor=person, project=world.project, kind_name="sheet")
    while seat and seat.request.text != TEXT:
        seats.cannot_judge(actor=person, seat=seat, reason="not my field")
        seat = seats.take_next(actor=person, project=world.project, kind_name="sheet")
    assert seat is not None
    return seat


def filled(seat: Seat) -> Seat:
    """Save a draft that can be sealed."""
    draft = read_sheet(seat, SHEET)
    return drafts.save_draft(seat=seat, draft=draft, sent=Sent(seat.draft_version))


def sealed(world: World, person: Person) -> Seat:
    """The person's next sheet, sealed."""
    seat = taken(world, person)
    seal_sheet(actor=person, seat=filled(seat))
    seat.refresh_from_db()
    return seat


def _work(world: World, person: Person) -> dict[str, Seat]:
    """Seats of the person: sealed, put aside with an undone change, and held with a draft."""
    found = {"sealed": sealed(world, person)}
    aside = filled(taken(world, person))
    drafts.undo(seat=aside, sent=Sent(aside.draft_version))
    seats.give_back(actor=person, seat=aside)
    held = filled(taken(world, person))
    for seat in (aside, held):
        seat.refresh_from_db()
    return {**found, "aside": aside, "held": held}
