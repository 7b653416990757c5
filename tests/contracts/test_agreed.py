"""What all reviewers say alike is approved without an adjudicator."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import Person, Project, Request, Seat
from annotation.services.ledger import first_altered, first_broken
from annotation.services.projects import set_member
from contracts.models import Adjudication, Contract, Sheet
from contracts.services.bench import approving, opening
from contracts.tasks import approve_agreed
from tests.contracts.conftest import BEFORE, UNTIL, Sealer
from tests.contracts.test_bench_blindness import three_wanted

Clients = Callable[[Person], Client]


def ten_minutes_later() -> None:
    """What was sealed so far was sealed ten minutes earlier."""
    for model in (Sheet, Seat):
        model.objects.exclude(sealed_at=None).update(  # type: ignore[attr-defined]
            sealed_at=timezone.now() - timedelta(minutes=10, seconds=1)
        )


@pytest.fixture
def agreeing(seal: Sealer, annotator_a: Person, annotator_b: Person, project: Project) -> Project:
    """Two reviewers said the same of r1, in another order."""
    seal(annotator_a, BEFORE)
    seal(annotator_b, BEFORE[::-1])
    return project


def test_agreement_is_approved_once_nothing_can_be_retracted(agreeing: Project) -> None:
    ten_minutes_later()
    approve_agreed()
    contract = Contract.objects.get()
    entry = agreeing.ledger.get(kind="contract.approved")
    assert contract.adjudicator is None and contract.annotators.count() == 2
    assert (entry.actor, entry.content["agreed"], entry.content["adjudicator"]) == (None, True, "")
    assert first_broken(agreeing) is None and first_altered(agreeing) is None


def test_within_ten_minutes_nothing_is_approved(agreeing: Project) -> None:
    assert approving.approve_agreed(agreeing) == []


def test_a_second_sweep_changes_nothing(agreeing: Project) -> None:
    ten_minutes_later()
    assert len(approving.approve_agreed(agreeing)) == 1
    assert approving.approve_agreed(agreeing) == []


def test_a_difference_is_left_to_the_bench(
    seal: Sealer, annotator_a: Person, annotator_b: Person, project: Project
) -> None:
    seal(annotator_a, BEFORE)
    seal(annotator_b, UNTIL)
    ten_minutes_later()
    assert approving.approve_agreed(project) == []


def test_reviewers_who_agree_that_it_is_ambiguous_agree(agreeing: Project, asked: Request) -> None:
    Sheet.objects.update(unresolved=True, readings=["the parent", "the holding"])
    ten_minutes_later()
    (contract,) = approving.approve_agreed(agreeing)
    assert contract.terms.ambiguity.readings == ("the parent", "the holding")


def test_two_who_agree_wait_for_the_third(agreeing: Project, asked: Request) -> None:
    three_wanted(asked)
    ten_minutes_later()
    assert approving.approve_agreed(agreeing) == []


def test_what_an_adjudicator_has_open_is_left_to_them(
    agreeing: Project, asked: Request, adjudicator: Person
) -> None:
    opening.open_adjudication(actor=adjudicator, request=asked)
    ten_minutes_later()
    assert approving.approve_agreed(agreeing) == []
    assert Adjudication.objects.get().state == Adjudication.State.OPEN


def test_the_bench_lists_it_as_agreed_before_and_after(
    agreeing: Project, adjudicator: Person, client_of: Clients
) -> None:
    page = client_of(adjudicator)
    before = page.get("/p/study/bench/").content.decode()
    ten_minutes_later()
    after = page.get("/p/study/bench/").content.decode()
    assert "accepted on its own at" in before and 'id="agreed"' not in before
    assert 'id="agreed"' in after and Contract.objects.get().adjudicator is None


def test_whoever_annotated_it_is_not_told_on_the_bench_that_others_agreed(
    agreeing: Project, owner: Person, annotator_a: Person, client_of: Clients
) -> None:
    set_member(
        actor=owner, project=agreeing, person=annotator_a, roles=["annotator", "adjudicator"]
    )
    ten_minutes_later()
    assert "r1" not in client_of(annotator_a).get("/p/study/bench/").content.decode()


def test_the_contract_page_says_that_they_agreed(
    agreeing: Project, owner: Person, client_of: Clients
) -> None:
    ten_minutes_later()
    (contract,) = approving.approve_agreed(agreeing)
    html = client_of(owner).get(f"/p/study/contracts/{contract.pk}/").content.decode()
    assert "nobody: the reviewers agreed on everything" in html
