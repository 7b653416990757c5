"""What a candidate made of a request is shown to nobody who may still annotate that request."""

from collections.abc import Callable, Iterator

import pytest
from django.test import Client

from annotation.blindness import asking, routes
from annotation.exporting.kinds import EXPORT_KINDS
from annotation.models import Person, Project, Request
from annotation.services.exports import begin_export
from annotation.services.imports import import_file
from annotation.services.projects import set_member
from annotation.services.still_open import still_open_to
from annotation.work import paraphrases_open_to
from contracts.work import sheets_open_to
from evaluation.item_numbers import number_of
from evaluation.models import Case, Judgement, Run
from evaluation.services import showing
from evaluation.services.judgements import next_to_judge
from tests.annotation.conftest import lines
from tests.api.world import build
from tests.evaluation.runs import small_study
from tests.evaluation.views.worlds import LOSSY, run_with

WORDS = "fiscal year 2021"  # only the candidate wrote them
Clients = Callable[[Person], Client]


@pytest.fixture
def run(project: Project, engineer: Person) -> Run:
    """A finished run of a candidate whose judgements wait for people; its requests want
    paraphrases.
    """
    small_study.fill(project)
    made = run_with(engineer, project, {"cand": LOSSY}, judging="human_for_all")
    Project.objects.filter(pk=project.pk).update(paraphrases_per_request=1)
    project.refresh_from_db()
    return made


@pytest.fixture
def both(run: Run, owner: Person, annotator_a: Person) -> Person:
    """An engineer who may still annotate requests of the run."""
    roles = ["annotator", "engineer"]
    set_member(actor=owner, project=run.project, person=annotator_a, roles=roles)
    return annotator_a


@pytest.fixture
def judge(run: Run, owner: Person, annotator_a: Person) -> Person:
    """An adjudicator who may still annotate requests of the run."""
    roles = ["annotator", "adjudicator"]
    set_member(actor=owner, project=run.project, person=annotator_a, roles=roles)
    return annotator_a


def telling(project: Project, person: Person) -> set[str]:
    """The routes that show the person the candidate's words, asked as a browser, by htmx and as a
    program.
    """
    return {call.route for call in calls(project, person) if WORDS in said(call, person)}


def calls(project: Project, person: Person) -> Iterator[asking.Call]:
    for route in routes.every_route():
        for address in routes.addresses(route, project, person):
            for more in ({"Accept": "text/html"}, {"Accept": "*/*", "HX-Request": "true"}):
                yield asking.Call(route.name, "GET", address, headers=more)


def said(call: asking.Call, person: Person) -> str:
    with asking.undone():
        return asking.ask(call, asking.logged_in(person)).body


def test_no_address_shows_a_candidates_words_to_who_may_still_annotate(
    run: Run, engineer: Person, both: Person
) -> None:
    shown_to_others = telling(run.project, engineer)
    assert {"matrix", "case"} <= shown_to_others
    assert telling(run.project, both) == set()
    showing.show_and_give_up(actor=both, run=run)
    assert telling(run.project, both) == shown_to_others


def test_the_judgement_queue_leaves_out_what_its_reader_may_still_annotate(
    run: Run, adjudicator: Person, judge: Person, client_of: Clients
) -> None:
    project, browser = run.project, client_of(judge)
    waiting = Judgement.objects.waiting(run)[0]
    there = f"/p/study/judgements/{number_of(waiting.pk, judge)}/"
    assert next_to_judge(actor=adjudicator, project=project) is not None
    assert next_to_judge(actor=judge, project=project) is None
    assert browser.post(there, {"outcome": "stated"}).status_code == 404
    Project.objects.filter(pk=project.pk).update(paraphrases_per_request=0)
    project.refresh_from_db()
    assert next_to_judge(actor=judge, project=project) is not None
    assert browser.post(there, {"outcome": "stated"}).status_code == 302


@pytest.mark.parametrize("path", ["matrix/", "cases/a/"])
def test_a_page_of_results_says_why_it_is_closed(
    run: Run, both: Person, client_of: Clients, path: str
) -> None:
    page = client_of(both).get(f"/p/study/runs/{run.number}/{path}")
    assert page.status_code == 403 and "3 of the 3 requests" in page.content.decode()


def test_a_program_is_told_why_a_run_is_closed(run: Run, both: Person, client_of: Clients) -> None:
    answer = client_of(both).get(f"/api/v1/projects/study/runs/{run.number}/")
    assert answer.status_code == 403 and "3 of the 3 requests" in answer.content.decode()


def test_who_gives_the_work_up_sees_the_run_and_gets_none_of_its_requests(
    run: Run, both: Person, client_of: Clients
) -> None:
    there, browser = f"/p/study/runs/{run.number}/", client_of(both)
    assert "Give it up and show the results" in browser.get(there).content.decode()
    assert "Give it up" not in browser.post(there, follow=True).content.decode()
    in_run = set(Case.objects.values_list("request", flat=True))
    left = still_open_to(person=both, project=run.project)
    assert not in_run & set(left.values_list("pk", flat=True))
    shown = run.project.ledger.filter(kind="exposed", actor=both, content__what="rewrite")
    assert set(shown.values_list("subject", flat=True)) == {"a", "b", "c"}


def test_the_list_of_runs_has_no_verdict_for_who_may_still_annotate(
    run: Run, engineer: Person, both: Person
) -> None:
    project = run.project
    assert showing.withheld_runs(actor=engineer, project=project) == set()
    assert showing.withheld_runs(actor=both, project=project) == {run.pk}


def test_no_export_holds_a_candidates_words(run: Run, engineer: Person) -> None:
    for name in EXPORT_KINDS:
        export = begin_export(actor=engineer, project=run.project, kind_name=name)
        assert WORDS not in "".join(map(_text, export.pieces())), name


def _text(piece: str | bytes) -> str:
    return piece if isinstance(piece, str) else piece.decode(errors="replace")


def test_who_brings_a_candidates_rewrites_in_rewords_none_of_these_requests(
    run: Run, both: Person
) -> None:
    project = run.project
    assert paraphrases_open_to(project, both).filter(key="a").exists()
    row = {"request": "a", "kind": "standalone", "queries": ["anything"]}
    import_file(
        actor=both, project=project, kind="rewrites", filename="r.jsonl", data=lines([row]),
        target="other",
    )  # fmt: skip
    assert not paraphrases_open_to(project, both).filter(key="a").exists()
    assert paraphrases_open_to(project, both).filter(key="b").exists()


@pytest.mark.django_db
def test_a_run_has_no_case_of_a_request_whose_sheet_is_still_open() -> None:
    world = build()
    in_runs = set(Case.objects.values_list("request", flat=True))
    assert in_runs
    for name in ("annotator", "annotator-a"):
        still_open = sheets_open_to(world.project, world.people[name])
        assert still_open.exists()
        assert not in_runs & set(still_open.values_list("pk", flat=True))


def test_who_does_not_annotate_has_nothing_open(run: Run, engineer: Person) -> None:
    assert not still_open_to(person=engineer, project=run.project).exists()
    assert Request.objects.filter(project=run.project).exists()
