import re
from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import Person, Project, Request, Seat
from annotation.services.projects import set_member
from contracts.models import Contract
from tests.contracts.conftest import Sealer, take

Clients = Callable[[Person], Client]


def test_taking_the_next_item_goes_to_its_page(
    asked: Request, annotator_a: Person, client_of: Clients
) -> None:
    answer = client_of(annotator_a).post("/p/study/desk/next/sheet/")
    assert answer["Location"] == f"/p/study/desk/sheet/{Seat.objects.get().public_id}/"


def test_nothing_left_is_a_calm_sentence(
    project: Project, annotator_a: Person, client_of: Clients
) -> None:
    answer = client_of(annotator_a).post("/p/study/desk/next/sheet/", follow=True)
    assert "Nothing of this kind is left for you now." in answer.content.decode()


def test_the_desk_says_how_many_are_left_and_disables_what_has_none(
    other: Request, annotator_a: Person, client_of: Clients
) -> None:
    html = client_of(annotator_a).get("/p/study/desk/").content.decode()
    assert "2 left for you" in html
    assert 'disabled aria-describedby="none-standalone"' in html
    assert "Nothing of this kind is left for you now." in html


def test_what_i_gave_up_is_not_left_for_me(
    other: Request, annotator_a: Person, client_of: Clients
) -> None:
    seat, page = take(annotator_a, other.project), client_of(annotator_a)
    page.post(f"/p/study/desk/seat/{seat.public_id}/cannot-judge/", {"reason": "not my field"})
    assert "1 left for you" in page.get("/p/study/desk/").content.decode()


def test_what_is_left_for_me_does_not_depend_on_others_seats(
    other: Request,
    seal: Sealer,
    annotator_a: Person,
    annotator_b: Person,
    owner: Person,
    engineer: Person,
    client_of: Clients,
) -> None:
    set_member(actor=owner, project=other.project, person=engineer, roles=["annotator"])
    seal(annotator_a)
    seal(annotator_b)
    assert "2 left for you" in client_of(engineer).get("/p/study/desk/").content.decode()


def test_later_goes_on_to_the_next_item_and_keeps_the_draft(
    other: Request, annotator_a: Person, client_of: Clients
) -> None:
    seat = take(annotator_a, other.project)
    answer = client_of(annotator_a).post(f"/p/study/desk/seat/{seat.public_id}/later/")
    following = Seat.objects.get(request=other)
    assert answer["Location"] == f"/p/study/desk/sheet/{following.public_id}/"


def test_later_on_the_only_item_goes_to_the_desk(
    asked: Request, annotator_a: Person, client_of: Clients
) -> None:
    seat = take(annotator_a, asked.project)
    answer = client_of(annotator_a).post(f"/p/study/desk/seat/{seat.public_id}/later/")
    seat.refresh_from_db()
    assert (answer["Location"], seat.state) == ("/p/study/desk/", "returned")


def test_cannot_judge_wants_a_reason(
    asked: Request, annotator_a: Person, client_of: Clients
) -> None:
    seat = take(annotator_a, asked.project)
    answer = client_of(annotator_a).post(
        f"/p/study/desk/seat/{seat.public_id}/cannot-judge/",
        {"reason": " "},
        headers={"HX-Request": "true"},
    )
    assert answer.status_code == 422
    assert "Say in a few words why" in answer.content.decode()


def test_cannot_judge_keeps_the_reason(
    asked: Request, annotator_a: Person, client_of: Clients
) -> None:
    seat = take(annotator_a, asked.project)
    client_of(annotator_a).post(
        f"/p/study/desk/seat/{seat.public_id}/cannot-judge/", {"reason": "not my field"}
    )
    seat.refresh_from_db()
    assert (seat.state, seat.reason) == ("cannot_judge", "not my field")


def test_the_standalone_page_shows_the_contract_and_records_that_it_did(
    contract: Contract, annotator_a: Person, client_of: Clients
) -> None:
    seat = take(annotator_a, contract.request.project, "standalone")
    html = (
        client_of(annotator_a).get(f"/p/study/desk/standalone/{seat.public_id}/").content.decode()
    )
    assert "Harbor Holdings" in html
    entry = contract.request.project.ledger.get(kind="exposed", actor=annotator_a)
    assert entry.content == {"what": "contract"}


def test_the_standalone_page_shows_neither_answers_nor_evidence(
    contract: Contract, annotator_a: Person, client_of: Clients
) -> None:
    seat = take(annotator_a, contract.request.project, "standalone")
    html = (
        client_of(annotator_a).get(f"/p/study/desk/standalone/{seat.public_id}/").content.decode()
    )
    assert "1.2 billion" not in html
    assert "d17" not in html


def test_the_text_of_the_reference_takes_the_focus(
    contract: Contract, annotator_a: Person, client_of: Clients
) -> None:
    seat = take(annotator_a, contract.request.project, "standalone")
    address = f"/p/study/desk/standalone/{seat.public_id}/"
    assert " autofocus" in client_of(annotator_a).get(address).content.decode()


def test_the_reference_in_the_making_is_saved_as_it_was_typed(
    contract: Contract, annotator_a: Person, client_of: Clients
) -> None:
    seat = take(annotator_a, contract.request.project, "standalone")
    client_of(annotator_a).post(
        f"/p/study/desk/standalone/{seat.public_id}/save/", {"text": "one\r\ntwo ", "version": 0}
    )
    seat.refresh_from_db()
    assert seat.draft == {"text": "one\ntwo ", "clarification": False}


def test_a_sealed_reference_is_the_text_of_the_page(
    contract: Contract, annotator_a: Person, client_of: Clients
) -> None:
    seat = take(annotator_a, contract.request.project, "standalone")
    client_of(annotator_a).post(
        f"/p/study/desk/standalone/{seat.public_id}/seal/",
        {"text": "Which one?", "clarification": "on", "version": 0},
    )
    seat.refresh_from_db()
    written = seat.human_rewrites.get()
    assert (written.text, written.clarification) == ("Which one?", True)


ROLES = ("owner", "annotator_a", "adjudicator", "engineer", "stranger")
PAGES = {
    "/p/study/desk/": (403, 200, 403, 403, 404),
    "/p/study/bench/": (403, 403, 200, 403, 404),
    "/p/study/contracts/{contract}/": (200, 403, 200, 200, 404),
    "/p/study/bench/{adjudication}/": (403, 403, 302, 403, 404),
}


@pytest.mark.parametrize("page", PAGES)
def test_each_page_opens_for_its_roles_only(
    page: str, contract: Contract, client_of: Clients, request: pytest.FixtureRequest
) -> None:
    address = page.format(contract=contract.pk, adjudication=contract.adjudication.pk)
    codes = tuple(
        client_of(request.getfixturevalue(role)).get(address).status_code for role in ROLES
    )
    assert codes == PAGES[page]


def test_the_bench_names_no_reviewer(
    opened: object, adjudicator: Person, client_of: Clients
) -> None:
    page = client_of(adjudicator)
    html = page.get("/p/study/bench/").content + page.get(f"/p/study/bench/{opened.pk}/").content
    assert b"annotator-" not in html


def mask(html: bytes) -> str:
    """The page without its tokens, which differ on every request."""
    masked = re.sub(r'(csrfmiddlewaretoken" value=")[^"]+', r"\1", html.decode())
    return re.sub(r'(X-CSRFToken": ")[^"]+', r"\1", masked)


def test_what_the_other_annotator_seals_changes_no_byte_of_my_pages(
    other: Request, seal: Sealer, annotator_a: Person, annotator_b: Person, client_of: Clients
) -> None:
    seat, page = take(annotator_b, other.project), client_of(annotator_b)
    mine = ("/p/study/desk/", f"/p/study/desk/sheet/{seat.public_id}/")
    before = [mask(page.get(address).content) for address in mine]
    seal(annotator_a)
    assert [mask(page.get(address).content) for address in mine] == before


@pytest.mark.parametrize(
    "act", ["", "mark/", "c1/value/", "c1/materiality/", "c1/remove/", "ambiguity/", "seal/"]
)
def test_anothers_seat_does_not_exist_for_me(
    act: str, asked: Request, annotator_a: Person, annotator_b: Person, client_of: Clients
) -> None:
    seat = take(annotator_a, asked.project)
    address = f"/p/study/desk/sheet/{seat.public_id}/{act}"
    page = client_of(annotator_b)
    answer = page.post(address, {"version": 0}) if act else page.get(address)
    assert answer.status_code == 404


def test_anothers_seat_is_not_mine_to_put_aside(
    asked: Request, annotator_a: Person, annotator_b: Person, client_of: Clients
) -> None:
    seat = take(annotator_a, asked.project)
    page = client_of(annotator_b)
    codes = [
        page.post(f"/p/study/desk/seat/{seat.public_id}/{act}/", {"reason": "x"}).status_code
        for act in ("later", "cannot-judge")
    ]
    assert codes == [404, 404]
