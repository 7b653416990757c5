"""A study with two requests, and short ways to mark, seal and adjudicate in it."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from pytest_django.live_server_helper import LiveServer

from annotation.models import Person, Project, Request, RequestClass, Seat, Turn
from annotation.services import seats
from annotation.services.drafts import Sent
from contracts.models import Adjudication, Contract, Sheet
from contracts.services import sheets
from contracts.services.bench import approving, deciding, opening, rows
from contracts.terms import Span

if TYPE_CHECKING:
    from tests.contracts.desk_browser import Desk

TEXT = "And its parent before 2021, excluding one-off items?"
TURNS = (("user", "How did Harbor Rail do in FY23?"), ("assistant", "Revenue rose 4 %."))

Edits = list[tuple[str, str, dict[str, object]]]
BEFORE: Edits = [
    ("referent", "its parent", {"name": "Harbor Holdings"}),
    ("time", "before 2021", {"relation": "before", "end": "2021"}),
]
UNTIL: Edits = [BEFORE[0], ("time", "before 2021", {"relation": "until", "end": "2021"})]


def make_request(
    project: Project, key: str, text: str, turns: tuple[tuple[str, str], ...] = ()
) -> Request:
    request_class, _made = RequestClass.objects.get_or_create(project=project, name="follow-up")
    request = Request.objects.create(
        project=project,
        key=key,
        request_class=request_class,
        text=text,
        answers=["EUR 1.2 billion"],
        evidence=[["d17"]],
        sha256="0" * 64,
        position=project.requests.count(),
    )
    for position, (role, words) in enumerate(turns):
        Turn.objects.create(request=request, position=position, role=role, text=words)
    return request


@pytest.fixture
def asked(project: Project) -> Request:
    """The first request of the study; its current text is turn 2."""
    return make_request(project, "r1", TEXT, TURNS)


@pytest.fixture
def other(asked: Request) -> Request:
    """The second request of the study."""
    return make_request(asked.project, "r2", "📦parcel fees 2024")


def take(person: Person, project: Project, kind: str = "sheet") -> Seat:
    seat = seats.take_next(actor=person, project=project, kind_name=kind)
    assert seat is not None
    return seat


def marked(seat: Seat, edits: Edits) -> Seat:
    """Mark the words of the current text and give each its value."""
    text = seat.request.text
    for kind, words, value in edits:
        start = text.index(words)
        span = Span(len(seat.request.texts) - 1, start, start + len(words))
        seat, key = sheets.add_constraint(
            seat=seat, kind=kind, span=span, sent=Sent(seat.draft_version)
        )
        seat = sheets.change_constraint(
            seat=seat, key=key, value=value, admissible=[], sent=Sent(seat.draft_version)
        )
    return seat


Sealer = Callable[..., Sheet]


@pytest.fixture
def seal(asked: Request) -> Sealer:
    """Take the person's next sheet, mark it, seal it."""

    def sealed(person: Person, edits: Edits = BEFORE) -> Sheet:
        seat = marked(take(person, asked.project), edits)
        return sheets.seal_sheet(actor=person, seat=seat)

    return sealed


@pytest.fixture
def opened(
    asked: Request, seal: Sealer, annotator_a: Person, annotator_b: Person, adjudicator: Person
) -> Adjudication:
    """Two sealed sheets that differ in the relation of the time, open with the adjudicator."""
    seal(annotator_a, BEFORE)
    seal(annotator_b, UNTIL)
    return opening.open_adjudication(actor=adjudicator, request=asked)


@pytest.fixture
def contract(opened: Adjudication, adjudicator: Person) -> Contract:
    """The contract that takes reviewer A's time."""
    item = rows.undecided(opened)[0].item
    deciding.decide(actor=adjudicator, adjudication=opened, item=item, take="a")
    return approving.approve(actor=adjudicator, adjudication=opened)


@pytest.fixture
def desk(live_server: LiveServer) -> "Iterator[Desk]":
    """A browser for people at the desk."""
    from tests.contracts.desk_browser import desk_at  # it uses what is made here

    with desk_at(live_server) as made:
        yield made
