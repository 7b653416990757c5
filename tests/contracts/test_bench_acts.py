"""Reasons, merging, taking over, putting down, further reviewers, and what a contract keeps."""

from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import Person, Project, Request
from annotation.services.guidelines import write_guideline
from annotation.services.projects import Refused, end_membership, set_member
from contracts.models import Adjudication, Contract, Decision
from contracts.services.bench import approving, deciding, opening, rows
from contracts.services.bench.gaps import answer_gap, gaps_of
from tests.contracts.conftest import BEFORE, UNTIL, Edits, Sealer
from tests.contracts.test_bench_blindness import three_wanted

Clients = Callable[[Person], Client]
ALIASES: Edits = [
    ("referent", "its parent", {"name": "Harbor Holdings", "aliases": ["HH"]}), BEFORE[1],
]  # fmt: skip


@pytest.fixture
def second(project: Project, owner: Person, engineer: Person) -> Person:
    """Another adjudicator."""
    set_member(actor=owner, project=project, person=engineer, roles=["adjudicator"])
    return engineer


def _item(opened: Adjudication) -> str:
    return rows.undecided(opened)[0].item


def test_merging_takes_the_wordings_of_both(
    seal: Sealer, asked: Request, annotator_a: Person, annotator_b: Person, adjudicator: Person
) -> None:
    seal(annotator_a, BEFORE)
    seal(annotator_b, ALIASES)
    opened = opening.open_adjudication(actor=adjudicator, request=asked)
    deciding.decide(actor=adjudicator, adjudication=opened, item=_item(opened), take="merge")
    contract = approving.approve(actor=adjudicator, adjudication=opened)
    assert contract.terms.constraints[0].value["aliases"] == ["HH"]


def test_values_that_exclude_each_other_are_not_merged(
    opened: Adjudication, adjudicator: Person
) -> None:
    with pytest.raises(Refused, match="exclude each other"):
        deciding.decide(actor=adjudicator, adjudication=opened, item=_item(opened), take="merge")


def test_a_reason_is_given_after_the_decision_and_taken_away(
    opened: Adjudication, adjudicator: Person
) -> None:
    item = _item(opened)
    give = {"actor": adjudicator, "adjudication": opened, "item": item, "reason": "gap"}
    with pytest.raises(Refused, match="Decide this difference before"):
        deciding.give_reason(**give)
    deciding.decide(actor=adjudicator, adjudication=opened, item=item, take="a")
    deciding.give_reason(**give)
    assert opened.decisions.get().reason == "gap"
    deciding.give_reason(**give)
    assert opened.decisions.get().reason == ""


def test_wordings_of_the_whole_request_go_into_the_contract(
    opened: Adjudication, adjudicator: Person
) -> None:
    words = [" Harbor Holdings before 2021? ", "", "Harbor Holdings before 2021?"]
    deciding.write_rewrites(actor=adjudicator, adjudication=opened, rewrites=words)
    deciding.take_all(actor=adjudicator, adjudication=opened, side="a")
    contract = approving.approve(actor=adjudicator, adjudication=opened)
    assert contract.terms.admissible_rewrites == ("Harbor Holdings before 2021?",)


def test_what_is_put_down_goes_on_with_its_decisions(
    opened: Adjudication, adjudicator: Person, second: Person
) -> None:
    deciding.take_all(actor=adjudicator, adjudication=opened, side="a")
    opening.put_down(actor=adjudicator, adjudication=opened)
    taken = opening.open_adjudication(actor=second, request=opened.request)
    assert taken == opened and rows.undecided(taken) == []
    assert approving.approve(actor=second, adjudication=taken).adjudicator == second


def test_what_is_put_down_cannot_be_decided(opened: Adjudication, adjudicator: Person) -> None:
    item = _item(opened)
    opening.put_down(actor=adjudicator, adjudication=opened)
    with pytest.raises(Refused, match="You put this request down"):
        deciding.decide(actor=adjudicator, adjudication=opened, item=item, take="a")


@pytest.mark.parametrize("how", ["ended", "another role", "inactive"])
def test_an_adjudicator_who_is_none_any_more_blocks_nobody(
    how: str, opened: Adjudication, adjudicator: Person, second: Person, owner: Person
) -> None:
    project = opened.request.project
    if how == "ended":
        end_membership(actor=owner, project=project, person=adjudicator)
    elif how == "another role":
        set_member(actor=owner, project=project, person=adjudicator, roles=["engineer"])
    else:
        Person.objects.filter(pk=adjudicator.pk).update(is_active=False)
    taken = opening.open_adjudication(actor=second, request=opened.request)
    assert (taken.pk, taken.adjudicator) == (opened.pk, second)
    assert project.ledger.filter(kind="adjudication.taken_over", actor=second).exists()


def test_who_annotated_it_takes_nothing_over(
    opened: Adjudication, adjudicator: Person, annotator_a: Person, owner: Person
) -> None:
    project = opened.request.project
    set_member(actor=owner, project=project, person=annotator_a, roles=["adjudicator"])
    opening.put_down(actor=adjudicator, adjudication=opened)
    with pytest.raises(Exception, match="You annotated this request"):
        opening.open_adjudication(actor=annotator_a, request=opened.request)


def test_of_three_sheets_the_two_that_differ_most_are_shown(
    seal: Sealer, asked: Request, owner: Person, stranger: Person, annotator_a: Person,
    annotator_b: Person, adjudicator: Person, client_of: Clients,
) -> None:  # fmt: skip
    three_wanted(asked)
    set_member(actor=owner, project=asked.project, person=stranger, roles=["annotator"])
    seal(annotator_a, BEFORE)
    seal(annotator_b, BEFORE)
    extra = ("polarity", "excluding one-off items", {"mode": "exclude", "target": "x"})
    seal(stranger, [*UNTIL, extra])
    opened = opening.open_adjudication(actor=adjudicator, request=asked)
    assert stranger in (opened.sheet_a.annotator, opened.sheet_b.annotator)
    html = client_of(adjudicator).get(f"/p/study/bench/{opened.pk}/").content.decode()
    assert "1 further sheet is counted" in html and "1 of 3 reviewers have it" in html
    deciding.take_all(actor=adjudicator, adjudication=opened, side="a")
    assert approving.approve(actor=adjudicator, adjudication=opened).annotators.count() == 3


def test_two_of_three_are_not_enough(
    seal: Sealer, asked: Request, annotator_a: Person, annotator_b: Person, adjudicator: Person
) -> None:
    three_wanted(asked)
    seal(annotator_a, BEFORE)
    seal(annotator_b, UNTIL)
    with pytest.raises(Refused, match="2 of 3 sheets are sealed"):
        opening.open_adjudication(actor=adjudicator, request=asked)


def test_a_contract_keeps_the_guidelines_it_was_made_under(
    opened: Adjudication, adjudicator: Person, owner: Person, engineer: Person, client_of: Clients
) -> None:
    project = opened.request.project
    write_guideline(actor=owner, project=project, topic="time", text="Exact.", seen=0)
    deciding.take_all(actor=adjudicator, adjudication=opened, side="a")
    contract = approving.approve(actor=adjudicator, adjudication=opened)
    assert contract.guidelines == {"time": 1}
    write_guideline(actor=owner, project=project, topic="time", text="As said.", seen=1)
    page = client_of(engineer).get("/p/study/guidelines/time/").content.decode()
    assert "1 contract was approved under version 1" in page
    listed = client_of(engineer).get("/p/study/contracts/under/time/1/").content.decode()
    assert f'<a href="/p/study/contracts/{contract.pk}/">r1</a>' in listed


def test_an_annotator_is_not_told_of_contracts_on_the_guidelines(
    contract: Contract, owner: Person, annotator_a: Person, client_of: Clients
) -> None:
    project = contract.request.project
    write_guideline(actor=owner, project=project, topic="time", text="Exact.", seen=0)
    Contract.objects.update(guidelines={"time": 1})
    page = client_of(annotator_a).get("/p/study/guidelines/time/").content.decode()
    assert "approved under" not in page


@pytest.fixture
def gap(opened: Adjudication, adjudicator: Person) -> Decision:
    item = _item(opened)
    deciding.decide(
        actor=adjudicator, adjudication=opened, item=item, take="a", note="Is 2021 in it?"
    )
    deciding.give_reason(actor=adjudicator, adjudication=opened, item=item, reason="gap")
    return opened.decisions.get()


def test_gaps_collect_for_the_owner(gap: Decision, owner: Person, client_of: Clients) -> None:
    project = gap.adjudication.request.project
    (found,) = gaps_of(actor=owner, project=project)
    assert (found.kind, found.words, found.in_force) == ("time", "before 2021", None)
    html = client_of(owner).get("/p/study/bench/gaps/").content.decode()
    assert "Is 2021 in it?" in html and "nothing was written on this yet" in html


def test_a_gap_is_answered_by_a_version_that_came_after_it(gap: Decision, owner: Person) -> None:
    project = gap.adjudication.request.project
    answer = {"actor": owner, "project": project, "decision_id": gap.pk, "topic": "time"}
    with pytest.raises(Refused, match="Write a new version first"):
        answer_gap(**answer)
    written = write_guideline(actor=owner, project=project, topic="time", text="No.", seen=0)
    assert answer_gap(**answer).answered_by == written
    assert answer_gap(**{**answer, "topic": ""}).answered_by is None


def test_an_owner_who_annotates_sees_no_gaps(
    gap: Decision, owner: Person, client_of: Clients
) -> None:
    project = gap.adjudication.request.project
    set_member(actor=owner, project=project, person=owner, roles=["owner", "annotator"])
    assert client_of(owner).get("/p/study/bench/gaps/").status_code == 403


def test_the_owner_reads_who_was_reviewer_a(
    contract: Contract, owner: Person, client_of: Clients
) -> None:
    html = client_of(owner).get(f"/p/study/contracts/{contract.pk}/").content.decode()
    a = contract.adjudication.sheet_a.annotator.shown_name
    assert f"{a} was Reviewer A" in html


def test_an_owner_who_annotates_reads_no_names(
    contract: Contract, owner: Person, client_of: Clients
) -> None:
    project = contract.request.project
    set_member(actor=owner, project=project, person=owner, roles=["owner", "annotator"])
    html = client_of(owner).get(f"/p/study/contracts/{contract.pk}/").content.decode()
    assert "annotator-a" not in html, html[max(0, html.find("annotator-a") - 200) :][:260]
