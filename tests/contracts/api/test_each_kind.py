"""Each kind of work by a program alone, from its first item to a sealed one, with what its page
shows and what that costs.
"""

from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from annotation.models import HumanRewrite, Person, Project, Request, Revision, Seat
from annotation.services import consent, paraphrases
from annotation.services.exposure import exposures
from contracts.models import Contract, Gold, PracticeSheet, Sheet
from tests.annotation.api.conftest import Programs
from tests.contracts.conftest import TEXT, TURNS, make_request, take
from tests.contracts.test_training import KNOWN, gold

STUDY = "/api/v1/projects/study/"
JSON = {"content_type": "application/json"}
BEFORE = KNOWN["constraints"]
ANSWER = "EUR 1.2 billion"


@dataclass
class Worker:
    """A program at one seat; `said` is the last thing that it was told."""

    client: Client
    said: dict[str, Any]

    @property
    def there(self) -> str:
        return f"{STUDY}seats/{self.said['id']}/"

    def draft(self, draft: dict[str, Any], version: int = 0) -> Any:
        body = {"version": version, "draft": draft}
        return self.client.put(self.there + "draft/", body, **JSON)

    def does(self, act: str, **body: Any) -> dict[str, Any]:
        answer = self.client.post(f"{self.there}{act}/", body, **JSON)
        assert answer.status_code == 200, answer.content
        self.said = answer.json()
        return self.said

    def reads(self) -> dict[str, Any]:
        return self.client.get(self.there).json()


def begun(client: Client, kind: str) -> Worker:
    answer = client.post(f"{STUDY}work/{kind}/next/", **JSON)
    assert answer.status_code == 200, answer.content
    return Worker(client, answer.json())


@pytest.fixture
def wanted(project: Project) -> Project:
    """The study with one request that wants two paraphrases."""
    make_request(project, "r1", TEXT, TURNS)
    project.paraphrases_per_request = 2
    project.save()
    return project


@pytest.fixture
def client(project: Project, program: Programs, annotator_a: Person) -> Client:
    return program(annotator_a)


def test_a_sheet_from_take_to_sealed(asked: Request, client: Client) -> None:
    work = begun(client, "sheet")
    work.draft({"constraints": BEFORE[:1]})
    work.draft({"constraints": BEFORE}, 1)
    undone = client.post(work.there + "undo/", {"version": 2}, **JSON).json()
    assert len(undone["draft"]["constraints"]) == 1
    client.post(work.there + "redo/", {"version": 3}, **JSON)
    work.does("later")
    work.does("again")
    assert (work.reads()["answers"], work.reads()["outcome"]) == (None, None)
    assert work.does("seal", version=4)["state"] == "submitted"
    assert work.does("retract")["state"] == "held"
    work.does("seal", version=4)
    assert Sheet.objects.standing().get().constraints.count() == 2


def test_a_reference_from_take_to_sealed(contract: Contract, client: Client) -> None:
    work = begun(client, "standalone")
    assert client.get(STUDY + "contracts/r1/").json()["constraints"]
    draft = {"text": "What did Harbor Holdings report before 2021?", "clarification": False}
    work.draft(draft)
    work.does("later")
    work.does("again")
    work.does("seal", version=1)
    work.does("retract")
    assert work.does("seal", version=1)["answers"] is None
    assert HumanRewrite.objects.standing().get().text == draft["text"]


def test_a_paraphrase_from_take_to_sealed(wanted: Project, client: Client) -> None:
    work = begun(client, "paraphrase")
    assert work.said["answers"] == [ANSWER]
    work.draft({"text": "what then"})
    work.draft({"text": TEXT}, 1)
    client.post(work.there + "undo/", {"version": 2}, **JSON)
    client.post(work.there + "redo/", {"version": 3}, **JSON)
    assert work.does("later")["answers"] is None
    assert work.does("again")["answers"] == [ANSWER]
    warned = client.post(work.there + "seal/", {"version": 4}, **JSON)
    meant = sorted({error["code"] for error in warned.json()["errors"]})
    assert warned.status_code == 422 and meant
    work.draft({"text": TEXT, "meant": meant}, 4)
    assert work.does("seal", version=5)["answers"] is None
    assert work.does("retract")["answers"] == [ANSWER]
    work.does("seal", version=5)
    assert HumanRewrite.objects.standing().get().text == TEXT


def test_a_practice_item_from_take_to_passed(asked: Request, owner: Person, client: Client) -> None:
    gold(asked, owner, Gold.Use.PRACTICE)
    work = begun(client, "qualification")
    assert work.said["outcome"] is None
    work.draft({"constraints": BEFORE[:1]})
    outcome = work.does("seal", version=1)["outcome"]
    assert (outcome["found"], outcome["wanted"], outcome["passed"]) == (1, 2, False)
    assert len(outcome["known"]["constraints"]) == 2 and "ends with 2020" in outcome["explanation"]
    assert work.does("again")["outcome"] is None
    work.draft({"constraints": BEFORE}, 1)
    assert work.does("seal", version=2)["outcome"]["passed"] is True
    assert PracticeSheet.objects.get().found == 2


@pytest.mark.parametrize("kind", ["sheet", "paraphrase"])
def test_an_item_is_given_up_with_a_reason(kind: str, wanted: Project, client: Client) -> None:
    work = begun(client, kind)
    assert work.does("cannot-judge", reason="not my field")["answers"] is None
    assert Seat.objects.get().state == Seat.State.CANNOT_JUDGE


def test_that_the_answer_was_shown_is_recorded_once(
    wanted: Project, client: Client, annotator_a: Person
) -> None:
    work = begun(client, "paraphrase")
    work.reads()
    shown = exposures(person=annotator_a, project=wanted)
    assert [(one.subject, one.content) for one in shown] == [("r1", {"what": "answers"})]
    assert client.post(STUDY + "work/sheet/next/", **JSON).status_code == 204


def test_reading_a_seat_of_the_page_records_it_too(
    wanted: Project, client: Client, annotator_a: Person
) -> None:
    seat = take(annotator_a, wanted, "paraphrase")
    assert not exposures(person=annotator_a, project=wanted).exists()
    told = client.get(f"{STUDY}seats/{seat.public_id}/").json()
    assert told["answers"] == [ANSWER]
    assert exposures(person=annotator_a, project=wanted).exists()


def test_the_list_of_my_seats_shows_no_answer_and_records_nothing(
    wanted: Project, client: Client, annotator_a: Person
) -> None:
    take(annotator_a, wanted, "paraphrase")
    assert ANSWER not in client.get(STUDY + "seats/").content.decode()
    assert not exposures(person=annotator_a, project=wanted).exists()


def test_without_a_known_answer_there_are_none(wanted: Project, client: Client) -> None:
    wanted.requests.update(answers=None)
    assert begun(client, "paraphrase").said["answers"] == []


def test_who_withdrew_their_consent_is_shown_no_answer(
    wanted: Project, client: Client, annotator_a: Person
) -> None:
    seat = take(annotator_a, wanted, "paraphrase")
    Project.objects.filter(pk=wanted.pk).update(consent_text="May we keep it?")
    assert consent.needed(annotator_a, Project.objects.get(pk=wanted.pk))
    told = client.get(f"{STUDY}seats/{seat.public_id}/")
    assert told.status_code == 422 and "Agree" in told.json()["detail"]
    assert ANSWER not in told.content.decode()
    assert not exposures(person=annotator_a, project=wanted).exists()


def test_nothing_is_kept_of_who_withdraws_while_a_text_is_on_its_way(
    wanted: Project, client: Client, annotator_a: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    Project.objects.filter(pk=wanted.pk).update(consent_text="May we keep it?")
    wanted.refresh_from_db()
    agreed = consent.text_hash(wanted)
    consent.give(actor=annotator_a, project=wanted, text_sha256=agreed)
    work, keep = begun(client, "paraphrase"), paraphrases.save_rewrite

    def withdrawn_meanwhile(**given: Any) -> Seat:
        consent.withdraw(actor=annotator_a, project=wanted)
        return keep(**given)

    monkeypatch.setattr(paraphrases, "save_rewrite", withdrawn_meanwhile)
    assert work.draft({"text": "SECRET"}).status_code == 422
    assert "SECRET" not in str([one.draft for one in Revision.objects.all()])
    assert "SECRET" not in str(Seat.objects.get().draft)


def test_who_began_a_sheet_of_the_request_meanwhile_is_shown_no_answer(
    wanted: Project, client: Client, annotator_a: Person
) -> None:
    seat = take(annotator_a, wanted, "paraphrase")
    both = Seat.objects.get(pk=seat.pk)
    both.pk, both.public_id, both.kind = None, "7e6a3c9c-5cf0-4f6e-b33c-3f7ac0c1e111", "sheet"
    both.save()  # as if two programs asked at once
    told = client.get(f"{STUDY}seats/{seat.public_id}/")
    assert told.status_code == 422 and ANSWER not in told.content.decode()
    seat.refresh_from_db()
    assert (seat.state, seat.returned_why) == (Seat.State.RETURNED, Seat.Why.CLOSED)


def test_anothers_paraphrase_reads_like_one_that_does_not_exist(
    wanted: Project, client: Client, annotator_a: Person, annotator_b: Person
) -> None:
    seat = take(annotator_b, wanted, "paraphrase")
    assert client.get(f"{STUDY}seats/{seat.public_id}/").status_code == 404
    assert not exposures(person=annotator_a, project=wanted).exists()
