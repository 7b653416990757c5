"""The judge's page: blind to the arm, one at a time, until nothing waits."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Person, Project
from evaluation.models import Judgement, Run, Verdict
from evaluation.runs.tasks import conclude_run
from tests.evaluation.views.worlds import KEPT, run_with

NEXT = reverse("judgement-next", args=["study"])


@pytest.fixture
def waiting_run(study: Project, engineer: Person) -> Run:
    """A finished run in which every judgement of every arm waits for a person."""
    return run_with(engineer, study, {"cand": KEPT}, judging="human_for_all")


def page_of(client: Client, judgement: Judgement, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(
        "evaluation.views.judgements.next_to_judge", lambda **_: judgement, raising=True
    )
    text = client.get(NEXT).content.decode()
    text = text.replace(f"/judgements/{judgement.pk}/", "/judgements/ID/")
    return re.sub(r'("X-CSRFToken": |name="csrfmiddlewaretoken" value=)"[^"]+"', "TOKEN", text)


def test_the_same_rewrite_under_two_arms_gives_the_same_page(
    study: Project,
    engineer: Person,
    adjudicator: Person,
    client_of: Callable[[Person], Client],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = run_with(engineer, study, {"first": KEPT, "second": KEPT}, judging="human_for_all")
    one, two = (
        Judgement.objects.get(
            case__run=run, case__arm__name=arm, case__request__key="a", constraint__key="c1"
        )
        for arm in ("first", "second")
    )
    client = client_of(adjudicator)
    assert page_of(client, one, monkeypatch) == page_of(client, two, monkeypatch)


def test_the_page_names_no_arm_no_run_and_no_label_of_the_matcher(
    waiting_run: Run, adjudicator: Person, client_of: Callable[[Person], Client]
) -> None:
    page = client_of(adjudicator).get(NEXT).content.decode()
    main = page[page.index("<main") : page.index("</main>")]
    told = (
        "cand",
        "original",
        "human",
        "standalone",
        "matcher",
        "run 1",
        "/runs/",
        waiting_run.result_sha256,
    )
    assert [word for word in told if word in main] == []


def test_the_page_shows_the_question_the_constraint_and_the_rewrite(
    waiting_run: Run, adjudicator: Person, client_of: Callable[[Person], Client]
) -> None:
    response = client_of(adjudicator).get(NEXT)
    found = response.context["judgement"]
    page = response.content.decode()
    assert response.context["phrase"] in page
    assert '<mark data-kind="' in page
    exposed = waiting_run.project.ledger.filter(kind="exposed", actor=adjudicator)
    assert [(e.subject, e.content["what"]) for e in exposed] == [
        (found.case.request.key, "rewrite")
    ]


def test_settling_leads_to_the_next(
    waiting_run: Run, adjudicator: Person, client_of: Callable[[Person], Client]
) -> None:
    client = client_of(adjudicator)
    first = client.get(NEXT).context["judgement"]
    address = reverse("judgement-settle", args=["study", first.pk])
    response = client.post(address, {"outcome": "altered", "note": "another year"})
    settled = Judgement.objects.by_people().get()
    assert response.url == NEXT
    assert (settled.judgement, settled.why, settled.person) == (
        "altered", "another year", adjudicator,
    )  # fmt: skip
    assert client.get(NEXT).context["judgement"].pk != first.pk


@pytest.mark.parametrize("outcome", ["", "unsure", "release"])
def test_a_word_that_is_none_of_the_four_is_422_and_settles_nothing(
    outcome: str, waiting_run: Run, adjudicator: Person, client_of: Callable[[Person], Client]
) -> None:
    client = client_of(adjudicator)
    found = client.get(NEXT).context["judgement"]
    address = reverse("judgement-settle", args=["study", found.pk])
    response = client.post(address, {"outcome": outcome, "note": "kept note"})
    assert response.status_code == 422 and b"kept note" in response.content
    assert not Judgement.objects.by_people().exists()


def test_what_is_not_in_the_queue_is_404(
    waiting_run: Run, adjudicator: Person, client_of: Callable[[Person], Client]
) -> None:
    client = client_of(adjudicator)
    found = client.get(NEXT).context["judgement"]
    address = reverse("judgement-settle", args=["study", found.pk])
    client.post(address, {"outcome": "stated"})
    assert client.post(address, {"outcome": "dropped"}).status_code == 404


def test_the_last_judgement_computes_the_verdict_anew_and_ends_calmly(
    waiting_run: Run,
    adjudicator: Person,
    client_of: Callable[[Person], Client],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks,  # type: ignore[no-untyped-def]
) -> None:
    monkeypatch.setattr(conclude_run, "delay", conclude_run.run)
    client = client_of(adjudicator)
    with django_capture_on_commit_callbacks(execute=True):
        while "judgement" in (shown := client.get(NEXT)).context:
            pk = shown.context["judgement"].pk
            client.post(reverse("judgement-settle", args=["study", pk]), {"outcome": "stated"})
    verdicts = Verdict.objects.current(waiting_run)
    assert {verdict.version for verdict in verdicts} == {2}
    assert b"Nothing waits for you" in client.get(NEXT).content
