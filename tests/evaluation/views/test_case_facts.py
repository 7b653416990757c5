"""What the page of a case says beside what was found: the words that decided, sub-queries one by
one, who judged and why, the trail in the ledger, and the way through the matrix.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Membership, Person, Project
from annotation.services.projects import set_member
from evaluation.models import Judgement, Run
from evaluation.services.judgements import queue
from evaluation.services.taking_back import take_back
from tests.evaluation.judging import by_two, draw, item_of, judge_called, say
from tests.evaluation.runs.small_study import case_of
from tests.evaluation.views.worlds import KEPT, LOSSY, fill_wide, run_with

Clients = Callable[[Person], Client]


def page_of(client: Client, request: str = "a", query: str = "") -> Any:
    response = client.get(reverse("case", args=["study", 1, request]) + query)
    assert response.status_code == 200
    return response


def arm(response: Any, name: str) -> Any:
    return next(case for case in response.context["cases"] if case.arm.name == name)


@pytest.fixture
def client(engineer: Person, client_of: Clients) -> Client:
    return client_of(engineer)


# ---------------------------------------------------------------- the words that decided


def test_the_quote_that_decided_a_constraint_is_marked_with_its_number(
    study: Project, engineer: Person, client: Client
) -> None:
    run_with(engineer, study, {"cand": LOSSY})
    response = page_of(client)
    lost = next(one for one in arm(response, "cand").judged if one.cell.outcome == "altered")
    parts = [part for pieces in arm(response, "cand").marked for p in pieces for part in p.parts]
    altered = [part for part in parts if part.outcome == "altered"]
    assert " ".join(part.text for part in altered) == lost.cell.quote
    assert altered[-1].ends == (lost.number,)
    assert 'class="altered"' in response.content.decode()


def test_sub_queries_are_judged_one_by_one_and_the_union_is_what_counts(
    study: Project, engineer: Person, client: Client
) -> None:
    run = run_with(engineer, study, {"cand": LOSSY})
    case = case_of(run, "cand", "a")
    row = case.stages.get(stage="rewrite")
    row.content |= {"queries": ["Alder Foods revenue", "revenue fiscal year 2022"]}
    row.save(update_fields=["content"])
    Judgement.objects.filter(case=case).update(judgement="stated", quote="")
    shown = arm(page_of(client), "cand")
    kinds = [one.row.kind for one in shown.judged]
    alone = [
        {kinds[one.number - 1]: one.outcome for one in query.judged} for query in shown.queries
    ]
    assert [one["referent"] for one in alone] == ["stated", "dropped"]
    assert [one["time"] for one in alone] == ["dropped", "stated"]
    assert {one.cell.outcome for one in shown.judged} == {"stated"}  # as it is on record


def test_each_sub_query_names_the_hits_that_it_found(
    study: Project, engineer: Person, client: Client
) -> None:
    run = run_with(engineer, study, {"cand": LOSSY})
    case = case_of(run, "cand", "a")
    for stage, more in (
        ("rewrite", {"queries": ["one", "two"]}),
        ("retrieve", {"hits": [{"id": "d1", "rank": 1, "score": 2.0, "query": 1,
                                "found": [{"query": 0, "rank": 3}, {"query": 1, "rank": 1}]},
                               {"id": "d2", "rank": 2, "score": 1.0, "query": 1}]}),
    ):  # fmt: skip
        row = case.stages.get(stage=stage)
        row.content |= more
        row.save(update_fields=["content"])
    shown = arm(page_of(client), "cand")
    assert [[hit.id for hit in query.hits] for query in shown.queries] == [["d1"], ["d1", "d2"]]


def test_a_rewrite_of_one_query_has_no_sub_queries(
    study: Project, engineer: Person, client: Client
) -> None:
    run_with(engineer, study, {"cand": KEPT})
    response = page_of(client)
    assert arm(response, "cand").queries == ()
    assert b"Query by query" not in response.content


def test_claims_link_the_hits_that_support_them(
    study: Project, engineer: Person, client: Client
) -> None:
    run_with(engineer, study, {"cand": KEPT})
    shown = arm(page_of(client), "original")
    [claim] = shown.claims
    assert claim.state == "holds" and claim.quote
    assert claim.anchor == next(hit.anchor for hit in shown.hits if hit.id == claim.document)


# ---------------------------------------------------------------- who judged


@pytest.fixture
def judged_run(study: Project, engineer: Person) -> Run:
    made = run_with(engineer, study, {"cand": KEPT}, judging="human_for_all")
    draw(made)
    return made


def said(client: Client, item: Judgement) -> Any:
    shown = arm(page_of(client, item.case.request.key), item.case.arm.name)
    keys = {one.row.constraint: one.said for one in shown.judged}
    return keys[item.constraint.key]


def test_the_page_says_who_judged_under_a_pseudonym_and_never_by_name(
    judged_run: Run, adjudicator: Person, client: Client
) -> None:
    item = item_of(judged_run, "cand", "a", "c1")
    word = say(adjudicator, item, "altered")
    Judgement.objects.filter(pk=word.pk).update(why="another firm")
    name = Membership.objects.get(person=adjudicator).pseudonym
    told = said(client, item)
    assert [(one.who, one.outcome, one.counts) for one in told.words] == [
        (f"the judge ({item.by.removeprefix('matcher:')})", item.judgement, False),
        (f"person {name}", "altered", True),
    ]
    page = page_of(client).content.decode()
    arms = page[page.index('class="arms"') : page.index('id="trail"')]
    assert "another firm" in arms and adjudicator.username not in arms


def test_while_people_still_judge_an_item_their_words_are_not_shown(
    judged_run: Run, adjudicator: Person, client: Client
) -> None:
    item = queue(by_two(judged_run))[0]
    say(adjudicator, item, "altered")
    told = said(client, item)
    assert [one.who.startswith("the judge") for one in told.words] == [True]
    assert told.waits.startswith("1 of 2 people has judged it")
    say(judge_called("second", judged_run), item, "altered")
    assert len(said(client, item).words) == 3


def test_what_was_taken_back_counts_and_stands_nowhere_but_in_the_ledger(
    judged_run: Run, adjudicator: Person, client: Client
) -> None:
    item = item_of(judged_run, "cand", "a", "c1")
    say(adjudicator, item, "altered")
    take_back(actor=adjudicator, judgement=item)
    assert len(said(client, item).words) == 1
    trail = page_of(client).context["trail"]
    kinds = [entry.kind for entry in trail.entries if entry.kind.startswith("judgement.")]
    assert kinds == ["judgement.settled", "judgement.taken_back"]


# ---------------------------------------------------------------- the trail


def test_the_trail_goes_from_the_import_to_the_verdict_and_links_each_entry(
    study: Project, engineer: Person, client: Client
) -> None:
    run_with(engineer, study, {"cand": KEPT})
    response = page_of(client)
    entries = response.context["trail"].entries
    kinds = [entry.kind for entry in entries]
    wanted = (
        *("requests.imported", "contract.approved", "protocol.registered"),
        *("conditions.frozen", "run.started", "run.concluded"),
    )
    assert [kind for kind in kinds if kind in wanted] == list(wanted)
    assert {e.subject for e in entries if e.kind == "contract.approved"} == {"a"}
    link = f"{reverse('ledger', args=['study'])}?page={entries[0].page}"
    assert f"{link}#entry-{entries[0].sequence}" in response.content.decode()
    assert f'id="entry-{entries[0].sequence}"' in client.get(link).content.decode()


def test_entries_are_linked_to_the_page_of_the_ledger_on_which_they_stand(
    study: Project, engineer: Person, client: Client
) -> None:
    run_with(engineer, study, {"cand": KEPT})
    for _time in range(60):
        study.ledger.create(
            project=study, sequence=study.ledger.count() + 1, kind="x", subject="x", content={},
            at="2026-01-01T00:00:00", hash="0" * 64,
        )  # fmt: skip
    first = page_of(client).context["trail"].entries[0]
    assert first.page > 1
    page = client.get(reverse("ledger", args=["study"]), {"page": first.page})
    assert f'id="entry-{first.sequence}"' in page.content.decode()


def test_the_trail_leaves_out_what_the_readers_ledger_leaves_out(
    study: Project, owner: Person, engineer: Person, client: Client
) -> None:
    """Who annotates too is not told what others have sealed, here as little as on its page."""
    run_with(engineer, study, {"cand": KEPT})
    assert page_of(client).context["trail"].exposures
    set_member(actor=owner, project=study, person=engineer, roles=["annotator", "engineer"])
    trail = page_of(client).context["trail"]
    kinds = {entry.kind for entry in trail.entries}
    assert "contract.approved" not in kinds and "run.started" in kinds
    assert {entry.who for entry in trail.exposures} <= {engineer.username}
    assert {entry.page for entry in trail.entries} == {0}


# ---------------------------------------------------------------- through the matrix


def test_the_matrix_leads_to_a_case_and_on_to_the_next_with_its_filters(
    project: Project, engineer: Person, client: Client
) -> None:
    run_with(engineer, project, {"cand": fill_wide(project, 3)})
    matrix = client.get(reverse("matrix", args=["study", 1]), {"arm": "cand", "lost": "1"})
    [first, *_others] = matrix.context["groups"]
    there = reverse("case", args=["study", 1, first.request])
    assert f'href="{there}?arm=cand&amp;lost=1"' in matrix.content.decode()
    walked, key = [], first.request
    while key:
        response = page_of(client, key, "?arm=cand&lost=1")
        beside = response.context["beside"]
        walked.append((key, beside.at, beside.of))
        key = beside.after
    assert walked == [("r00", 1, 3), ("r01", 2, 3), ("r02", 3, 3)]
    assert f"{reverse('case', args=['study', 1, 'r01'])}?arm=cand&amp;lost=1" in (
        response.content.decode()
    )


def test_a_case_that_the_filters_leave_out_leads_to_the_first_that_they_do_not(
    study: Project, engineer: Person, client: Client
) -> None:
    run_with(engineer, study, {"cand": LOSSY})
    beside = page_of(client, "b", "?arm=cand&lost=1").context["beside"]
    assert (beside.at, beside.before, beside.after) == (0, "", "a")


def test_from_elsewhere_there_is_nothing_beside_a_case(
    study: Project, engineer: Person, client: Client
) -> None:
    run_with(engineer, study, {"cand": LOSSY})
    assert page_of(client).context["beside"] is None


@pytest.mark.parametrize("arms", [1, 3])
def test_the_queries_do_not_grow_with_the_arms(
    arms: int, study: Project, engineer: Person, adjudicator: Person, client: Client
) -> None:
    run = run_with(engineer, study, {f"c{n}": KEPT for n in range(arms)}, judging="human_for_all")
    for item in queue(run)[:5]:
        say(adjudicator, item, "stated")
    page_of(client)
    with CaptureQueriesContext(connection) as asked:
        page_of(client, "a", "?arm=c0&lost=0")
    assert len(asked) <= 38
