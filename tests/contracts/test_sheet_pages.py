import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client

from annotation.models import Person, Project, Request, Seat
from contracts.models import Sheet
from contracts.services.sheets import drafted
from contracts.views.shown import element_of
from tests.contracts.conftest import BEFORE, make_request, marked, take

HTMX = {"HX-Request": "true"}
MARK = {"kind": "time", "turn": 2, "start": 15, "end": 26, "words": "before 2021"}


@pytest.fixture
def seat(asked: Request, annotator_a: Person) -> Seat:
    return take(annotator_a, asked.project)


@pytest.fixture
def page(seat: Seat, annotator_a: Person, client_of: Callable[[Person], Client]) -> Client:
    return client_of(annotator_a)


def _at(seat: Seat, act: str = "") -> str:
    return f"/p/study/desk/sheet/{seat.public_id}/{act}"


def test_each_turn_holds_exactly_its_stored_text(page: Client, seat: Seat) -> None:
    html = page.get(_at(seat)).content.decode()
    assert (
        'data-turn="2" tabindex="0">And its parent before 2021, excluding one-off items?</div>'
        in html
    )


def test_a_carriage_return_of_the_text_survives_the_browsers_parser(
    project: Project, annotator_a: Person, client_of: Callable[[Person], Client]
) -> None:
    make_request(project, "r1", "one\r\ntwo & three")
    seat = take(annotator_a, project)
    html = client_of(annotator_a).get(_at(seat)).content.decode()
    assert ">one&#13;\ntwo &amp; three</div>" in html


def test_words_that_look_like_markup_are_shown_as_text(
    project: Project, annotator_a: Person, client_of: Callable[[Person], Client]
) -> None:
    make_request(project, "r1", "<img src=x onerror=alert(1)>")
    seat = take(annotator_a, project)
    assert "<img" not in client_of(annotator_a).get(_at(seat)).content.decode()


def test_a_mark_by_htmx_answers_with_the_work_and_its_numbered_mark(
    page: Client, seat: Seat
) -> None:
    answer = page.post(_at(seat, "mark/"), MARK | {"version": 0}, headers=HTMX)
    assert (
        '<mark data-kind="time" data-rows="1">before 2021<sup>1</sup></mark>'
        in answer.content.decode()
    )


def test_a_mark_by_a_plain_post_goes_back_to_the_sheet(page: Client, seat: Seat) -> None:
    answer = page.post(_at(seat, "mark/"), MARK | {"version": 0})
    assert (answer.status_code, answer["Location"]) == (302, _at(seat))


def test_the_new_row_is_open_and_takes_the_focus(page: Client, seat: Seat) -> None:
    html = page.post(_at(seat, "mark/"), MARK | {"version": 0}, headers=HTMX).content.decode()
    assert 'data-key="c1" open' in html
    assert "data-fresh" in html


def test_a_saved_value_answers_only_with_what_changed(page: Client, seat: Seat) -> None:
    seat = marked(seat, BEFORE)
    html = page.post(
        _at(seat, "c2/value/"),
        {"relation": "until", "end": "2021", "calendar": "calendar", "version": seat.draft_version},
        headers=HTMX,
    ).content.decode()
    assert "until 2021" in html
    assert "<input" not in html


def test_every_save_tells_the_page_the_new_version_and_its_steps(page: Client, seat: Seat) -> None:
    answer = page.post(_at(seat, "mark/"), MARK | {"version": 0}, headers=HTMX)
    told = {"version": 1, "undo": True, "redo": False, "at": ""}
    assert json.loads(answer["HX-Trigger"]) == {"draft-saved": told}


def test_a_number_that_is_none_is_not_saved_and_says_so(page: Client, seat: Seat) -> None:
    seat = marked(seat, [("quantity", "2021", {"operator": "=", "value": 2021.0})])
    sent = {"operator": "=", "value": "12 e", "version": seat.draft_version}
    answer = page.post(_at(seat, "c1/value/"), sent, headers=HTMX)
    assert answer.status_code == 422
    html = answer.content.decode()
    assert html.count("Value: write a number such as 4.1") == 1
    assert ">not saved</span>" in html


def test_lists_are_one_phrase_a_line_and_keep_their_commas(page: Client, seat: Seat) -> None:
    seat = marked(seat, BEFORE)
    sent = {"name": "Acme", "aliases": "Acme, Inc.\r\n\r\nAcme plc", "version": seat.draft_version}
    page.post(_at(seat, "c1/value/"), sent, headers=HTMX)
    seat.refresh_from_db()
    assert drafted(seat).constraints[0].value["aliases"] == ["Acme, Inc.", "Acme plc"]


def test_a_stale_page_gets_409_and_writes_nothing(page: Client, seat: Seat) -> None:
    seat = marked(seat, BEFORE)
    answer = page.post(_at(seat, "c1/remove/"), {"version": 0}, headers=HTMX)
    seat.refresh_from_db()
    assert (answer.status_code, len(drafted(seat).constraints)) == (409, 2)
    assert "changed in two places" in answer.content.decode()
    assert answer["HX-Retarget"] == "#conflict"


def test_materiality_turns_and_turns_back(page: Client, seat: Seat) -> None:
    seat = marked(seat, BEFORE)
    page.post(_at(seat, "c1/materiality/"), {"version": seat.draft_version}, headers=HTMX)
    seat.refresh_from_db()
    assert [c.materiality for c in drafted(seat).constraints] == ["minor", "critical"]


def test_readings_are_kept_one_a_line(page: Client, seat: Seat) -> None:
    sent = {"unresolved": "on", "readings": "the parent\r\nthe holding", "version": 0}
    page.post(_at(seat, "ambiguity/"), sent, headers=HTMX)
    seat.refresh_from_db()
    assert drafted(seat).ambiguity.readings == ("the parent", "the holding")


def test_sealing_goes_straight_to_the_next_item(
    page: Client, seat: Seat, other: Request, annotator_a: Person
) -> None:
    seat = marked(seat, BEFORE)
    answer = page.post(_at(seat, "seal/"), {"version": seat.draft_version}, headers=HTMX)
    following = Seat.objects.get(request=other, holder=annotator_a)
    assert answer["HX-Redirect"] == _at(following)


def test_a_double_click_on_seal_gives_one_sheet(page: Client, seat: Seat) -> None:
    seat = marked(seat, BEFORE)
    sent = {"version": seat.draft_version}
    codes = [page.post(_at(seat, "seal/"), sent).status_code for _again in range(2)]
    assert (codes, Sheet.objects.count()) == ([302, 302], 1)


def test_the_faults_of_a_sheet_are_sentences_beside_the_work(page: Client, seat: Seat) -> None:
    answer = page.post(_at(seat, "seal/"), {"version": 0}, headers=HTMX)
    assert answer.status_code == 422
    assert "there is no constraint" in answer.content.decode()


def test_a_refused_seal_names_the_row_and_the_label_and_says_it_once(
    page: Client, seat: Seat
) -> None:
    seat = marked(seat, [BEFORE[0], ("time", "before 2021", {"relation": "on"})])
    page.post(_at(seat, "c1/materiality/"), {"version": seat.draft_version})
    sent = {"version": seat.draft_version + 1}
    html = page.post(_at(seat, "seal/"), sent, headers=HTMX).content.decode()
    fault = '<li data-row="c2" data-field="start">Row 2, Start: missing; “on” needs it.</li>'
    assert html.count("<li") == html.count(fault) == 1
    assert ">not sealed</span>" in html


def test_a_wrong_date_of_one_day_is_one_fault(page: Client, seat: Seat) -> None:
    seat = marked(seat, [("time", "before 2021", {"relation": "on", "start": "30.06.2022"})])
    html = page.post(
        _at(seat, "seal/"), {"version": seat.draft_version}, headers=HTMX
    ).content.decode()
    assert "Row 1, Start: “30.06.2022”; give a date" in html
    assert html.count("<li") == 1


def test_a_fault_that_names_a_second_field_uses_its_label(page: Client, seat: Seat) -> None:
    value = {"relation": "between", "start": "2021", "end": "2020"}
    seat = marked(seat, [("time", "before 2021", value)])
    html = page.get(_at(seat)).content.decode()
    assert "End: (2020) lies before “Start” (2021); swap them." in html


@pytest.mark.parametrize("name", ["it", "Its", "they", "this", "the former"])
def test_a_referent_named_by_a_pronoun_is_not_sealed(page: Client, seat: Seat, name: str) -> None:
    seat = marked(seat, [("referent", "its", {"name": name})])
    sent = {"version": seat.draft_version}
    html = page.post(_at(seat, "seal/"), sent, headers=HTMX).content.decode()
    assert f"Row 1, Name: “{name}”; name what it stands for" in html


def test_a_pronoun_that_nobody_can_tell_is_sealed(page: Client, seat: Seat) -> None:
    seat = marked(seat, [("referent", "its", {"name": "its", "unresolved": True})])
    page.post(_at(seat, "seal/"), {"version": seat.draft_version})
    assert Sheet.objects.get().terms.constraints[0].value["name"] == "its"


def test_readings_survive_that_the_mark_is_taken_back(page: Client, seat: Seat) -> None:
    page.post(_at(seat, "ambiguity/"), {"readings": "the parent\r\nthe holding", "version": 0})
    assert "the parent\nthe holding</textarea>" in page.get(_at(seat)).content.decode()


def test_a_sealed_sheet_has_readings_only_with_their_mark(page: Client, seat: Seat) -> None:
    seat = marked(seat, BEFORE)
    sent = {"readings": "the parent", "version": seat.draft_version}
    page.post(_at(seat, "ambiguity/"), sent)
    page.post(_at(seat, "seal/"), {"version": seat.draft_version + 1})
    assert Sheet.objects.get().terms.ambiguity.readings == ()


@pytest.mark.parametrize("words", ["30.06.2022", "1.2.3", "²"])
def test_digits_that_are_no_number_can_be_marked_as_a_quantity(
    project: Project, annotator_a: Person, client_of: Callable[[Person], Client], words: str
) -> None:
    make_request(project, "r9", words)
    seat = take(annotator_a, project)
    sent = {"kind": "quantity", "turn": 0, "start": 0, "end": len(words), "version": 0}
    answer = client_of(annotator_a).post(_at(seat, "mark/"), sent, headers=HTMX)
    seat.refresh_from_db()
    assert answer.status_code == 200
    assert "value" not in drafted(seat).constraints[0].value


def test_sealing_again_says_nothing_a_second_time(page: Client, seat: Seat) -> None:
    seat = marked(seat, BEFORE)
    for _again in range(2):
        page.post(_at(seat, "seal/"), {"version": seat.draft_version}, headers=HTMX)
    assert page.get("/p/study/desk/").content.decode().count("Sealed r1") == 1


def test_a_sheet_put_aside_offers_to_take_it_up_again(page: Client, seat: Seat) -> None:
    seat = marked(seat, BEFORE)
    page.post(f"/p/study/desk/seat/{seat.public_id}/later/")
    assert "Take it up again" in page.get(_at(seat)).content.decode()
    answer = page.post(f"/p/study/desk/seat/{seat.public_id}/again/")
    seat.refresh_from_db()
    assert (answer["Location"], seat.state) == (_at(seat), "held")
    assert len(drafted(seat).constraints) == 2


def test_one_item_is_at_work_at_a_time(
    page: Client, seat: Seat, other: Request, annotator_a: Person
) -> None:
    page.post(f"/p/study/desk/seat/{seat.public_id}/later/")  # goes on with the other one
    address = f"/p/study/desk/seat/{seat.public_id}/again/"
    answer = page.post(address, follow=True)
    seat.refresh_from_db()
    assert "You are at work on r2: put it aside first." in answer.content.decode()
    assert seat.state == "returned"


def test_a_sealed_sheet_is_not_taken_up_again(page: Client, seat: Seat) -> None:
    seat = marked(seat, BEFORE)
    page.post(_at(seat, "seal/"), {"version": seat.draft_version})
    page.post(f"/p/study/desk/seat/{seat.public_id}/again/")
    seat.refresh_from_db()
    assert seat.state == "submitted"


def test_a_sealed_sheet_is_shown_to_read(page: Client, seat: Seat) -> None:
    seat = marked(seat, BEFORE)
    page.post(_at(seat, "seal/"), {"version": seat.draft_version})
    html = page.get(_at(seat)).content.decode()
    assert "You sealed this sheet" in html
    assert "data-mark" not in html


def test_a_seat_of_another_kind_of_work_is_no_sheet(page: Client, seat: Seat) -> None:
    Seat.objects.update(kind="standalone")
    assert page.get(_at(seat)).status_code == 404


def test_a_mark_asks_the_database_a_dozen_times_at_most(
    page: Client, seat: Seat, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    page.get(_at(seat))
    headers = HTMX | {"Idempotency-Key": str(uuid4())}
    with django_assert_max_num_queries(12 + 2):  # and the two borders of its transaction
        page.post(_at(seat, "mark/"), MARK | {"version": 0, "active": "3"}, headers=headers)


def _keyed(page: Client, seat: Seat, act: str, key: str, **sent: object) -> HttpResponse:
    headers = HTMX | {"Idempotency-Key": key}
    return page.post(_at(seat, act), sent, headers=headers)


def test_a_repeated_save_answers_with_the_present_state(page: Client, seat: Seat) -> None:
    key = str(uuid4())
    answers = [_keyed(page, seat, "mark/", key, version=0, **MARK) for _again in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[1].content.decode().count('class="row"') == 1
    assert seat.revisions.count() == 1


def test_the_same_key_with_another_body_is_refused(page: Client, seat: Seat) -> None:
    key = str(uuid4())
    _keyed(page, seat, "mark/", key, version=0, **MARK)
    answer = _keyed(page, seat, "mark/", key, version=1, **MARK | {"kind": "referent"})
    assert answer.status_code == 422
    assert "This key was used for another change" in answer.content.decode()


def test_a_repeated_save_shows_the_whole_work_when_more_was_saved_since(
    page: Client, seat: Seat
) -> None:
    seat, key = marked(seat, BEFORE), str(uuid4())
    sent = {"version": seat.draft_version, "name": "Acme"}
    _keyed(page, seat, "c1/value/", key, **sent)
    page.post(_at(seat, "c2/materiality/"), {"version": seat.draft_version + 1})
    answer = _keyed(page, seat, "c1/value/", key, **sent)
    assert (answer.status_code, answer["HX-Retarget"]) == (200, "#work")
    assert 'value="Acme"' in answer.content.decode()


def test_undo_says_where_the_change_was(page: Client, seat: Seat) -> None:
    seat = marked(seat, [BEFORE[0], ("time", "before 2021", {"relation": "before", "end": "2020"})])
    address = f"/p/study/desk/seat/{seat.public_id}/undo/"
    answer = page.post(address, {"version": seat.draft_version}, headers=HTMX)
    assert json.loads(answer["HX-Trigger"])["draft-saved"]["at"] == "c2-end"


def test_undo_by_a_plain_post_goes_back_to_the_sheet(page: Client, seat: Seat) -> None:
    seat = marked(seat, BEFORE)
    address = f"/p/study/desk/seat/{seat.public_id}/undo/"
    answer = page.post(address, {"version": seat.draft_version})
    assert (answer.status_code, answer["Location"]) == (302, _at(seat))


def test_the_other_version_of_a_conflict_is_fetched_as_the_whole_work(
    page: Client, seat: Seat
) -> None:
    seat = marked(seat, BEFORE)
    address = f"/p/study/desk/seat/{seat.public_id}/work/"
    answer = page.get(address, headers=HTMX)
    told = json.loads(answer["HX-Trigger"])["draft-saved"]
    assert (told["version"], told["at"]) == (seat.draft_version, "")
    assert page.get(address)["Location"] == _at(seat)


def test_a_change_in_the_draft_has_its_element_on_the_page(page: Client, seat: Seat) -> None:
    seat = marked(seat, BEFORE)
    html = page.get(_at(seat)).content.decode()
    for path in (
        ("ambiguity", "unresolved"),
        ("ambiguity", "readings"),
        ("constraints", "c1"),
        ("constraints", "c1", "materiality"),
        ("constraints", "c1", "value", "name"),
        ("constraints", "c2", "admissible"),
    ):
        assert f'id="{element_of(path)}"' in html
