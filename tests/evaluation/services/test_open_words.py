"""Who may still judge an item is told nothing of what others said of it, on no page and in no file:
neither the word nor whose it is.
"""

import json
from collections.abc import Callable

import pytest
from django.test import Client

from annotation.canonical import content_hash
from annotation.ledger_file import check_file
from annotation.models import Person, Project
from annotation.services.exports import begin_export
from annotation.services.projects import set_member
from annotation.withheld_entries import shown_ledger
from evaluation.models import Judgement, Protocol, Run
from evaluation.reports.case.trail import trail_of
from evaluation.reports.exports.as_json import report_json
from evaluation.runs.conclusion import conclude
from evaluation.scoring.audit import THIRD
from evaluation.scoring.recomputing import recompute
from evaluation.services.judgements import queue
from evaluation.services.taking_back import take_back
from tests.evaluation.judging import by_two, judge_called, say
from tests.evaluation.views.worlds import KEPT, run_with

ClientOf = Callable[[Person], Client]
SETTLED, TAKEN_BACK = "judgement.settled", "judgement.taken_back"


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    """A finished run in which two people judge everything."""
    made = by_two(run_with(engineer, study, {"cand": KEPT}, judging="human_for_all"))
    rules = made.protocol
    Protocol.objects.filter(pk=rules.pk).update(sha256=content_hash(rules.content))
    return Run.objects.select_related("protocol", "project").get(pk=made.pk)


@pytest.fixture
def item(run: Run) -> Judgement:
    return queue(run)[0]


@pytest.fixture
def first(run: Run) -> Person:
    return judge_called("first", run)


@pytest.fixture
def second(run: Run, study: Project) -> Person:
    """Who judges, and sees results and ledger."""
    person = judge_called("second", run)
    roles = ["adjudicator", "owner"]
    set_member(actor=study.created_by, project=study, person=person, roles=roles)
    return person


def entries(reader: Person, project: Project) -> list[str]:
    """The kinds of the entries about judgements that the reader is shown, the oldest first."""
    shown = shown_ledger(reader=reader, project=project).entries
    return list(shown.filter(kind__startswith="judgement.").values_list("kind", flat=True))


def in_trail(reader: Person, item: Judgement) -> list[str]:
    trail = trail_of(reader=reader, run=item.case.run, request=item.case.request.key)
    assert trail is not None
    return [entry.detail for entry in trail.entries if entry.kind == SETTLED]


def said_in_json(run: Run) -> list[list[str]]:
    conclude(run.pk)
    run.refresh_from_db()
    rows = json.loads(json.dumps(report_json(run)))["rows"]["cases"]
    return [one["people"] for case in rows for one in case["judged"] if one["people"]]


def test_the_first_word_is_hidden_from_who_may_be_the_second(
    study: Project, item: Judgement, first: Person, second: Person
) -> None:
    say(first, item, "dropped")
    assert entries(second, study) == [] and in_trail(second, item) == []
    say(second, item, "dropped")
    assert entries(second, study) == [SETTLED] * 2 and len(in_trail(second, item)) == 2


def test_it_is_told_to_whoever_does_not_judge_and_to_whoever_said_it(
    study: Project, item: Judgement, first: Person, second: Person, engineer: Person
) -> None:
    say(first, item, "dropped")
    roles = ["adjudicator", "engineer"]
    set_member(actor=study.created_by, project=study, person=first, roles=roles)
    assert entries(engineer, study) == entries(first, study) == [SETTLED]
    assert shown_ledger(reader=engineer, project=study).whole
    assert not shown_ledger(reader=second, project=study).whole


def test_a_word_that_was_taken_back_is_hidden_too_also_where_one_person_judges(
    study: Project, engineer: Person
) -> None:
    run = run_with(engineer, study, {"cand": KEPT}, judging="human_for_all")
    one, other = judge_called("one", run), judge_called("other", run)
    roles = ["adjudicator", "engineer"]
    set_member(actor=study.created_by, project=study, person=other, roles=roles)
    item = queue(run)[0]
    say(one, item, "dropped")
    assert entries(other, study) == [SETTLED]  # settled: nobody judges it any more
    take_back(actor=one, judgement=item)
    assert entries(other, study) == []
    say(other, item, "stated")
    assert entries(other, study) == [SETTLED, TAKEN_BACK, SETTLED]


def test_words_on_other_items_are_told(
    study: Project, run: Run, item: Judgement, first: Person, second: Person, engineer: Person
) -> None:
    settled = next(row for row in queue(run) if row.case.request_id != item.case.request_id)
    say(first, settled, "stated")
    say(judge_called("third", run), settled, "stated")
    say(first, item, "dropped")
    assert entries(second, study) == [SETTLED] * 2
    assert entries(engineer, study) == [SETTLED] * 3


def test_the_pages_tell_neither_the_word_nor_the_person(
    study: Project, run: Run, item: Judgement, first: Person, second: Person, client_of: ClientOf
) -> None:
    say(first, item, "dropped")
    browser = client_of(second)
    ledger = browser.get("/p/study/ledger/").content.decode()
    assert SETTLED not in ledger and "you may still judge is not listed" in ledger
    assert "entry-" not in ledger  # numbers with gaps would tell when somebody judged
    case = browser.get(f"/p/study/runs/{run.number}/cases/{item.case.request.key}/")
    assert case.status_code == 200
    assert f"{item.constraint.key}: dropped" not in case.content.decode()


def test_the_file_of_the_ledger_has_only_their_place_and_its_chain_holds(
    study: Project, item: Judgement, first: Person, second: Person, engineer: Person
) -> None:
    say(first, item, "dropped")

    def file(actor: Person) -> list[str]:
        export = begin_export(actor=actor, project=study, kind_name="ledger")
        return b"".join(export.pieces()).decode().splitlines()

    [row] = [json.loads(line) for line in file(second) if SETTLED in line]
    assert (row["content"], row["actor"], row["actor_id"]) == ({}, None, None)
    assert check_file(file(second)).entries == len(file(second)) - 2
    [row] = [json.loads(line) for line in file(engineer) if SETTLED in line]
    assert row["content"]["judgement"] == "dropped"


def test_the_report_has_a_blank_for_each_word_until_they_are_settled(
    run: Run, item: Judgement, first: Person, second: Person
) -> None:
    say(first, item, "dropped")
    assert said_in_json(run) == [[""]]
    say(second, item, "dropped")
    assert said_in_json(run) == [["dropped", "dropped"]]


def test_while_two_differ_no_agreement_is_told_and_the_report_proves_itself(
    run: Run, item: Judgement, first: Person, second: Person
) -> None:
    say(first, item, "dropped")
    say(second, item, "stated")
    assert said_in_json(run) == [["", ""]]
    assert run.result["judging"]["agreement"]["raw"] == {"value": None, "reason": THIRD}
    assert recompute(json.loads(json.dumps(report_json(run)))) == ()
    say(judge_called("third", run), item, "altered")
    assert said_in_json(run) == [["dropped", "stated", "altered"]]
    assert run.result["judging"]["agreement"]["items"] == 1
    assert recompute(json.loads(json.dumps(report_json(run)))) == ()
