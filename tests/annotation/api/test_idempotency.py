"""The header Idempotency-Key: one deed, one answer."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from annotation.models import IdempotentReply, Person, Project

Programs = Callable[..., Client]
STUDY = "/api/v1/projects/study/"
MEMBER = STUDY + "people/engineer/"
KEY = {"Idempotency-Key": "4f1c"}


@pytest.fixture
def client(program: Programs, owner: Person, project: Project) -> Client:
    return program(owner)


def put(client: Client, roles: list[str], headers: dict[str, str] = KEY) -> Any:
    return client.put(MEMBER, {"roles": roles}, "application/json", headers=headers)


def test_the_same_request_gets_the_same_answer_and_is_done_once(
    client: Client, project: Project
) -> None:
    first, entries = put(client, ["owner"]), project.ledger.count()
    second = put(client, ["owner"])
    assert (first.status_code, first.content) == (second.status_code, second.content)
    assert second["Idempotent-Replayed"] == "true"
    assert project.ledger.count() == entries


def test_the_key_is_looked_up_before_anything_else(client: Client) -> None:
    there = STUDY + "people/annotator-b/"
    assert client.delete(there, headers=KEY).status_code == 204
    assert client.delete(there, headers=KEY).status_code == 204
    assert client.delete(there, headers={"Idempotency-Key": "another"}).status_code == 404


def test_the_order_of_the_fields_makes_no_other_request(client: Client) -> None:
    there, kind = STUDY + "people/owner/", "application/json"
    first = client.put(there, '{"a": 1, "b": 2}', kind, headers=KEY)
    assert first.content == client.put(there, '{"b": 2, "a": 1}', kind, headers=KEY).content


def test_a_refusal_is_repeated_as_a_refusal(client: Client) -> None:
    first, second = put(client, ["root"]), put(client, ["root"])
    assert first.status_code == second.status_code == 400
    assert second["Content-Type"] == "application/problem+json"
    assert first.content == second.content


@pytest.mark.parametrize("other", ["body", "address", "verb"])
def test_the_same_key_for_something_else_is_refused(client: Client, other: str) -> None:
    put(client, ["owner"])
    answer = {
        "body": lambda: put(client, ["engineer"]),
        "address": lambda: client.put(
            STUDY + "people/annotator-a/", {"roles": ["owner"]}, "application/json", headers=KEY
        ),
        "verb": lambda: client.delete(MEMBER, headers=KEY),
    }[other]()
    assert answer.status_code == 422 and answer.json()["type"].endswith(":key-reused")


def test_two_people_may_use_the_same_key(
    client: Client, program: Programs, engineer: Person
) -> None:
    put(client, ["engineer"])
    assert put(program(engineer), ["owner"]).status_code == 403


def test_while_the_first_is_at_work_the_second_is_told_to_wait(
    client: Client, owner: Person
) -> None:
    put(client, ["owner"])
    IdempotentReply.objects.update(status=None, body=None)
    answer = put(client, ["owner"])
    assert (answer.status_code, answer["Retry-After"]) == (409, "1")
    assert answer.json()["type"].endswith(":still-at-work")


def test_a_first_request_that_died_is_followed(client: Client) -> None:
    put(client, ["owner"])
    long_ago = timezone.now() - timedelta(minutes=11)
    IdempotentReply.objects.update(status=None, body=None, created_at=long_ago)
    assert put(client, ["owner"]).status_code == 200


def test_after_a_day_a_key_is_new_again(client: Client) -> None:
    put(client, ["owner"])
    IdempotentReply.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert put(client, ["engineer"]).status_code == 200
    assert IdempotentReply.objects.count() == 1


def test_a_fault_of_ours_may_be_tried_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.raise_request_exception = False
    with monkeypatch.context() as broken:
        broken.setattr("annotation.api.operations._done", lambda *rest: 1 / 0)
        assert put(client, ["owner"]).status_code == 500
    assert put(client, ["owner"]).status_code == 200


@pytest.mark.parametrize("key", ["x" * 201, "a\tb"])
def test_a_key_that_cannot_be_kept_is_refused(client: Client, key: str) -> None:
    answer = put(client, ["owner"], {"Idempotency-Key": key})
    assert answer.status_code == 400 and answer.json()["type"].endswith(":bad-key")


def test_a_file_counts_by_its_content(client: Client, filled: Project) -> None:
    def send(text: bytes) -> Any:
        file = SimpleUploadedFile("requests.jsonl", text)
        return client.post(STUDY + "imports/", {"kind": "requests", "file": file}, headers=KEY)

    row = b'{"id": "n", "class": "x", "text": "Why?"}'
    first, second = send(row), send(row)
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert send(row.replace(b"Why", b"Who")).status_code == 422


def test_reading_needs_no_key_and_keeps_none(client: Client) -> None:
    client.get(STUDY, headers=KEY)
    assert not IdempotentReply.objects.exists()


def test_a_key_keeps_no_secret_of_the_token(client: Client) -> None:
    put(client, ["owner"])
    row = IdempotentReply.objects.get()
    assert "intact_" not in json.dumps([row.fingerprint, row.body, row.key])
