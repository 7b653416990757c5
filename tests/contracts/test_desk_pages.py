import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import Need, Person, Project, Request, Seat
from annotation.services import seats
from annotation.services.projects import set_member
from contracts.models import Contract
from tests.contracts.conftest import BEFORE, Sealer, marked, take

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


def test_the_first_button_of_the_desk_starts_work_at_once(
    asked: Request, annotator_a: Person, client_of: Clients
) -> None:
    page = client_of(annotator_a)
    html = page.get("/p/study/desk/").content.decode()
    assert html.count("autofocus") == 1
    assert 'action="/p/study/desk/next/"' in html
    answer = page.post("/p/study/desk/next/")
    assert answer["Location"] == f"/p/study/desk/sheet/{Seat.objects.get().public_id}/"


def test_the_first_button_goes_on_with_the_item_at_hand(
    other: Request, annotator_a: Person, client_of: Clients
) -> None:
    seat, page = take(annotator_a, other.project), client_of(annotator_a)
    assert "Go on with r1" in page.get("/p/study/desk/").content.decode()
    answer = page.post("/p/study/desk/next/")
    assert answer["Location"] == f"/p/study/desk/sheet/{seat.public_id}/"


def test_the_first_button_goes_to_the_next_kind_when_one_has_nothing_left(
    contract: Contract, annotator_a: Person, client_of: Clients
) -> None:
    answer = client_of(annotator_a).post("/p/study/desk/next/")
    seat = Seat.objects.get(holder=annotator_a, state="held")
    assert answer["Location"] == f"/p/study/desk/standalone/{seat.public_id}/"


def test_reloading_in_the_midst_of_an_item_gives_the_same_item_and_draft(
    other: Request, annotator_a: Person, client_of: Clients
) -> None:
    seat, page = marked(take(annotator_a, other.project), BEFORE[:1]), client_of(annotator_a)
    for _time in range(5):
        answer = page.post("/p/study/desk/next/", follow=True)
        assert answer.redirect_chain[-1][0] == f"/p/study/desk/sheet/{seat.public_id}/"
        assert "Harbor Holdings" in answer.content.decode()
    assert Seat.objects.filter(holder=annotator_a).count() == 1


def test_the_desk_counts_what_i_sealed_and_gave_up_of_what_is_wanted(
    other: Request, seal: Sealer, annotator_a: Person, client_of: Clients
) -> None:
    seal(annotator_a)
    seats.cannot_judge(actor=annotator_a, seat=take(annotator_a, other.project), reason="unclear")
    html = client_of(annotator_a).get("/p/study/desk/").content.decode()
    assert "1 sealed, 1 given up of 2 wanted here" in " ".join(html.split())


def test_the_desk_lists_what_i_put_aside_and_takes_it_up_again(
    other: Request, annotator_a: Person, client_of: Clients
) -> None:
    seat, page = take(annotator_a, other.project), client_of(annotator_a)
    seats.give_back(actor=annotator_a, seat=seat)
    address = f"/p/study/desk/seat/{seat.public_id}/again/"
    assert address in page.get("/p/study/desk/").content.decode()
    assert page.post(address)["Location"] == f"/p/study/desk/sheet/{seat.public_id}/"
    assert address not in page.get("/p/study/desk/").content.decode()


def test_a_kind_that_nobody_wants_is_not_on_the_desk(
    asked: Request, annotator_a: Person, client_of: Clients
) -> None:
    page = client_of(annotator_a)
    assert "Standalone reference" in page.get("/p/study/desk/").content.decode()
    Need.objects.create(project=asked.project, kind="standalone", request=asked, seats=0)
    assert "Standalone reference" not in page.get("/p/study/desk/").content.decode()


def test_a_desk_without_work_says_what_it_is_for(
    project: Project, annotator_a: Person, client_of: Clients
) -> None:
    html = client_of(annotator_a).get("/p/study/desk/").content.decode()
    assert "This page hands out work" in html and "desk/next" not in html


def seal_on_page(page: Client, seat: Seat) -> str:
    """Seal the marked sheet as the page does; the page that comes next."""
    seat = marked(seat, BEFORE)
    address = f"/p/study/desk/sheet/{seat.public_id}/seal/"
    answer = page.post(address, {"version": seat.draft_version}, follow=True)
    return answer.content.decode()


def test_after_sealing_the_message_offers_to_retract(
    asked: Request, annotator_a: Person, client_of: Clients
) -> None:
    seat, page = take(annotator_a, asked.project), client_of(annotator_a)
    html = seal_on_page(page, seat)
    said = html[html.index('class="messages"') : html.index("</ul>")]
    address = f"/p/study/desk/seat/{seat.public_id}/retract/"
    assert f'action="{address}"' in said and "Sealed r1." in said
    assert page.post(address)["Location"] == f"/p/study/desk/sheet/{seat.public_id}/"
    seat.refresh_from_db()
    assert (seat.state, seat.draft["constraints"][0]["value"]["name"]) == (
        "held",
        "Harbor Holdings",
    )


def test_the_desk_lists_what_was_sealed_in_the_last_ten_minutes(
    asked: Request, seal: Sealer, annotator_a: Person, client_of: Clients
) -> None:
    sheet, page = seal(annotator_a), client_of(annotator_a)
    address = f"/p/study/desk/seat/{sheet.seat.public_id}/retract/"
    assert address in page.get("/p/study/desk/").content.decode()
    before = timezone.now() - timedelta(minutes=11)
    Seat.objects.filter(pk=sheet.seat_id).update(sealed_at=before)
    assert address not in page.get("/p/study/desk/").content.decode()
    page.post(address)
    assert Seat.objects.get(pk=sheet.seat_id).state == "submitted"


def test_what_an_adjudicator_opened_is_not_retracted(
    opened: object, annotator_a: Person, client_of: Clients
) -> None:
    seat, page = Seat.objects.get(holder=annotator_a), client_of(annotator_a)
    assert seat.read_at is not None
    answer = page.post(f"/p/study/desk/seat/{seat.public_id}/retract/", follow=True)
    seat.refresh_from_db()
    assert seat.state == "submitted"
    assert "It can no longer be retracted" in answer.content.decode()


def test_that_it_was_read_does_not_show_on_the_desk_of_its_writer(
    opened: object, annotator_a: Person, client_of: Clients
) -> None:
    seat, page = Seat.objects.get(holder=annotator_a), client_of(annotator_a)
    read = page.get("/p/study/desk/").content
    Seat.objects.filter(pk=seat.pk).update(read_at=None)
    assert mask(page.get("/p/study/desk/").content) == mask(read)


def test_the_desk_shows_the_same_whatever_others_sealed(
    other: Request,
    seal: Sealer,
    annotator_a: Person,
    annotator_b: Person,
    owner: Person,
    engineer: Person,
    client_of: Clients,
) -> None:
    set_member(actor=owner, project=other.project, person=engineer, roles=["annotator"])
    page = client_of(engineer)
    before = mask(page.get("/p/study/desk/").content)
    seal(annotator_a)
    seal(annotator_b)
    assert mask(page.get("/p/study/desk/").content) == before


def test_a_late_seal_of_the_old_owner_is_a_conflict_and_loses_nothing(
    asked: Request, annotator_a: Person, annotator_b: Person, client_of: Clients
) -> None:
    Need.objects.create(project=asked.project, kind="sheet", request=asked, seats=1)
    seat = marked(take(annotator_a, asked.project), BEFORE)
    Seat.objects.filter(pk=seat.pk).update(leased_until=timezone.now() - timedelta(minutes=1))
    take(annotator_b, asked.project)
    answer = client_of(annotator_a).post(
        f"/p/study/desk/sheet/{seat.public_id}/seal/",
        {"version": seat.draft_version},
        headers={"HX-Request": "true"},
    )
    assert answer.status_code == 409
    assert "no longer yours to seal" in answer.content.decode()
    seat.refresh_from_db()
    assert (seat.state, len(seat.draft["constraints"])) == ("returned", 2)


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
    assert not re.search(r"\bd17\b", html)  # an id of random letters may hold it


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
    assert seat.draft == {"text": "one\ntwo ", "clarification": False, "meant": []}


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
