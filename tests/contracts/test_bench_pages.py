import json
from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from annotation.models import Person, Project, Request
from annotation.services.projects import set_member
from contracts.models import Adjudication, Contract
from contracts.services.bench.rows import undecided
from contracts.stories import contract_part, contract_versions
from tests.contracts.conftest import Sealer

HTMX = {"HX-Request": "true"}
Clients = Callable[[Person], Client]


@pytest.fixture
def page(opened: Adjudication, adjudicator: Person, client_of: Clients) -> Client:
    return client_of(adjudicator)


def _at(opened: Adjudication, act: str = "") -> str:
    return f"/p/study/bench/{opened.pk}/{act}"


def _decided(page: Client, opened: Adjudication, **sent: str) -> Client:
    item = undecided(opened)[0].item
    return page.post(_at(opened, "decide/"), {"item": item, **sent}, headers=HTMX)


def test_the_queue_says_how_many_differences_wait(page: Client) -> None:
    html = page.get("/p/study/bench/").content.decode()
    assert (
        '<th scope="row">r1</th><td>follow-up</td><td class="n">1</td><td class="n">1</td>' in html
    )


def test_opening_goes_to_the_two_sheets(page: Client, opened: Adjudication) -> None:
    answer = page.post(f"/p/study/bench/open/{opened.request_id}/")
    assert answer["Location"] == _at(opened)


def test_the_differing_field_is_shown_on_both_sides(page: Client, opened: Adjudication) -> None:
    html = page.get(_at(opened)).content.decode()
    assert '<dt>Relation</dt><dd dir="auto">before</dd>' in html
    assert '<dt>Relation</dt><dd dir="auto">until</dd>' in html


def test_approval_is_disabled_and_says_what_is_undecided(
    page: Client, opened: Adjudication
) -> None:
    html = page.get(_at(opened)).content.decode()
    assert 'id="approve" disabled aria-describedby="undecided"' in html
    assert "1 difference is undecided" in html


def test_a_decision_answers_with_the_bench_and_enables_approval(
    page: Client, opened: Adjudication
) -> None:
    html = _decided(page, opened, take="a", note="before excludes the year").content.decode()
    assert 'id="approve">' in html
    assert 'value="before excludes the year"' in html


def test_a_plain_post_goes_back_to_the_bench(page: Client, opened: Adjudication) -> None:
    item = undecided(opened)[0].item
    answer = page.post(_at(opened, "decide/"), {"item": item, "take": "a"})
    assert answer["Location"] == _at(opened)


def test_an_edited_decision_keeps_what_was_typed(page: Client, opened: Adjudication) -> None:
    _decided(
        page,
        opened,
        take="edit",
        relation="since",
        start="2019",
        calendar="calendar",
        materiality="minor",
    )
    result = opened.decisions.get().result
    assert (result["value"]["relation"], result["materiality"]) == ("since", "minor")


def test_an_edit_with_a_fault_is_refused_as_a_sentence(page: Client, opened: Adjudication) -> None:
    answer = _decided(page, opened, take="edit", relation="since", materiality="minor")
    assert answer.status_code == 422
    assert "The field “start” is missing" in answer.content.decode()


def test_undo_takes_the_last_decision_back(page: Client, opened: Adjudication) -> None:
    _decided(page, opened, take="a")
    page.post(_at(opened, "undo/"), headers=HTMX)
    assert len(undecided(opened)) == 1


def test_a_note_written_later_keeps_the_decision(page: Client, opened: Adjudication) -> None:
    _decided(page, opened, take="a")
    decision = opened.decisions.get()
    page.post(_at(opened, "note/"), {"item": decision.item, "note": "why"}, headers=HTMX)
    assert (opened.decisions.get().take, opened.decisions.get().note) == ("a", "why")


def test_an_undecided_bench_refuses_approval(page: Client, opened: Adjudication) -> None:
    answer = page.post(_at(opened, "approve/"), headers=HTMX)
    assert answer.status_code == 422
    assert "undecided" in answer.content.decode()


def test_approving_the_last_goes_to_the_bench_and_links_to_the_contract(
    page: Client, opened: Adjudication
) -> None:
    page.post(_at(opened, "take-all/"), {"side": "a"}, headers=HTMX)
    answer = page.post(_at(opened, "approve/"), follow=True)
    contract = Contract.objects.get()
    assert answer.redirect_chain[-1][0] == "/p/study/bench/"
    link = f'<a href="/p/study/contracts/{contract.pk}/">Read it</a>'
    assert f"The contract of r1 is approved. {link}" in answer.content.decode()


def test_approving_goes_straight_to_the_next_waiting_request(
    page: Client,
    opened: Adjudication,
    other: Request,
    seal: Sealer,
    annotator_a: Person,
    annotator_b: Person,
) -> None:
    for person, start in ((annotator_a, "2024"), (annotator_b, "2024-01")):
        seal(person, [("time", "2024", {"relation": "on", "start": start})])
    page.post(_at(opened, "take-all/"), {"side": "a"}, headers=HTMX)
    answer = page.post(_at(opened, "approve/"), headers=HTMX)
    following = Adjudication.objects.get(request=other)
    assert answer["HX-Redirect"] == _at(following)
    exposed = other.project.ledger.filter(kind="exposed", subject="r2")
    assert [entry.content for entry in exposed] == [{"what": "sheets"}]


def test_approving_twice_says_it_once(page: Client, opened: Adjudication) -> None:
    page.post(_at(opened, "take-all/"), {"side": "a"}, headers=HTMX)
    for _again in range(2):
        page.post(_at(opened, "approve/"), headers=HTMX)
    assert page.get("/p/study/bench/").content.decode().count("is approved") == 1


def test_the_first_button_of_the_bench_takes_the_focus(page: Client) -> None:
    assert page.get("/p/study/bench/").content.decode().count(" autofocus>") == 1


def test_an_adjudication_that_another_opened_does_not_exist(
    opened: Adjudication, project: Project, owner: Person, engineer: Person, client_of: Clients
) -> None:
    set_member(actor=owner, project=project, person=engineer, roles=["adjudicator"])
    page = client_of(engineer)
    codes = [page.get(_at(opened)).status_code, page.post(_at(opened, "undo/")).status_code]
    assert codes == [404, 404]


def test_whoever_annotated_gets_403_on_opening(
    opened: Adjudication, project: Project, owner: Person, annotator_a: Person, client_of: Clients
) -> None:
    set_member(actor=owner, project=project, person=annotator_a, roles=["adjudicator"])
    answer = client_of(annotator_a).post(f"/p/study/bench/open/{opened.request_id}/")
    assert answer.status_code == 403


def test_names_stand_on_the_contract_for_owners_only(
    contract: Contract, owner: Person, adjudicator: Person, engineer: Person, client_of: Clients
) -> None:
    named = [
        "annotator-a"
        in client_of(person).get(f"/p/study/contracts/{contract.pk}/").content.decode()
        for person in (owner, adjudicator, engineer)
    ]
    assert named == [True, False, False]


def test_the_list_of_requests_gets_the_version(contract: Contract) -> None:
    assert contract_versions([contract.request]) == {contract.request_id: "version 1"}


def test_the_story_of_a_request_has_its_contract(contract: Contract, engineer: Person) -> None:
    part = contract_part(engineer, contract.request)
    assert part is not None
    assert (part["contract"], part["annotators"]) == (contract, None)


def test_the_command_prints_the_lines_of_contracts_jsonl(contract: Contract) -> None:
    out = StringIO()
    call_command("contracts", "study", "--json", "--named", stdout=out)
    assert [json.loads(line) for line in out.getvalue().splitlines()] == [contract.to_json()]


def test_the_command_prints_pseudonyms_unless_names_are_asked_for(contract: Contract) -> None:
    out = StringIO()
    call_command("contracts", "study", "--json", stdout=out)
    line = json.loads(out.getvalue())
    assert (line["annotators"], line["adjudicator"]) == (["p2", "p3"], "p4")


def test_the_command_prints_a_table_for_people(contract: Contract) -> None:
    out = StringIO()
    call_command("contracts", "study", stdout=out)
    assert "r1  version 1" in out.getvalue()


def test_the_command_names_an_unknown_project(db: None) -> None:
    with pytest.raises(CommandError, match="There is no project “nowhere”"):
        call_command("contracts", "nowhere")
