"""Mine and the final: an annotator's own sheet beside the contract, once it is approved."""

from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import Person, Seat
from contracts.models import Adjudication, Contract
from contracts.services.bench import approving, deciding, opening, rows
from contracts.services.bench.settled import mine_and_final, speaks_of_reviewers
from tests.contracts.conftest import BEFORE, UNTIL, Sealer

Clients = Callable[[Person], Client]
EXTRA = ("polarity", "excluding one-off items", {"mode": "exclude", "target": "x"})


def _address(contract: Contract, person: Person) -> str:
    seat = Seat.objects.get(request=contract.request, holder=person, kind="sheet")
    return f"/p/study/desk/settled/{seat.public_id}/"


def _side(opened: Adjudication, person: Person) -> str:
    return "a" if opened.sheet_a.annotator_id == person.pk else "b"


@pytest.fixture
def settled(
    seal: Sealer, asked: object, annotator_a: Person, annotator_b: Person, adjudicator: Person
) -> Contract:
    """A's time holds, and the polarity that A alone has does not."""
    seal(annotator_a, [*BEFORE, EXTRA])
    sheet = seal(annotator_b, UNTIL)
    opened = opening.open_adjudication(actor=adjudicator, request=sheet.request)
    for difference in rows.undecided(opened):
        take = _side(opened, annotator_a) if difference.kind == "time" else "reject"
        deciding.decide(
            actor=adjudicator, adjudication=opened, item=difference.item, take=take,
            note="The year itself is out." if difference.kind == "time" else "Reviewer B is right.",
        )  # fmt: skip
        deciding.give_reason(
            actor=adjudicator, adjudication=opened, item=difference.item, reason="reading"
        )
    return approving.approve(actor=adjudicator, adjudication=opened)


def _states(contract: Contract, person: Person) -> dict[str, str]:
    sheet = person.sheets.get()
    return {row.kind: row.state for row in mine_and_final(sheet, contract)}


def test_each_sees_what_became_of_their_own_rows(
    settled: Contract, annotator_a: Person, annotator_b: Person
) -> None:
    same = {"referent": "same", "ambiguity": "same"}
    assert _states(settled, annotator_a) == {**same, "time": "same", "polarity": "dropped"}
    assert _states(settled, annotator_b) == {**same, "time": "changed"}  # no word of the polarity


def test_the_page_has_the_reason_and_the_note(
    settled: Contract, annotator_b: Person, client_of: Clients
) -> None:
    html = client_of(annotator_b).get(_address(settled, annotator_b)).content.decode()
    assert "reading" in html and "The year itself is out." in html
    assert "annotator-a" not in html and "polarity" not in html


def test_a_note_that_speaks_of_a_reviewer_is_withheld(
    settled: Contract, annotator_a: Person, client_of: Clients
) -> None:
    html = client_of(annotator_a).get(_address(settled, annotator_a)).content.decode()
    assert "Reviewer B is right" not in html and "speaks of a reviewer" in html


def test_that_they_looked_is_recorded(
    settled: Contract, annotator_b: Person, client_of: Clients
) -> None:
    client_of(annotator_b).get(_address(settled, annotator_b))
    entry = settled.request.project.ledger.filter(kind="exposed", actor=annotator_b).get()
    assert (entry.subject, entry.content) == ("r1", {"what": "contract"})


def test_nothing_is_told_before_the_approval(
    opened: Adjudication, annotator_a: Person, client_of: Clients
) -> None:
    seat = Seat.objects.get(request=opened.request, holder=annotator_a, kind="sheet")
    page = client_of(annotator_a)
    assert page.get(f"/p/study/desk/settled/{seat.public_id}/").status_code == 404
    assert "r1" not in page.get("/p/study/desk/settled/").content.decode()


def test_the_sheet_of_somebody_else_does_not_exist(
    settled: Contract, annotator_a: Person, annotator_b: Person, client_of: Clients
) -> None:
    address = _address(settled, annotator_a)
    assert client_of(annotator_b).get(address).status_code == 404


def test_the_desk_leads_to_the_list_and_the_list_to_the_page(
    settled: Contract, annotator_b: Person, client_of: Clients
) -> None:
    page = client_of(annotator_b)
    assert "/p/study/desk/settled/" in page.get("/p/study/desk/").content.decode()
    listed = page.get("/p/study/desk/settled/").content.decode()
    assert _address(settled, annotator_b) in listed


@pytest.mark.parametrize(
    ("note", "speaks"),
    [
        ("B wrote until", True),
        ("as the other reviewer has it", True),
        ("Anna is right", True),
        ("The year itself is out.", False),
        ("a date before 2021", False),
    ],
)
def test_notes_that_speak_of_reviewers(note: str, speaks: bool) -> None:
    assert speaks_of_reviewers(note, ["anna"]) is speaks
