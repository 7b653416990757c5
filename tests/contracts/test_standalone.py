"""Standalone references: who may write one, what its live checks say, sealing, taking it back."""

from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import HumanRewrite, Person, Project, Request, Seat
from annotation.services import ledger, seats
from annotation.services.drafts import Sent, save_draft
from annotation.services.exposure import expose
from annotation.services.projects import Refused
from annotation.services.reading import Unreadable
from annotation.services.rewrites import Unanswered, record_rewrite, standing_rewrite
from contracts.models import Contract
from contracts.services.standalone import (
    mark_references_read,
    read_reference,
    reference_warnings,
    seal_drafted,
)
from tests.contracts.conftest import take

ClientOf = Callable[[Person], Client]
GOOD = "Revenue of Harbor Holdings before 2021, without one-off items"


def written(annotator: Person, contract: Contract, text: str, clarification: bool = False) -> Seat:
    seat = take(annotator, contract.request.project, "standalone")
    draft = {"text": text, "clarification": clarification}
    return save_draft(seat=seat, draft=draft, sent=Sent(0))


def codes(seat: Seat) -> list[str]:
    return [warning.code for warning in reference_warnings(seat, seat.draft)]


def page_of(seat: Seat, act: str = "") -> str:
    return f"/p/study/desk/standalone/{seat.public_id}/{act}"


def test_a_reference_that_names_the_answer_is_asked_about_without_repeating_it(
    contract: Contract, annotator_a: Person
) -> None:
    seat = written(annotator_a, contract, "Was it eur  1.2 Billion before 2021?")
    with pytest.raises(Unanswered) as refusal:
        seal_drafted(actor=annotator_a, seat=seat)
    assert "1.2" not in str(refusal.value)
    assert [warning.code for warning in refusal.value.warnings] == ["names-answer"]


def test_a_named_answer_that_is_meant_is_sealed_and_kept_as_such(
    contract: Contract, annotator_a: Person
) -> None:
    seat = written(annotator_a, contract, "Was it EUR 1.2 billion before 2021?")
    marks = [warning.mark for warning in reference_warnings(seat, seat.draft)]
    seat = save_draft(seat=seat, draft=seat.draft | {"meant": marks}, sent=Sent(1))
    sealed = seal_drafted(actor=annotator_a, seat=seat)
    assert sealed.warnings == [{"code": "names-answer", "words": [], "meant": True}]


def test_sealing_a_reference_twice_gives_one(contract: Contract, annotator_a: Person) -> None:
    seat = written(annotator_a, contract, "Harbor Holdings?", True)
    for _again in range(2):
        seal_drafted(actor=annotator_a, seat=seat)
    assert HumanRewrite.objects.count() == 1


def test_a_name_of_an_earlier_turn_is_missed_only_when_the_contract_names_it(
    contract: Contract, annotator_a: Person
) -> None:
    # The turn says Harbor Rail and FY23; the contract asks for Harbor Holdings, before 2021.
    assert codes(written(annotator_a, contract, GOOD)) == []


def test_a_number_of_the_contract_is_missed_when_the_text_drops_it(
    contract: Contract, annotator_a: Person
) -> None:
    assert codes(written(annotator_a, contract, "Revenue of Harbor Holdings")) == ["drops-number"]


def test_a_question_back_need_not_repeat_the_request(
    contract: Contract, annotator_a: Person
) -> None:
    assert codes(written(annotator_a, contract, "Which parent do you mean?", True)) == []


@pytest.mark.parametrize("what", ["answers", "answers and evidence", "rewrite", "anything new"])
def test_who_was_shown_more_than_the_contract_gets_no_reference_to_write(
    contract: Contract, annotator_a: Person, project: Project, what: str
) -> None:
    expose(person=annotator_a, project=project, subject="r1", what=what)
    assert seats.take_next(actor=annotator_a, project=project, kind_name="standalone") is None


def test_who_saw_the_results_of_a_run_gets_no_reference_of_its_requests(
    contract: Contract, annotator_a: Person, project: Project
) -> None:
    expose(person=annotator_a, project=project, subject="run 1", what="results")
    assert seats.take_next(actor=annotator_a, project=project, kind_name="standalone") is None


def test_who_saw_the_contract_may_write_its_reference(
    contract: Contract, annotator_a: Person, project: Project
) -> None:
    expose(person=annotator_a, project=project, subject="r1", what="contract")
    assert take(annotator_a, project, "standalone").request == contract.request


def test_what_is_shown_while_the_reference_is_written_sends_the_seat_back(
    contract: Contract, annotator_a: Person, project: Project
) -> None:
    seat = written(annotator_a, contract, GOOD)
    expose(person=annotator_a, project=project, subject="r1", what="answers and evidence")
    with pytest.raises(Refused, match="another takes it"):
        seal_drafted(actor=annotator_a, seat=seat)
    seat.refresh_from_db()
    assert (seat.state, seat.returned_why) == ("returned", "closed")


def test_a_reference_that_was_imported_meanwhile_is_not_written_again(
    contract: Contract, annotator_a: Person, owner: Person
) -> None:
    seat = written(annotator_a, contract, GOOD)
    record_rewrite(
            kind="standalone",
        actor=owner, author=owner, request=contract.request, seat=None, text="x",
        clarification=False,
    )  # fmt: skip
    with pytest.raises(Refused, match="has its reference already"):
        seal_drafted(actor=annotator_a, seat=seat)


def test_a_reference_is_taken_back_and_sealed_anew(
    contract: Contract, annotator_a: Person, project: Project
) -> None:
    seat = written(annotator_a, contract, GOOD)
    seal_drafted(actor=annotator_a, seat=seat)
    seat = seats.retract(actor=annotator_a, seat=seat)
    assert standing_rewrite(annotator_a, seat) is None
    seat = save_draft(seat=seat, draft={"text": GOOD + "?"}, sent=Sent(1))
    seal_drafted(actor=annotator_a, seat=seat)
    assert HumanRewrite.objects.standing().get().text == GOOD + "?"
    assert ledger.first_altered(project) is None


def test_a_reference_that_a_run_has_read_is_not_taken_back(
    contract: Contract, annotator_a: Person, project: Project
) -> None:
    seat = written(annotator_a, contract, GOOD)
    seal_drafted(actor=annotator_a, seat=seat)
    mark_references_read(project)
    with pytest.raises(Refused, match="was read"):
        seats.retract(actor=annotator_a, seat=seat)


def test_a_reference_is_not_taken_back_by_who_was_shown_the_answer_since(
    contract: Contract, annotator_a: Person, project: Project
) -> None:
    seat = written(annotator_a, contract, GOOD)
    seal_drafted(actor=annotator_a, seat=seat)
    expose(person=annotator_a, project=project, subject="r1", what="answers")
    with pytest.raises(Refused, match="shown more"):
        seats.retract(actor=annotator_a, seat=seat)


def test_a_reference_that_was_changed_after_sealing_shows(
    contract: Contract, annotator_a: Person, project: Project
) -> None:
    seal_drafted(actor=annotator_a, seat=written(annotator_a, contract, GOOD))
    assert ledger.first_altered(project) is None
    HumanRewrite.objects.update(warnings=[{"code": "same", "words": [], "meant": True}])
    assert ledger.first_altered(project) is not None


def test_the_page_shows_the_contract_and_never_answer_or_evidence(
    contract: Contract, annotator_a: Person, project: Project, client_of: ClientOf
) -> None:
    project.requests.update(evidence=[["annual-profile"]])
    seat = take(annotator_a, project, "standalone")
    page = client_of(annotator_a).get(page_of(seat)).content.decode()
    assert "Harbor Holdings" in page
    assert "1.2 billion" not in page and "annual-profile" not in page


def test_a_save_tells_what_to_look_at_and_a_second_one_is_silent(
    contract: Contract, annotator_a: Person, project: Project, client_of: ClientOf
) -> None:
    browser, seat = client_of(annotator_a), take(annotator_a, project, "standalone")
    sent = {"version": 0, "text": "EUR 1.2 billion before 2021", "checks": ""}
    answer = browser.post(page_of(seat, "save/"), sent, headers={"HX-Request": "true"})
    said = answer.content.decode()
    assert "This names the answer" in said and "1.2 billion" not in said
    shown = answer.context["state"]
    again = {"version": 1, "text": "eur 1.2 billion before 2021", "checks": shown}
    silent = browser.post(page_of(seat, "save/"), again, headers={"HX-Request": "true"})
    assert "This names the answer" not in silent.content.decode()


def test_a_refused_seal_lists_what_waits_and_keeps_the_text(
    contract: Contract, annotator_a: Person, project: Project, client_of: ClientOf
) -> None:
    browser, seat = client_of(annotator_a), take(annotator_a, project, "standalone")
    sent = {"version": 0, "text": "Revenue of Harbor Holdings"}
    answer = browser.post(page_of(seat, "seal/"), sent, headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert "1 point under your text waits for you" in answer.content.decode()
    assert '<q class="words-s" dir="auto">2021</q>' in answer.content.decode()
    seat.refresh_from_db()
    assert seat.draft["text"] == "Revenue of Harbor Holdings"


def test_without_javascript_a_refused_seal_leads_to_the_first_box(
    contract: Contract, annotator_a: Person, project: Project, client_of: ClientOf
) -> None:
    browser, seat = client_of(annotator_a), take(annotator_a, project, "standalone")
    sent = {"version": 0, "text": "Revenue of Harbor Holdings"}
    page = browser.post(page_of(seat, "seal/"), sent, follow=True).content.decode()
    box = page[page.index('id="meant-drops-number"') :].split(">")[0]
    assert "autofocus" in box and "Not sealed" in page


def test_a_plain_post_saves_and_comes_back(
    contract: Contract, annotator_a: Person, project: Project, client_of: ClientOf
) -> None:
    seat = take(annotator_a, project, "standalone")
    answer = client_of(annotator_a).post(page_of(seat, "save/"), {"version": 0, "text": GOOD})
    assert (answer.status_code, answer["Location"]) == (302, page_of(seat))


def test_another_text_on_a_sealed_seat_is_kept_aside(
    contract: Contract, annotator_a: Person, project: Project, client_of: ClientOf
) -> None:
    browser, seat = client_of(annotator_a), take(annotator_a, project, "standalone")
    for text in (GOOD, GOOD, "Another one before 2021"):
        browser.post(page_of(seat, "seal/"), {"version": 0, "text": text})
    assert HumanRewrite.objects.get().text == GOOD
    assert [one.draft["text"] for one in seat.revisions.filter(aside=True)] == [
        "Another one before 2021"
    ]


def test_a_program_confirms_warnings_by_their_codes(
    contract: Contract, annotator_a: Person, project: Project
) -> None:
    seat = take(annotator_a, project, "standalone")
    sent = {"text": "Revenue of Harbor Holdings", "meant": ["drops-number", "same"]}
    draft = read_reference(seat, sent)
    assert [mark.split(":")[0] for mark in draft["meant"]] == ["drops-number"]
    assert draft["clarification"] is False


@pytest.mark.parametrize(
    ("sent", "pointer"),
    [
        ([], ""),
        ({"text": 3}, "/text"),
        ({"text": "x" * 10_001}, "/text"),
        ({"text": "\ud800"}, "/text"),
        ({"clarification": "yes"}, "/clarification"),
        ({"meant": [3]}, "/meant/0"),
        ({"words": "x"}, ""),
    ],
)
def test_a_draft_of_another_shape_is_refused_with_its_place(
    contract: Contract, annotator_a: Person, project: Project, sent: object, pointer: str
) -> None:
    with pytest.raises(Unreadable) as refusal:
        read_reference(take(annotator_a, project, "standalone"), sent)
    assert [fault.pointer for fault in refusal.value.faults] == [pointer]


def test_markup_in_the_text_is_shown_as_text(
    contract: Contract, annotator_a: Person, client_of: ClientOf
) -> None:
    seat = written(annotator_a, contract, "<img src=x onerror=alert(1)></textarea><script>")
    page = client_of(annotator_a).get(page_of(seat)).content.decode()
    assert "<img src=x" not in page and "&lt;img src=x" in page


def test_a_peer_finds_no_such_seat(
    contract: Contract, annotator_a: Person, annotator_b: Person, asked: Request,
    client_of: ClientOf,
) -> None:  # fmt: skip
    seat = written(annotator_a, contract, GOOD)
    assert client_of(annotator_b).get(page_of(seat)).status_code == 404
