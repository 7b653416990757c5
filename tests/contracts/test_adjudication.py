import pytest
from django.core.exceptions import PermissionDenied

from annotation.models import Person, Project, Request
from annotation.services.ledger import first_broken
from annotation.services.projects import Refused, set_member
from contracts.models import Adjudication, Constraint, Contract
from contracts.services.bench import approving, deciding, opening, rows, waiting
from contracts.terms import ContractTerms
from tests.contracts.conftest import BEFORE, Sealer


def _item(opened: Adjudication) -> str:
    return rows.undecided(opened)[0].item


def test_a_request_waits_with_the_number_of_its_differences(
    opened: Adjudication, adjudicator: Person
) -> None:
    assert waiting.waiting(opened.request.project, adjudicator) == [(opened.request, 1)]


def test_one_sheet_of_two_is_not_enough(
    asked: Request, seal: Sealer, annotator_a: Person, adjudicator: Person
) -> None:
    seal(annotator_a)
    with pytest.raises(Refused, match="1 of 2 sheets are sealed"):
        opening.open_adjudication(actor=adjudicator, request=asked)


def test_whoever_annotated_a_request_neither_sees_nor_opens_it(
    opened: Adjudication, project: Project, owner: Person, annotator_a: Person
) -> None:
    set_member(actor=owner, project=project, person=annotator_a, roles=["annotator", "adjudicator"])
    assert waiting.waiting(project, annotator_a) == []
    with pytest.raises(PermissionDenied, match="somebody else must adjudicate"):
        opening.open_adjudication(actor=annotator_a, request=opened.request)


def test_a_second_adjudicator_does_not_open_what_is_open(
    opened: Adjudication, project: Project, owner: Person, engineer: Person
) -> None:
    set_member(actor=owner, project=project, person=engineer, roles=["adjudicator"])
    with pytest.raises(Refused, match="Another adjudicator"):
        opening.open_adjudication(actor=engineer, request=opened.request)


def test_an_undecided_difference_refuses_approval_and_is_named(
    opened: Adjudication, adjudicator: Person
) -> None:
    with pytest.raises(Refused, match="1 difference is undecided: number 2 time “before 2021”"):
        approving.approve(actor=adjudicator, adjudication=opened)


def test_the_contract_has_the_hash_of_its_terms_version_1_and_a_ledger_entry(
    contract: Contract,
) -> None:
    entry = contract.request.project.ledger.get(kind="contract.approved")
    assert contract.sha256 == ContractTerms.from_json(contract.content).sha256
    assert (contract.version, entry.content["version"]) == (1, 1)
    assert entry.content["sha256"] == contract.sha256
    assert entry.content["annotators"] == ["annotator-a", "annotator-b"]


def test_the_ledger_holds_after_an_approval(contract: Contract) -> None:
    assert first_broken(contract.request.project) is None


def test_identical_sheets_need_no_decision(
    asked: Request, seal: Sealer, annotator_a: Person, annotator_b: Person, adjudicator: Person
) -> None:
    seal(annotator_a, BEFORE)
    seal(annotator_b, BEFORE[::-1])
    opened = opening.open_adjudication(actor=adjudicator, request=asked)
    assert approving.approve(actor=adjudicator, adjudication=opened).version == 1


def test_approving_again_gives_the_same_contract(
    contract: Contract, opened: Adjudication, adjudicator: Person
) -> None:
    opened.refresh_from_db()
    assert approving.approve(actor=adjudicator, adjudication=opened) == contract


def test_no_service_changes_an_approved_contract(
    contract: Contract, opened: Adjudication, adjudicator: Person
) -> None:
    opened.refresh_from_db()
    item = opened.decisions.get().item
    acts = (
        lambda: deciding.decide(actor=adjudicator, adjudication=opened, item=item, take="b"),
        lambda: deciding.take_back_last(actor=adjudicator, adjudication=opened),
        lambda: deciding.take_all(actor=adjudicator, adjudication=opened, side="b"),
        lambda: deciding.write_note(actor=adjudicator, adjudication=opened, item=item, note="x"),
        lambda: opening.open_adjudication(actor=adjudicator, request=opened.request),
    )
    for act in acts:
        with pytest.raises(Refused):
            act()
    assert Contract.objects.get().content == contract.content


def test_no_such_constraint_leaves_it_out(opened: Adjudication, adjudicator: Person) -> None:
    deciding.decide(actor=adjudicator, adjudication=opened, item=_item(opened), take="reject")
    approved = approving.approve(actor=adjudicator, adjudication=opened)
    assert [c.kind for c in Constraint.objects.filter(contract=approved)] == ["referent"]


def test_an_edited_value_with_a_fault_is_refused(opened: Adjudication, adjudicator: Person) -> None:
    with pytest.raises(Refused, match="“end” is missing"):
        deciding.decide(
            actor=adjudicator,
            adjudication=opened,
            item=_item(opened),
            take="edit",
            edited={"value": {"relation": "before"}},
        )


def test_taking_all_of_one_reviewer_is_one_step_to_undo(
    asked: Request, seal: Sealer, annotator_a: Person, annotator_b: Person, adjudicator: Person
) -> None:
    seal(annotator_a, BEFORE)
    seal(annotator_b, [("polarity", "excluding one-off items", {"mode": "exclude", "target": "x"})])
    opened = opening.open_adjudication(actor=adjudicator, request=asked)
    taken = deciding.take_all(actor=adjudicator, adjudication=opened, side="a")
    deciding.take_back_last(actor=adjudicator, adjudication=opened)
    assert (taken, len(rows.undecided(opened))) == (3, 3)


def test_taking_all_of_a_side_gives_that_sheets_terms(
    opened: Adjudication, adjudicator: Person
) -> None:
    deciding.take_all(actor=adjudicator, adjudication=opened, side="b")
    approved = approving.approve(actor=adjudicator, adjudication=opened)
    assert approved.sha256 == opened.sheet_b.sha256
