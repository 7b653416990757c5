"""Work by a program: the next item, its draft, and what is refused. (What a sheet may hold is
tested with contracts.)
"""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from annotation.models import Person, Project, Seat

Programs = Callable[..., Client]
STUDY = "/api/v1/projects/study/"
JSON = {"content_type": "application/json"}
SHEET = {
    "constraints": [
        {"id": "c1", "kind": "status", "materiality": "minor", "value": {"value": "final"}}
    ]
}


@pytest.fixture
def client(program: Programs, annotator_a: Person, filled: Project) -> Client:
    return program(annotator_a)


@pytest.fixture
def seat(client: Client) -> dict[str, Any]:
    return client.post(STUDY + "work/sheet/next/", **JSON).json()


def at(seat: dict[str, Any], act: str = "") -> str:
    return f"{STUDY}seats/{seat['id']}/{act}"


def save(client: Client, seat: dict[str, Any], version: int, **more: Any) -> Any:
    body = {"version": version, "draft": SHEET}
    return client.put(at(seat, "draft/"), body, **JSON, **more)


def test_the_next_item_brings_its_words_and_nothing_that_scoring_knows(
    seat: dict[str, Any],
) -> None:
    assert seat["request"] == {
        "id": "r1", "class": "fact", "turns": [], "text": "What was the profit?",
        "reference_date": None,
    }  # fmt: skip
    assert (seat["state"], seat["version"], seat["draft"]) == ("held", 0, {})


def test_the_item_at_work_comes_first(client: Client, seat: dict[str, Any]) -> None:
    assert client.post(STUDY + "work/sheet/next/", **JSON).json()["id"] == seat["id"]


def test_when_nothing_is_left_there_is_no_content(client: Client, filled: Project) -> None:
    filled.requests.all().delete()
    answer = client.post(STUDY + "work/sheet/next/", **JSON)
    assert (answer.status_code, answer.content) == (204, b"")


def test_work_that_nobody_knows_is_not_found(client: Client) -> None:
    assert client.post(STUDY + "work/singing/next/", **JSON).status_code == 404


def test_whoever_did_not_agree_is_told_where(client: Client, filled: Project) -> None:
    Project.objects.filter(pk=filled.pk).update(consent_text="May we keep it?")
    answer = client.post(STUDY + "work/sheet/next/", **JSON)
    assert answer.status_code == 422 and "Agree" in answer.json()["detail"]


def test_a_draft_is_saved_and_its_version_told(client: Client, seat: dict[str, Any]) -> None:
    assert save(client, seat, 0).json()["version"] == 1
    told = client.get(at(seat, "draft/")).json()
    assert (told["version"], told["draft"]["constraints"][0]["id"]) == (1, "c1")


def test_a_stale_save_is_a_conflict_with_both_versions(
    client: Client, seat: dict[str, Any]
) -> None:
    save(client, seat, 0)
    body = {"version": 0, "draft": {"ambiguity": {"unresolved": True, "readings": ["a"]}}}
    answer = client.put(at(seat, "draft/"), body, **JSON)
    told = answer.json()
    assert answer.status_code == 409 and told["type"].endswith(":stale-draft")
    assert told["mine"]["draft"]["ambiguity"]["unresolved"] is True
    assert told["theirs"]["version"] == 1 and told["theirs"]["draft"]["constraints"]
    kept = Seat.objects.get(public_id=seat["id"]).revisions.filter(aside=True)
    assert kept.get().draft["ambiguity"]["readings"] == ["a"]


def test_the_key_is_looked_at_before_the_version(client: Client, seat: dict[str, Any]) -> None:
    key = {"headers": {"Idempotency-Key": "one"}}
    answers = [save(client, seat, 0, **key) for _time in range(3)]
    assert [a.status_code for a in answers] == [200, 200, 200]
    assert len({a.content for a in answers}) == 1
    assert Seat.objects.get(public_id=seat["id"]).revisions.count() == 1


def test_a_save_that_was_answered_by_nobody_is_recognised_by_the_draft_itself(
    client: Client, seat: dict[str, Any]
) -> None:
    from annotation.models import IdempotentReply

    key = {"headers": {"Idempotency-Key": "one"}}
    save(client, seat, 0, **key)
    IdempotentReply.objects.all().delete()  # the server died before it kept its answer
    assert save(client, seat, 0, **key).json()["version"] == 1


def test_undo_and_redo_lead_through_the_drafts(client: Client, seat: dict[str, Any]) -> None:
    save(client, seat, 0)
    undone = client.post(at(seat, "undo/"), {"version": 1}, **JSON).json()
    assert (undone["version"], undone["draft"]) == (2, {})
    redone = client.post(at(seat, "redo/"), {"version": 2}, **JSON).json()
    assert redone["draft"]["constraints"][0]["id"] == "c1"
    nothing = client.post(at(seat, "redo/"), {"version": 3}, **JSON)
    assert nothing.status_code == 422


def test_later_and_again(client: Client, seat: dict[str, Any]) -> None:
    assert client.post(at(seat, "later/"), **JSON).json()["state"] == "returned"
    assert client.post(at(seat, "again/"), **JSON).json()["state"] == "held"


def test_a_draft_is_kept_although_its_seat_went_back(client: Client, seat: dict[str, Any]) -> None:
    client.post(at(seat, "later/"), **JSON)
    assert save(client, seat, 0).status_code == 200
    assert client.get(at(seat)).json()["state"] == "held"


def test_cannot_judge_wants_a_reason(client: Client, seat: dict[str, Any]) -> None:
    for reason in ("", " "):
        answer = client.post(at(seat, "cannot-judge/"), {"reason": reason}, **JSON)
        assert answer.status_code in (400, 422)
    told = client.post(at(seat, "cannot-judge/"), {"reason": "not my field"}, **JSON).json()
    assert (told["state"], told["reason"]) == ("cannot_judge", "not my field")


def test_my_seats_are_listed_by_kind_and_state(client: Client, seat: dict[str, Any]) -> None:
    for query, count in (("", 1), ("?state=held", 1), ("?state=submitted", 0), ("?kind=x", 0)):
        assert len(client.get(STUDY + "seats/" + query).json()["results"]) == count
    assert client.get(STUDY + "seats/?state=gone").status_code == 400


ACTS = ["", "draft/"]
POSTS = {
    "undo/": {"version": 0}, "redo/": {"version": 0}, "seal/": {"version": 0}, "later/": {},
    "again/": {}, "retract/": {}, "cannot-judge/": {"reason": "x"},
}  # fmt: skip


def test_anothers_seat_reads_like_one_that_does_not_exist(
    client: Client, seat: dict[str, Any], program: Programs, annotator_b: Person
) -> None:
    other = program(annotator_b)
    unused = {"id": str(uuid4())}
    for act in ACTS:
        foreign, none = other.get(at(seat, act)), other.get(at(unused, act))
        assert (foreign.status_code, foreign.content) == (404, none.content)
    for act, body in POSTS.items():
        foreign = other.post(at(seat, act), body, **JSON)
        none = other.post(at(unused, act), body, **JSON)
        assert (foreign.status_code, foreign.content) == (404, none.content)
    assert save(other, seat, 0).status_code == 404
    assert Seat.objects.get(public_id=seat["id"]).draft_version == 0


def test_a_seat_of_another_project_is_not_found_under_mine(
    client: Client, seat: dict[str, Any], annotator_a: Person
) -> None:
    from annotation.services.projects import create_project

    create_project(actor=annotator_a, slug="mine", name="Mine")
    Project.objects.get(slug="mine").memberships.get().roles.create(name="annotator")
    there = f"/api/v1/projects/mine/seats/{seat['id']}/"
    assert client.get(there).status_code == 404


def test_metadata_of_an_import_never_reaches_an_annotator(
    filled: Project, take_in: Any, client: Client, annotator_a: Person
) -> None:
    row = {"id": "g", "class": "x", "text": "Why?", "gold": "SECRET", "rewrite": "SECRET"}
    take_in("requests", [row])
    for _item in range(3):
        seat = client.post(STUDY + "work/sheet/next/", **JSON).json()
        assert "SECRET" not in str(seat)
        client.post(at(seat, "later/"), **JSON)
