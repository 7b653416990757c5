"""The judge's page: blind to the arm, the run, the judge's word and why a person is asked; one item
at a time, until nothing waits.
"""

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Person, Project, Seat
from annotation.services.projects import set_member
from evaluation.item_numbers import number_of
from evaluation.models import Judgement, Protocol, Run, Verdict
from evaluation.runs.tasks import conclude_run
from evaluation.services import judgements as service
from evaluation.services.runs import start_run
from tests.evaluation.judging import by_two, draw, item_of, judge_called, say, with_filters
from tests.evaluation.runs.small_study import finish, freeze, register, upload
from tests.evaluation.views.worlds import KEPT, run_with

NEXT = reverse("judgement-next", args=["study"])
PAGE = reverse("judgements", args=["study"])
Clients = Callable[[Person], Client]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def waiting_run(study: Project, engineer: Person) -> Run:
    """A finished run in which every judgement of every arm waits for a person."""
    made = run_with(engineer, study, {"cand": KEPT}, judging="human_for_all")
    draw(made)
    return made


@pytest.fixture
def client(adjudicator: Person, client_of: Clients) -> Client:
    return client_of(adjudicator)


def address(item: Judgement, person: Person, act: str = "settle") -> str:
    return reverse(f"judgement-{act}", args=["study", number_of(item.pk, person)])


def shown(client: Client, person: Person) -> tuple[Judgement, str]:
    """The item that the person is shown, and where its words go."""
    response = client.get(NEXT)
    item = response.context["item"]
    found = service.next_to_judge(actor=person, project=response.context["project"])
    assert found is not None and number_of(found.pk, person) == item.number
    return found, address(found, person)


def seen(client: Client, item: Judgement, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str, int]:
    """The page of an item without what differs each time, its headers, and its queries."""
    ahead = service.Ahead(service._shown().get(pk=item.pk), 3)
    with monkeypatch.context() as patched, CaptureQueriesContext(connection) as asked:
        patched.setattr("evaluation.views.judgements.look_ahead", lambda **_: ahead)
        response = client.get(NEXT)
    text = re.sub(r"/judgements/\d+/", "/judgements/N/", response.content.decode())
    text = re.sub(r'("X-CSRFToken": |name="csrfmiddlewaretoken" value=)"[^"]+"', "TOKEN", text)
    headers = sorted((name, value) for name, value in response.items() if name != "Content-Length")
    said = re.sub(r"nonce-[^']+|[0-9a-f-]{36}", "N", str(headers))
    return text, said, len(asked)


def _run_under(protocol: Protocol, engineer: Person, study: Project, name: str) -> Run:
    upload(study, name, KEPT)
    return finish(
        start_run(
            actor=engineer,
            project=study,
            protocol=protocol,
            conditions=freeze(engineer, study, k=2),
            arm_names=["original", "human", name],
        )
    )


# ---------------------------------------------------------------- blind


def test_the_same_rewrite_under_two_arms_gives_the_same_page(
    study: Project, engineer: Person, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_with(engineer, study, {"first": KEPT, "second": KEPT}, judging="human_for_all")
    one, two = (item_of(run, arm, "a", "c1") for arm in ("first", "second"))
    client.get(NEXT)
    seen(client, one, monkeypatch)  # the request is new to the ledger once
    assert seen(client, one, monkeypatch) == seen(client, two, monkeypatch)


def test_an_unsure_a_critical_and_a_drawn_item_look_the_same(
    study: Project, engineer: Person, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Letter by letter, with headers and the number of queries: the same words in three runs."""
    rules = {  # all of them before any result
        judging: register(engineer, study, judging, name=judging)
        for judging in ("automatic", "human_for_critical")
    }
    runs = [
        _run_under(rules[judging], engineer, study, name)
        for name, judging in (
            ("one", "automatic"),
            ("two", "human_for_critical"),
            ("three", "automatic"),
        )
    ]
    unsure, critical, drawn = (
        item_of(run, name, "a", "c2")
        for run, name in zip(runs, ("one", "two", "three"), strict=True)
    )
    Judgement.objects.filter(pk=unsure.pk).update(
        judgement="unsure", quote="Alder", why="Nobody knows.", by="matcher:other/9"
    )
    Judgement.objects.filter(pk=critical.pk).update(judgement="dropped", quote="", why="")
    Judgement.objects.filter(pk=drawn.pk).update(judgement="stated", quote="2022", by="model:m/1")
    draw(runs[2], drawn)
    pages = [seen(client, item, monkeypatch) for item in (unsure, unsure, critical, drawn)]
    assert pages[1] == pages[2] == pages[3]


def test_the_page_names_no_arm_no_run_and_no_label_of_the_judge(
    waiting_run: Run, client: Client
) -> None:
    page = client.get(NEXT).content.decode()
    main = page[page.index("<main") : page.index("</main>")]
    told = (
        *("cand", "original", "human", "standalone", "matcher", "run 1", "/runs/", "audit"),
        *("undecided", "unsure", waiting_run.result_sha256),
    )
    assert [word for word in told if word in main] == []


def test_numbers_of_items_say_nothing_of_their_place_and_differ_by_person(
    waiting_run: Run, adjudicator: Person, owner: Person
) -> None:
    pks = list(Judgement.objects.order_by("pk").values_list("pk", flat=True))
    numbers = [number_of(pk, adjudicator) for pk in pks]
    assert len(set(numbers)) == len(pks) and numbers != sorted(numbers)
    assert not set(numbers) & {number_of(pk, owner) for pk in pks}
    assert all(number > 10**12 for number in numbers)


def test_a_quote_of_the_judges_is_not_marked(waiting_run: Run, client: Client) -> None:
    Judgement.objects.update(quote="revenue")
    text = client.get(NEXT).content.decode()
    assert re.search(r"<mark[^>]*>revenue", text) is None


def test_nothing_of_a_request_that_is_still_open_to_the_reader(
    waiting_run: Run, study: Project, owner: Person, adjudicator: Person, client: Client
) -> None:
    Project.objects.filter(pk=study.pk).update(paraphrases_per_request=1)
    set_member(actor=owner, project=study, person=adjudicator, roles=["annotator", "adjudicator"])
    item = item_of(waiting_run, "cand", "a", "c1")
    draw(waiting_run, item)
    assert b"Nothing waits for you" in client.get(NEXT).content
    assert "items are judged" not in client.get(PAGE).content.decode()
    for act in ("settle", "later"):
        sent = client.post(address(item, adjudicator, act), {"outcome": "stated"})
        assert sent.status_code == 404
    assert not Judgement.objects.by_people().exists() and not Seat.objects.exists()


# ---------------------------------------------------------------- what is shown


def test_the_page_shows_the_question_the_constraint_and_the_rewrite(
    waiting_run: Run, adjudicator: Person, client: Client
) -> None:
    found, _there = shown(client, adjudicator)
    page = client.get(NEXT).content.decode()
    assert client.get(NEXT).context["item"].phrase in page
    assert '<mark data-kind="' in page
    exposed = waiting_run.project.ledger.filter(kind="exposed", actor=adjudicator)
    assert [(e.subject, e.content["what"]) for e in exposed] == [
        (found.case.request.key, "rewrite")
    ]


def test_filters_and_what_the_rewrite_asks_back_are_shown(
    waiting_run: Run, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = item_of(waiting_run, "cand", "a", "c2")
    row = item.case.stages.get(stage="rewrite")
    row.content = {**row.content, "filters": {"year": 2022}, "clarification": "Which quarter?"}
    row.save()
    text, _headers, _queries = seen(client, item, monkeypatch)
    assert '<mark data-kind="time">year</mark> = <mark data-kind="time">2022</mark>' in text
    assert "Which quarter?" in text


# ---------------------------------------------------------------- judging


def test_settling_leads_to_the_next(waiting_run: Run, adjudicator: Person, client: Client) -> None:
    first, there = shown(client, adjudicator)
    response = client.post(there, {"outcome": "altered", "note": "another year"})
    settled = Judgement.objects.by_people().get()
    assert response.url == NEXT
    assert (settled.judgement, settled.why, settled.person) == (
        "altered", "another year", adjudicator,
    )  # fmt: skip
    assert shown(client, adjudicator)[0].pk != first.pk


def test_by_htmx_the_next_item_comes_at_once_with_what_was_noted(
    waiting_run: Run, adjudicator: Person, client: Client
) -> None:
    found, there = shown(client, adjudicator)
    response = client.post(there, {"outcome": "stated"}, headers=HTMX)
    text = response.content.decode()
    assert response.status_code == 200 and "<html" not in text
    assert 'id="said" hx-swap-oob="innerHTML"' in text and "is stated." in text
    assert response.context["item"].number != number_of(found.pk, adjudicator)
    assert '<h1 tabindex="-1">' in text  # the script gives it the focus


@pytest.mark.parametrize("outcome", ["", "unsure", "release"])
def test_a_word_that_is_none_of_the_four_is_422_and_settles_nothing(
    outcome: str, waiting_run: Run, adjudicator: Person, client: Client
) -> None:
    _found, there = shown(client, adjudicator)
    response = client.post(there, {"outcome": outcome, "note": "kept note"})
    assert response.status_code == 422 and b"kept note" in response.content
    assert not Judgement.objects.by_people().exists()


def test_filtered_without_a_filter_is_422_with_the_reason_and_keeps_the_note(
    waiting_run: Run, adjudicator: Person, client: Client
) -> None:
    found, there = shown(client, adjudicator)
    response = client.post(there, {"outcome": "filtered", "note": "kept note"})
    text = response.content.decode()
    assert response.status_code == 422 and "kept note" in text
    assert "The rewrite has no filter, so nothing in it can be filtered." in text
    assert response.context["item"].number == number_of(found.pk, adjudicator)
    assert not Judgement.objects.by_people().exists()


def test_the_button_for_filtered_is_off_with_its_reason_where_no_filter_is(
    waiting_run: Run, adjudicator: Person, client: Client
) -> None:
    button = re.compile(r'<button[^>]* value="filtered"[^>]*>')
    off = client.get(NEXT).content.decode()
    assert 'disabled aria-describedby="no-filter"' in button.search(off)[0]
    assert "cannot be chosen: the rewrite has no filter" in off
    with_filters(waiting_run)
    on = client.get(NEXT).content.decode()
    assert "disabled" not in button.search(on)[0] and "no-filter" not in on


def test_an_earlier_filtered_without_a_filter_stays(
    waiting_run: Run, adjudicator: Person, client: Client
) -> None:
    found, there = shown(client, adjudicator)
    with_filters(waiting_run)
    said = say(adjudicator, found, "filtered")
    row = found.case.stages.get(stage="rewrite")
    row.content = {**row.content, "filters": {}}
    row.save(update_fields=["content"])
    client.post(there, {"outcome": "filtered"})
    assert Judgement.objects.by_people().get() == said


def test_a_settled_item_that_is_sent_again_is_a_sentence(
    waiting_run: Run, adjudicator: Person, client: Client
) -> None:
    _found, there = shown(client, adjudicator)
    client.post(there, {"outcome": "stated"})
    page = client.post(there, {"outcome": "dropped"}, follow=True)
    assert page.status_code == 200 and "your first word stands" in page.content.decode()
    assert Judgement.objects.by_people().get().judgement == "stated"


def test_an_item_that_another_settled_meanwhile_is_a_sentence(
    waiting_run: Run, adjudicator: Person, client: Client
) -> None:
    found, there = shown(client, adjudicator)
    say(judge_called("second", waiting_run), found, "altered")
    page = client.post(there, {"outcome": "dropped"}, headers=HTMX)
    assert page.status_code == 200 and "Somebody settled this" in page.content.decode()
    assert Judgement.objects.by_people().get().judgement == "altered"


@pytest.mark.parametrize("number", [1, 2**61, 2**64, 10**30])
def test_a_number_of_no_item_is_404(number: int, waiting_run: Run, client: Client) -> None:
    there = reverse("judgement-settle", args=["study", number])
    assert client.post(there, {"outcome": "stated"}).status_code == 404


def test_a_number_of_somebody_elses_is_404(
    waiting_run: Run, adjudicator: Person, client_of: Clients
) -> None:
    item = item_of(waiting_run, "cand", "a", "c1")
    other = client_of(judge_called("second", waiting_run))
    sent = other.post(address(item, adjudicator), {"outcome": "stated"})
    assert sent.status_code == 404


def test_what_is_put_off_makes_room_for_another(
    waiting_run: Run, adjudicator: Person, client: Client
) -> None:
    found, _there = shown(client, adjudicator)
    page = client.post(address(found, adjudicator, "later"), follow=True)
    assert "Put off" in page.content.decode()
    assert page.context["item"].number != number_of(found.pk, adjudicator)
    assert not Judgement.objects.filter(person=adjudicator).exists()


# ---------------------------------------------------------------- taking back


def test_the_last_word_is_taken_back_and_its_item_comes_with_what_was_said(
    waiting_run: Run, adjudicator: Person, client: Client
) -> None:
    found, there = shown(client, adjudicator)
    assert client.get(NEXT).context["undo"] is None
    client.post(there, {"outcome": "altered", "note": "another year"})
    undo = client.get(NEXT).context["undo"]
    assert (undo["number"], undo["word"]) == (number_of(found.pk, adjudicator), "altered")
    page = client.post(address(found, adjudicator, "undo"), follow=True)
    text = page.content.decode()
    assert page.context["item"].number == undo["number"]
    assert "You said <b>altered</b> and took it back" in text and "another year" in text
    assert not Judgement.objects.by_people().exists()


def test_by_htmx_the_item_comes_back_at_once(
    waiting_run: Run, adjudicator: Person, client: Client
) -> None:
    found, there = shown(client, adjudicator)
    client.post(there, {"outcome": "stated"})
    response = client.post(address(found, adjudicator, "undo"), headers=HTMX)
    text = response.content.decode()
    assert response.status_code == 200 and "<html" not in text and "Taken back" in text
    assert response.context["item"].number == number_of(found.pk, adjudicator)


def test_a_second_press_of_undo_is_a_sentence(
    waiting_run: Run, adjudicator: Person, client: Client
) -> None:
    for _time in range(2):
        found, there = shown(client, adjudicator)
        client.post(there, {"outcome": "stated"})
    client.post(address(found, adjudicator, "undo"))
    page = client.post(address(found, adjudicator, "undo"), follow=True)
    assert "You took this word back already" in page.content.decode()
    assert Judgement.objects.by_people().count() == 1


def test_what_was_put_off_before_it_was_judged_comes_back_all_the_same(
    waiting_run: Run, adjudicator: Person, client: Client
) -> None:
    found, there = shown(client, adjudicator)
    client.post(address(found, adjudicator, "later"))
    client.post(there, {"outcome": "stated"})
    page = client.post(address(found, adjudicator, "undo"), follow=True)
    assert page.context["item"].number == number_of(found.pk, adjudicator)


def test_what_another_said_is_not_offered_to_be_taken_back(
    waiting_run: Run, adjudicator: Person, client: Client
) -> None:
    item = item_of(waiting_run, "cand", "a", "c1")
    say(judge_called("second", waiting_run), item, "stated")
    assert client.get(NEXT).context["undo"] is None
    page = client.post(address(item, adjudicator, "undo"), follow=True)
    assert page.status_code == 200 and Judgement.objects.by_people().exists()


def test_the_last_judgement_computes_the_verdict_anew_and_says_what_comes_next(
    waiting_run: Run,
    adjudicator: Person,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks,  # type: ignore[no-untyped-def]
) -> None:
    monkeypatch.setattr(conclude_run, "delay", conclude_run.run)
    with django_capture_on_commit_callbacks(execute=True):
        while "item" in client.get(NEXT).context:
            client.post(shown(client, adjudicator)[1], {"outcome": "stated"})
    verdicts = Verdict.objects.current(waiting_run)
    assert {verdict.version for verdict in verdicts} == {2}
    page = client.get(NEXT).content.decode()
    assert "Nothing waits for you" in page and "Take back my last word" in page
    assert reverse("answers", args=["study", 1]) in page


# ---------------------------------------------------------------- how far a run is


def test_the_page_says_how_far_each_run_is_and_why(
    study: Project, engineer: Person, adjudicator: Person, client: Client
) -> None:
    run = run_with(engineer, study, {"cand": KEPT})
    unsure, drawn = item_of(run, "original", "a", "c1"), item_of(run, "cand", "a", "c1")
    Judgement.objects.update(judgement="stated")
    Judgement.objects.filter(pk=unsure.pk).update(judgement="unsure")
    draw(run, drawn)
    page = client.get(PAGE).content.decode()
    assert "2 items wait for you." in page and "0 of 2 items are judged" in page
    assert "the judge is unsure of them" in page and "drawn from those" in page
    say(adjudicator, unsure, "stated")
    assert "1 of 2 items are judged" in client.get(PAGE).content.decode()


def test_what_waits_for_somebody_else_is_said(
    waiting_run: Run, adjudicator: Person, client: Client
) -> None:
    say(adjudicator, service.queue(by_two(waiting_run))[0], "stated")
    page = client.get(PAGE).content.decode()
    assert "1 waits for somebody else" in page
    assert "Two people judge each item" in page


def test_agreement_is_told_once_nothing_waits_for_the_reader(
    waiting_run: Run, adjudicator: Person, client: Client
) -> None:
    by_two(waiting_run)
    second = judge_called("second", waiting_run)
    items = list(service.queue(waiting_run))
    for item in items[1:]:
        say(second, item, "stated")
        say(adjudicator, item, "stated")
    assert "It is shown once nothing" in client.get(PAGE).content.decode()
    say(adjudicator, items[0], "dropped")
    say(second, items[0], "stated")
    page = client.get(PAGE).content.decode()
    assert f"The same word for {len(items) - 1} of {len(items)} items" in page
    assert "alpha over the four words" in page
