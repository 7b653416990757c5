"""Who withdraws their consent leaves no word behind, not even one that was on its way; and gets
nothing more before they agree again.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.test import Client

from annotation.models import HumanRewrite, Person, Project, Revision, Seat
from annotation.services import consent, drafts, paraphrases, rewrites, seats
from annotation.services.drafts import Sent, save_draft
from annotation.services.projects import Refused, end_membership
from contracts.models import Gold, Sheet
from contracts.services import sheets
from contracts.services.training import KnownContract, add_gold
from contracts.terms import ContractTerms
from contracts.work import sheets_open_to, standalone_open_to
from tests.annotation.api.conftest import program
from tests.contracts.conftest import BEFORE, TEXT, TURNS, make_request, marked, take

__all__ = ["program"]

ClientOf = Callable[[Person], Client]
SECRET = "zqxj"  # in no text of the study, so that whoever finds it finds what was written
OWN = f"{SECRET} harbor rail parent numbers before 2021 w/o one-offs"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def study(project: Project, annotator_a: Person) -> Project:
    """A study with one request and a consent text, to which the annotator agreed."""
    make_request(project, "r1", TEXT, TURNS)
    project.paraphrases_per_request, project.consent_text = 2, "Your texts are published."
    project.save()
    agree(project, annotator_a)
    return project


def agree(study: Project, person: Person) -> None:
    consent.give(actor=person, project=study, text_sha256=consent.text_hash(study))


def sealed(person: Person, study: Project) -> Seat:
    seat = take(person, study, "paraphrase")
    seat = save_draft(seat=seat, draft={"text": OWN}, sent=Sent(0))
    marks = [warning.mark for warning in rewrites.warnings_of(seat, seat.draft)]
    seat = save_draft(seat=seat, draft={"text": OWN, "meant": marks}, sent=Sent(1))
    paraphrases.seal_paraphrase(actor=person, seat=seat)
    return seat


def rows_with(word: str) -> list[str]:
    """The tables of all apps that hold the word anywhere in a row."""
    return [
        model.__name__
        for model in apps.get_models()
        if any(word in json.dumps(row, default=str) for row in model._default_manager.values())
    ]


def test_no_table_holds_a_word_of_who_withdrew(
    study: Project, annotator_a: Person, program: Callable[..., Client]
) -> None:
    seat = take(annotator_a, study, "paraphrase")
    there, client = f"/api/v1/projects/study/seats/{seat.public_id}/draft/", program(annotator_a)
    for key, version in (("one", 0), ("stale", 0), ("two", 1)):
        body = {"version": version, "draft": {"text": f"{OWN} {key}"}}
        client.put(there, body, "application/json", headers={"Idempotency-Key": key})
    sealed_seat = Seat.objects.get(pk=seat.pk)
    assert "Revision" in rows_with(SECRET) and sealed_seat.draft_version == 2
    consent.withdraw(actor=annotator_a, project=study)
    assert rows_with(SECRET) == []


def test_no_table_holds_a_word_of_a_sealed_paraphrase_either(
    study: Project, annotator_a: Person
) -> None:
    sealed(annotator_a, study)
    consent.withdraw(actor=annotator_a, project=study)
    assert rows_with(SECRET) == []


@pytest.mark.parametrize("version", [0, 9])
def test_a_save_that_was_on_its_way_does_not_bring_the_text_back(
    study: Project,
    annotator_a: Person,
    client_of: ClientOf,
    monkeypatch: pytest.MonkeyPatch,
    version: int,
) -> None:
    seat, real = take(annotator_a, study, "paraphrase"), drafts.save_draft

    def after_a_withdrawal(**given: Any) -> Seat:
        consent.withdraw(actor=annotator_a, project=study)  # in another tab
        return real(**given)

    monkeypatch.setattr(drafts, "save_draft", after_a_withdrawal)
    there = f"/p/study/desk/paraphrase/{seat.public_id}/save/"
    client_of(annotator_a).post(there, {"version": version, "text": OWN}, headers=HTMX)
    assert rows_with(SECRET) == []
    assert {json.dumps(one.draft) for one in Revision.objects.all()} <= {"{}"}


def test_a_draft_read_before_the_withdrawal_does_not_come_into_force(
    study: Project, annotator_a: Person
) -> None:
    read = take(annotator_a, study, "paraphrase")
    consent.withdraw(actor=annotator_a, project=study)
    with pytest.raises(drafts.StaleDraft):
        save_draft(seat=read, draft={"text": OWN}, sent=Sent(0))
    assert Seat.objects.get().draft == {}


def test_an_undo_does_not_bring_the_text_back(
    study: Project, annotator_a: Person, client_of: ClientOf
) -> None:
    seat = take(annotator_a, study, "paraphrase")
    for version in (0, 1):
        save_draft(
            seat=Seat.objects.get(pk=seat.pk),
            draft={"text": f"{OWN} {version}"},
            sent=Sent(version),
        )
    consent.withdraw(actor=annotator_a, project=study)
    for act in ("undo", "redo", "again"):
        there = f"/p/study/desk/seat/{seat.public_id}/{act}/"
        client_of(annotator_a).post(there, {"version": "2"}, headers=HTMX)
    assert rows_with(SECRET) == []


def test_a_former_member_withdraws_on_the_page(
    study: Project, owner: Person, annotator_a: Person, client_of: ClientOf
) -> None:
    sealed(annotator_a, study)
    end_membership(actor=owner, project=study, person=annotator_a)
    browser = client_of(annotator_a)
    assert "consent/withdraw/" in browser.get("/p/study/consent/").content.decode()
    browser.post("/p/study/consent/withdraw/")
    assert not HumanRewrite.objects.standing().exists() and rows_with(SECRET) == []


def test_the_page_is_no_way_in_for_a_former_member(
    study: Project, owner: Person, annotator_a: Person, client_of: ClientOf
) -> None:
    end_membership(actor=owner, project=study, person=annotator_a)
    browser = client_of(annotator_a)
    browser.post("/p/study/consent/withdraw/")
    words = {"agree": "1", "text": consent.text_hash(study)}
    codes = [
        browser.post("/p/study/consent/", words).status_code,
        browser.get("/p/study/consent/").status_code,
        browser.get("/p/study/desk/").status_code,
    ]
    assert codes == [404, 404, 404]


def test_nothing_is_open_to_who_withdrew(
    study: Project, owner: Person, annotator_a: Person
) -> None:
    practice = make_request(study, "r2", TEXT, TURNS)
    known = KnownContract(practice, Gold.Use.PRACTICE, ContractTerms())
    add_gold(actor=owner, project=study, known=[known])
    consent.withdraw(actor=annotator_a, project=study)
    kinds = ("sheet", "standalone", "qualification", "paraphrase")
    found = [seats.take_next(actor=annotator_a, project=study, kind_name=kind) for kind in kinds]
    assert found == [None] * 4
    assert not sheets_open_to(study, annotator_a).exists()
    assert not standalone_open_to(study, annotator_a).exists()


def test_a_sheet_that_was_at_work_is_not_taken_up_again(
    study: Project, annotator_a: Person, client_of: ClientOf
) -> None:
    seat = marked(take(annotator_a, study), BEFORE)
    consent.withdraw(actor=annotator_a, project=study)
    browser = client_of(annotator_a)
    browser.post(f"/p/study/desk/seat/{seat.public_id}/again/")
    there = f"/p/study/desk/sheet/{seat.public_id}/seal/"
    browser.post(there, {"version": seat.draft_version})
    seat.refresh_from_db()
    assert seat.state == Seat.State.RETURNED and not Sheet.objects.exists()


def test_nothing_more_is_kept_on_a_sheet_that_was_at_work(
    study: Project, annotator_a: Person, client_of: ClientOf, program: Callable[..., Client]
) -> None:
    seat = take(annotator_a, study)
    consent.withdraw(actor=annotator_a, project=study)
    there = f"/p/study/desk/sheet/{seat.public_id}/ambiguity/"
    words = {"version": "0", "unresolved": "on", "readings": SECRET}
    page = client_of(annotator_a).post(there, words, headers=HTMX)
    draft = {"constraints": [], "ambiguity": {"unresolved": True, "readings": [SECRET]}}
    answer = program(annotator_a).put(
        f"/api/v1/projects/study/seats/{seat.public_id}/draft/",
        {"version": 0, "draft": draft},
        "application/json",
    )
    assert "You withdrew your consent" in page.content.decode()
    assert (page.status_code, answer.status_code) == (422, 422)
    assert rows_with(SECRET) == []


def test_another_wording_alone_loses_nobody_what_they_were_typing(
    study: Project, annotator_a: Person, client_of: ClientOf
) -> None:
    seat = take(annotator_a, study)
    Seat.objects.update(state=Seat.State.RETURNED)
    study.consent_text = "Another text."
    study.save()
    there = f"/p/study/desk/sheet/{seat.public_id}/ambiguity/"
    words = {"version": "0", "unresolved": "on", "readings": SECRET}
    client_of(annotator_a).post(there, words, headers=HTMX)
    assert "Revision" in rows_with(SECRET)


def test_a_sealed_sheet_is_not_taken_back_without_consent(
    study: Project, annotator_a: Person
) -> None:
    seat = marked(take(annotator_a, study), BEFORE)
    sheets.seal_sheet(actor=annotator_a, seat=seat)
    consent.withdraw(actor=annotator_a, project=study)
    with pytest.raises(Refused, match="Agree to the terms"):
        seats.retract(actor=annotator_a, seat=seat)
    assert Sheet.objects.standing().count() == 1


def test_the_answer_is_not_shown_without_consent(
    study: Project, annotator_a: Person, client_of: ClientOf
) -> None:
    seat = take(annotator_a, study, "paraphrase")
    study.consent_text = "Another text."
    study.save()
    for there in (f"paraphrase/{seat.public_id}/", f"seat/{seat.public_id}/work/"):
        page = client_of(annotator_a).get(f"/p/study/desk/{there}", headers=HTMX)
        assert b"1.2 billion" not in page.content
