"""The page on which people judge answers: blind to the arm, one at a time."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Person, Project
from evaluation.models import AnswerJudgement, Run
from evaluation.reports.judging.answer_page import pieces_of
from evaluation.runs.tasks import conclude_run
from tests.evaluation.services.test_answers import WRONG
from tests.evaluation.views.worlds import KEPT, run_with

Clients = Callable[[Person], Client]


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    return run_with(engineer, study, {"kept": KEPT, "wrong": WRONG})


def page(name: str = "answers", number: int = 1) -> str:
    return reverse(name, args=["study", number])


def shown(client: Client) -> tuple[dict[str, str], str]:
    """The words that answer the shown item, and the page."""
    response = client.get(page())
    item = response.context["shown"].item
    words = dict.fromkeys(item.asks, "yes")
    return {"answer": item.key, **words}, response.content.decode()


def test_the_page_names_no_arm_and_no_word_of_the_rule(
    run: Run, adjudicator: Person, client_of: Clients
) -> None:
    _said, text = shown(client_of(adjudicator))
    main = re.sub(r'value="[0-9a-f]+"', "", text[text.index("<main") : text.index("</main>")])
    told = ("kept", "wrong", "original", "human", "inacc", "typed_match", "supported/1", "rule:")
    assert [word for word in told if word in main] == []


def test_the_page_shows_the_request_the_right_answers_and_the_supporting_sentence(
    run: Run, adjudicator: Person, client_of: Clients
) -> None:
    response = client_of(adjudicator).get(page())
    found, text = response.context["shown"], response.content.decode()
    assert found.right and found.right[0] in text
    assert "<mark>" in text
    exposed = run.project.ledger.filter(kind="exposed", actor=adjudicator)
    assert [(e.subject, e.content["what"]) for e in exposed] == [("run 1", "results")]


def test_a_plain_post_leads_to_the_next(run: Run, adjudicator: Person, client_of: Clients) -> None:
    client = client_of(adjudicator)
    said, _text = shown(client)
    response = client.post(page("answer-judge"), {**said, "correct": "no", "note": "another year"})
    judged = AnswerJudgement.objects.get()
    assert (response.status_code, response.url) == (302, page())
    assert (judged.correct, judged.supported, judged.note) == ("no", "yes", "another year")
    assert shown(client)[0]["answer"] != said["answer"]


def test_htmx_gets_the_next_as_a_fragment(
    run: Run, adjudicator: Person, client_of: Clients
) -> None:
    client = client_of(adjudicator)
    said, _text = shown(client)
    response = client.post(page("answer-judge"), said, headers={"HX-Request": "true"})
    assert response.status_code == 200 and b"<html" not in response.content
    assert said["answer"] not in response.content.decode()


@pytest.mark.parametrize("more", [{}, {"HX-Request": "true"}])
@pytest.mark.parametrize("changed", [{"supported": ""}, {"correct": "maybe"}, {"answer": "0" * 64}])
def test_what_answers_not_every_question_is_422_and_keeps_the_words(
    run: Run, adjudicator: Person, client_of: Clients, changed: dict[str, str], more: dict[str, str]
) -> None:
    client = client_of(adjudicator)
    said, _text = shown(client)
    sent = {**said, "note": "kept note", **changed}
    response = client.post(page("answer-judge"), sent, headers=more)
    assert response.status_code == 422 and 'role="alert"' in response.content.decode()
    assert ("kept note" in response.content.decode()) == ("answer" not in changed)
    assert not AnswerJudgement.objects.exists()


def test_the_last_judgement_is_taken_back(
    run: Run, adjudicator: Person, client_of: Clients
) -> None:
    client = client_of(adjudicator)
    said, text = shown(client)
    assert "Take back my last" not in text
    client.post(page("answer-judge"), said)
    assert client.post(page("answer-undo")).url == page()
    assert shown(client)[0]["answer"] == said["answer"]
    assert not AnswerJudgement.objects.standing().exists()


def test_what_is_judged_so_far_can_be_counted(
    run: Run,
    adjudicator: Person,
    client_of: Clients,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks,  # type: ignore[no-untyped-def]
) -> None:
    monkeypatch.setattr(conclude_run, "delay", conclude_run.run)
    client = client_of(adjudicator)
    client.post(page("answer-judge"), shown(client)[0])
    with django_capture_on_commit_callbacks(execute=True):
        client.post(page("answer-count"))
    before = run.result_sha256
    run.refresh_from_db()
    assert run.result_sha256 != before


def test_when_nothing_waits_the_page_ends_calmly(
    run: Run, adjudicator: Person, client_of: Clients
) -> None:
    client = client_of(adjudicator)
    while client.get(page()).context["shown"]:
        client.post(page("answer-judge"), shown(client)[0])
    assert "No answer waits for you" in client.get(page()).content.decode()


def test_only_who_judges_sees_the_page_and_only_of_a_finished_run(
    run: Run, engineer: Person, stranger: Person, adjudicator: Person, client_of: Clients
) -> None:
    Run.objects.filter(pk=run.pk).update(state=Run.State.RUNNING)
    asked = (engineer, stranger, adjudicator)
    assert [client_of(person).get(page()).status_code for person in asked] == [403, 404, 404]


def test_the_judgements_page_leads_to_the_answers_of_the_newest_runs(
    run: Run, adjudicator: Person, client_of: Clients
) -> None:
    text = client_of(adjudicator).get(reverse("judgements", args=["study"])).content.decode()
    assert f'href="{page()}"' in text


def test_a_quote_is_marked_whatever_its_white_space() -> None:
    pieces = pieces_of("One\n two. Three (3) four. Five", ["One two.", "Three (3) four."])
    marked = [piece.text for piece in pieces if piece.state == "ins"]
    assert marked == ["One\n two.", "Three (3) four."]
    assert "".join(piece.text for piece in pieces) == "One\n two. Three (3) four. Five"
