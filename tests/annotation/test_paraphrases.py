"""Paraphrases: who gets them, what their page shows, what it costs, and how they are withdrawn."""

from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from annotation.models import HumanRewrite, IdempotentReply, Need, Person, Project, Revision, Seat
from annotation.services import consent, ledger, paraphrases, seats
from annotation.services.drafts import Sent, save_draft
from annotation.services.exposure import exposures
from annotation.services.projects import Refused, set_member
from annotation.services.rewrites import Unanswered, warnings_of
from tests.contracts.conftest import TEXT, TURNS, make_request, marked, take

ClientOf = Callable[[Person], Client]
TEXT_OF_CONSENT = "Your texts are used for research."
OWN = "harbor rail parent numbers before 2021 w/o one-offs"


@pytest.fixture
def study(project: Project) -> Project:
    """The study with one request, which wants two paraphrases."""
    make_request(project, "r1", TEXT, TURNS)
    project.paraphrases_per_request = 2
    project.save()
    return project


def given(person: Person, study: Project) -> Seat | None:
    return seats.take_next(actor=person, project=study, kind_name="paraphrase")


def sealed(person: Person, study: Project, text: str = OWN) -> HumanRewrite:
    seat = take(person, study, "paraphrase")
    paraphrases.show_answers(actor=person, seat=seat)
    seat = save_draft(seat=seat, draft={"text": text}, sent=Sent(0))
    return paraphrases.seal_paraphrase(actor=person, seat=seat)


def address(seat: Seat, act: str = "") -> str:
    return f"/p/study/desk/paraphrase/{seat.public_id}/{act}"


def test_the_page_shows_the_conversation_and_the_answer(
    study: Project, annotator_a: Person, client_of: ClientOf
) -> None:
    study.requests.update(evidence=[["annual-profile"]])
    page = client_of(annotator_a).get(address(take(annotator_a, study, "paraphrase")))
    for words in ("How did Harbor Rail do in FY23?", "And its parent", "EUR 1.2 billion"):
        assert words in page.content.decode()
    assert "annual-profile" not in page.content.decode()


def test_a_request_without_an_answer_says_so(
    study: Project, annotator_a: Person, client_of: ClientOf
) -> None:
    study.requests.update(answers=None)
    page = client_of(annotator_a).get(address(take(annotator_a, study, "paraphrase")))
    assert "No answer is known for this request" in page.content.decode()


def test_the_answer_is_recorded_when_it_is_first_shown(
    study: Project, annotator_a: Person, client_of: ClientOf
) -> None:
    seat = take(annotator_a, study, "paraphrase")
    shown = exposures(person=annotator_a, project=study)
    assert not shown.exists()
    for _again in range(2):
        client_of(annotator_a).get(address(seat))
    assert [(one.subject, one.content) for one in shown] == [("r1", {"what": "answers"})]


def test_its_writer_gets_no_sheet_of_the_request(study: Project, annotator_a: Person) -> None:
    take(annotator_a, study, "paraphrase")
    assert seats.take_next(actor=annotator_a, project=study, kind_name="sheet") is None


def test_who_saw_the_answer_and_wrote_nothing_gets_no_sheet_either(
    study: Project, annotator_a: Person
) -> None:
    seat = take(annotator_a, study, "paraphrase")
    paraphrases.show_answers(actor=annotator_a, seat=seat)
    seats.give_back(actor=annotator_a, seat=seat)
    assert seats.take_next(actor=annotator_a, project=study, kind_name="sheet") is None


@pytest.mark.parametrize("aside", [False, True])
def test_who_has_a_sheet_to_finish_is_not_offered_the_paraphrase(
    study: Project, annotator_a: Person, aside: bool
) -> None:
    seat = take(annotator_a, study, "sheet")
    if aside:
        seats.give_back(actor=annotator_a, seat=seat)
    assert given(annotator_a, study) is None


def test_a_sealed_sheet_opens_the_paraphrase_and_is_then_not_taken_back(
    study: Project, annotator_a: Person
) -> None:
    from contracts.services.sheets import seal_sheet

    edits = [("time", "before 2021", {"relation": "before", "end": "2021"})]
    sheet_seat = marked(take(annotator_a, study, "sheet"), edits)
    seal_sheet(actor=annotator_a, seat=sheet_seat)
    seat = take(annotator_a, study, "paraphrase")
    paraphrases.show_answers(actor=annotator_a, seat=seat)
    with pytest.raises(Refused):
        seats.retract(actor=annotator_a, seat=sheet_seat)


def test_a_sheet_begun_in_another_tab_keeps_the_answer_hidden(
    study: Project, annotator_a: Person, client_of: ClientOf
) -> None:
    seat = take(annotator_a, study, "paraphrase")
    Seat.objects.filter(pk=seat.pk).update(kind="other")  # as if both tabs asked at once
    sheet = Seat.objects.get(pk=seat.pk)
    sheet.pk, sheet.public_id = None, "7e6a3c9c-5cf0-4f6e-b33c-3f7ac0c1e111"
    sheet.kind = "sheet"
    sheet.save()
    Seat.objects.filter(kind="other").update(kind="paraphrase")
    page = client_of(annotator_a).get(address(seat), follow=True)
    assert "finish it first" in page.content.decode()
    assert "1.2 billion" not in page.content.decode()
    assert not exposures(person=annotator_a, project=study).exists()


def test_the_paraphrases_of_a_request_come_from_different_people(
    study: Project, annotator_a: Person, annotator_b: Person
) -> None:
    sealed(annotator_a, study)
    assert given(annotator_a, study) is None
    assert given(annotator_b, study) is not None


def test_a_project_that_wants_none_offers_none(study: Project, annotator_a: Person) -> None:
    study.paraphrases_per_request = 0
    study.save()
    assert given(annotator_a, study) is None


def test_one_request_may_want_more_than_the_project(study: Project, annotator_a: Person) -> None:
    study.paraphrases_per_request = 0
    study.save()
    Need.objects.create(project=study, kind="paraphrase", request=study.requests.get(), seats=1)
    assert given(annotator_a, study) is not None


def test_the_database_refuses_a_second_paraphrase_by_the_same_person(
    study: Project, annotator_a: Person
) -> None:
    first = sealed(annotator_a, study)
    first.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        first.save()


def test_a_warning_that_is_meant_is_kept_with_the_text_and_in_the_ledger(
    study: Project, annotator_a: Person
) -> None:
    seat = take(annotator_a, study, "paraphrase")
    seat = save_draft(seat=seat, draft={"text": "its parent, w/o one-offs"}, sent=Sent(0))
    with pytest.raises(Unanswered, match="2021"):
        paraphrases.seal_paraphrase(actor=annotator_a, seat=seat)
    marks = [warning.mark for warning in warnings_of(seat, seat.draft)]
    seat = save_draft(seat=seat, draft=seat.draft | {"meant": marks}, sent=Sent(1))
    kept = [{"code": "drops-number", "words": ["2021"], "meant": True}]
    assert paraphrases.seal_paraphrase(actor=annotator_a, seat=seat).warnings == kept
    # The ledger stays for ever, also of a text that is withdrawn: it has the code, not the words.
    sealed = study.ledger.get(kind="paraphrase.sealed").content["warnings"]
    assert sealed == [{"code": "drops-number", "meant": True}]


def test_the_ledger_does_not_repeat_an_answer_that_a_paraphrase_used(
    study: Project, annotator_a: Person
) -> None:
    seat = take(annotator_a, study, "paraphrase")
    seat = save_draft(seat=seat, draft={"text": "eur 1.2 billion before 2021"}, sent=Sent(0))
    marks = [warning.mark for warning in warnings_of(seat, seat.draft)]
    seat = save_draft(seat=seat, draft=seat.draft | {"meant": marks}, sent=Sent(1))
    assert "1.2" in str(paraphrases.seal_paraphrase(actor=annotator_a, seat=seat).warnings)
    assert "1.2" not in str(list(study.ledger.values_list("content", flat=True)))


def test_a_confirmed_warning_about_other_words_asks_again(
    study: Project, annotator_a: Person
) -> None:
    study.requests.update(text="its parent in 2020 and 2021")
    seat = take(annotator_a, study, "paraphrase")
    seat = save_draft(seat=seat, draft={"text": "parent 2020"}, sent=Sent(0))
    marks = [warning.mark for warning in warnings_of(seat, seat.draft)]
    draft = {"text": "parent 2021", "meant": marks}
    seat = save_draft(seat=seat, draft=draft, sent=Sent(1))
    with pytest.raises(Unanswered, match="2020"):
        paraphrases.seal_paraphrase(actor=annotator_a, seat=seat)


def test_a_paraphrase_is_taken_back_and_written_anew(study: Project, annotator_a: Person) -> None:
    seat = sealed(annotator_a, study).seat
    assert seat is not None
    seat = seats.retract(actor=annotator_a, seat=seat)
    seat = save_draft(seat=seat, draft={"text": OWN + "?"}, sent=Sent(seat.draft_version))
    paraphrases.seal_paraphrase(actor=annotator_a, seat=seat)
    assert [one.text for one in HumanRewrite.objects.standing()] == [OWN + "?"]
    assert ledger.first_altered(study) is None


def agree(study: Project, person: Person) -> None:
    study.consent_text = TEXT_OF_CONSENT
    study.save()
    consent.give(actor=person, project=study, text_sha256=consent.text_hash(study))


def test_who_did_not_agree_gets_no_paraphrase(study: Project, annotator_a: Person) -> None:
    study.consent_text = TEXT_OF_CONSENT
    study.save()
    assert given(annotator_a, study) is None
    agree(study, annotator_a)
    assert given(annotator_a, study) is not None


def test_withdrawing_deletes_the_text_everywhere_and_keeps_the_hash(
    study: Project, annotator_a: Person
) -> None:
    agree(study, annotator_a)
    before = sealed(annotator_a, study)
    assert consent.withdraw(actor=annotator_a, project=study) == 1
    after = HumanRewrite.objects.get()
    assert (after.text, after.sha256) == ("", before.sha256)
    assert after.withdrawn_at is not None
    assert [one.draft for one in Revision.objects.all()] == [{}]
    assert Seat.objects.get().draft == {}
    assert ledger.first_altered(study) is None and ledger.first_broken(study) is None
    assert study.ledger.get(kind="paraphrase.withdrawn").subject == "r1"


def test_withdrawing_deletes_a_text_that_was_taken_back_too(
    study: Project, annotator_a: Person
) -> None:
    agree(study, annotator_a)
    seat = sealed(annotator_a, study).seat
    assert seat is not None
    seats.retract(actor=annotator_a, seat=seat)
    consent.withdraw(actor=annotator_a, project=study)
    assert HumanRewrite.objects.get().text == ""
    assert ledger.first_altered(study) is None


def test_withdrawing_deletes_what_programs_were_answered(
    study: Project, annotator_a: Person
) -> None:
    agree(study, annotator_a)
    sealed(annotator_a, study)
    for key, text in (("one", OWN), ("other", "something else")):
        body = {"version": 1, "draft": {"text": text}}
        IdempotentReply.objects.create(person=annotator_a, key=key, fingerprint="", body=body)
    consent.withdraw(actor=annotator_a, project=study)
    assert [reply.key for reply in IdempotentReply.objects.all()] == ["other"]


def test_a_row_emptied_without_a_withdrawal_in_the_ledger_shows(
    study: Project, annotator_a: Person
) -> None:
    row = sealed(annotator_a, study)
    HumanRewrite.objects.update(text="", withdrawn_at=row.sealed_at)
    assert ledger.first_altered(study) is not None


def test_a_withdrawn_seat_goes_to_somebody_else_and_not_back(
    study: Project, annotator_a: Person, annotator_b: Person
) -> None:
    study.paraphrases_per_request = 1
    agree(study, annotator_a)
    sealed(annotator_a, study)
    agree(study, annotator_b)
    assert given(annotator_b, study) is None
    consent.withdraw(actor=annotator_a, project=study)
    assert given(annotator_b, study) is not None
    agree(study, annotator_a)
    assert given(annotator_a, study) is None


def test_nothing_is_kept_of_who_withdrew_while_a_page_was_open(
    study: Project, annotator_a: Person, client_of: ClientOf
) -> None:
    agree(study, annotator_a)
    seat = take(annotator_a, study, "paraphrase")
    browser = client_of(annotator_a)
    browser.post(address(seat, "save/"), {"version": 0, "text": "first words"})
    consent.withdraw(actor=annotator_a, project=study)
    for act in ("save/", "seal/"):
        browser.post(address(seat, act), {"version": 1, "text": "more words"})
    assert [one.draft for one in Revision.objects.all()] == [{}]
    assert not HumanRewrite.objects.exists()


def test_a_double_press_seals_once(
    study: Project, annotator_a: Person, client_of: ClientOf
) -> None:
    browser, seat = client_of(annotator_a), take(annotator_a, study, "paraphrase")
    for _press in range(2):
        browser.post(address(seat, "seal/"), {"version": 0, "text": OWN})
    assert HumanRewrite.objects.count() == 1
    assert not Revision.objects.filter(aside=True).exists()


def test_saving_what_is_saved_is_no_change(
    study: Project, annotator_a: Person, client_of: ClientOf
) -> None:
    browser, seat = client_of(annotator_a), take(annotator_a, study, "paraphrase")
    for version in (0, 1):
        browser.post(address(seat, "save/"), {"version": version, "text": OWN})
    assert Revision.objects.count() == 1


def test_only_annotators_reach_it(
    study: Project, annotator_a: Person, engineer: Person, stranger: Person, client_of: ClientOf
) -> None:
    seat = take(annotator_a, study, "paraphrase")
    found = [client_of(person).get(address(seat)).status_code for person in (engineer, stranger)]
    assert found == [403, 404]


def test_a_peer_learns_nothing_of_a_paraphrase(
    study: Project, annotator_a: Person, annotator_b: Person, client_of: ClientOf
) -> None:
    seat = sealed(annotator_a, study).seat
    assert seat is not None
    browser = client_of(annotator_b)
    own = take(annotator_b, study, "paraphrase")
    assert browser.get(address(seat)).status_code == 404
    assert OWN not in browser.get(address(own)).content.decode()


def test_who_annotates_reads_no_paraphrase_of_a_peer_in_the_ledger(
    study: Project, annotator_a: Person, annotator_b: Person, owner: Person
) -> None:
    set_member(actor=owner, project=study, person=annotator_b, roles=["annotator", "owner"])
    sealed(annotator_a, study)
    seen = study.ledger.visible_to(annotator_b, annotates=True)
    assert not seen.filter(kind="paraphrase.sealed").exists()


def test_markup_in_the_text_and_the_answer_is_shown_as_text(
    study: Project, annotator_a: Person, client_of: ClientOf
) -> None:
    payload = "<img src=x onerror=alert(1)>"
    study.requests.update(answers=[payload], text=f"Who is {payload} in 2021?")
    seat = take(annotator_a, study, "paraphrase")
    save_draft(seat=seat, draft={"text": payload}, sent=Sent(0))
    page = client_of(annotator_a).get(address(seat)).content.decode()
    assert "<img src=x" not in page and page.count("&lt;img src=x") >= 3


def test_a_text_that_is_too_long_is_refused_with_its_limit(
    study: Project, annotator_a: Person, client_of: ClientOf
) -> None:
    seat = take(annotator_a, study, "paraphrase")
    sent = {"version": 0, "text": "x" * 10_001}
    answer = client_of(annotator_a).post(
        address(seat, "save/"), sent, headers={"HX-Request": "true"}
    )
    assert answer.status_code == 422 and "10000 are the most" in answer.content.decode()


def test_sheets_come_before_paraphrases_on_the_desk() -> None:
    from annotation.desk import WORK_KINDS

    names = list(WORK_KINDS)
    assert names.index("sheet") < names.index("paraphrase")


def test_a_retrieval_study_has_paraphrases_too(study: Project, annotator_a: Person) -> None:
    study.purpose = Project.Purpose.RETRIEVAL
    study.save()
    assert given(annotator_a, study) is not None


def test_a_program_sends_no_clarification(study: Project, annotator_a: Person) -> None:
    seat = take(annotator_a, study, "paraphrase")
    assert paraphrases.read_paraphrase(seat, {"text": "x"}) == {"text": "x", "meant": []}
    with pytest.raises(Refused):
        paraphrases.read_paraphrase(seat, {"clarification": True})
