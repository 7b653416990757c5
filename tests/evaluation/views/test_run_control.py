"""The acts on a run that has started, as pages: without JavaScript, and who may not."""

from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Person, Project
from evaluation.models import Run
from evaluation.runs.tasks import conclude_run
from tests.evaluation.runs.small_study import begin, finish

ClientOf = Callable[[Person], Client]
ACTS = ("pause", "resume", "retry", "cancel", "conclude", "extend")


@pytest.fixture
def begun(study: Project, engineer: Person) -> Run:
    return begin(engineer, study, ["original", "human"])


@pytest.fixture
def failed(begun: Run) -> Run:
    finish(begun)
    begun.cases.filter(arm__name="human", request__key="b").update(
        state="failed", status="timed_out", error="The endpoint timed out."
    )
    Run.objects.filter(pk=begun.pk).update(state="failed", error="The endpoint timed out.")
    begun.refresh_from_db()
    return begun


def at(act: str = "") -> str:
    return reverse(f"run-{act}" if act else "run", args=["study", 1])


def words(response) -> str:  # type: ignore[no-untyped-def]
    return " ".join(unescape(response.content.decode()).split())


def acts_on(page: str) -> list[str]:
    """The acts that the page offers, by where they lead."""
    return [act for act in ACTS if f'action="{at(act)}"' in page or f'href="{at(act)}"' in page]


def test_a_failed_run_with_cases_that_nobody_began_offers_to_resume_and_waits_for_nothing(
    failed: Run, engineer: Person, client_of: ClientOf
) -> None:
    failed.cases.filter(arm__name="human", request__key="a").update(state="pending")
    Run.objects.filter(pk=failed.pk).update(notice="It is asked again in 4 s.")
    page = words(client_of(engineer).get(at()))
    assert acts_on(page)[:1] == ["resume"] and "conclude" not in acts_on(page)
    assert "1 failed" in page and "given up" not in page and "asked again" not in page


@pytest.mark.parametrize(
    ("state", "offered"),
    [
        ("queued", ["pause", "cancel"]),
        ("running", ["pause", "cancel"]),
        ("paused", ["resume", "cancel"]),
        ("cancelled", ["extend"]),
    ],
)
def test_the_page_offers_what_can_be_done_in_each_state(
    state: str, offered: list[str], begun: Run, engineer: Person, client_of: ClientOf
) -> None:
    Run.objects.filter(pk=begun.pk).update(state=state)
    assert acts_on(words(client_of(engineer).get(at()))) == offered


def test_a_failed_run_is_retried_concluded_without_or_extended(
    failed: Run, engineer: Person, client_of: ClientOf
) -> None:
    page = words(client_of(engineer).get(at()))
    assert acts_on(page) == ["retry", "conclude", "extend"]
    assert "Conclude without the 1 failed of 6…" in page
    assert "1 of 6</b> The endpoint" in page and "The endpoint timed out." in page


def test_an_owner_may_conclude_and_nothing_else(
    failed: Run, owner: Person, client_of: ClientOf
) -> None:
    assert acts_on(words(client_of(owner).get(at()))) == ["conclude"]


def test_pausing_and_resuming_are_plain_posts_that_lead_back(
    begun: Run, engineer: Person, client_of: ClientOf
) -> None:
    client = client_of(engineer)
    states = []
    for act in ("pause", "resume"):
        assert client.post(at(act)).url == at()
        begun.refresh_from_db()
        states.append(begun.state)
    assert states == ["paused", "queued"]


def test_cancelling_asks_first_and_says_what_is_kept(
    begun: Run, engineer: Person, client_of: ClientOf
) -> None:
    client = client_of(engineer)
    asked = words(client.get(at("cancel")))
    begun.refresh_from_db()
    before = begun.state
    client.post(at("cancel"))
    begun.refresh_from_db()
    assert "Cancel run 1 for good?" in asked and "0 of 6 cases are closed" in asked
    assert (before, begun.state) == ("queued", "cancelled")


def test_what_somebody_did_meanwhile_is_a_sentence_on_the_run_s_page(
    begun: Run, engineer: Person, client_of: ClientOf
) -> None:
    Run.objects.filter(pk=begun.pk).update(state="cancelled")
    page = words(client_of(engineer).post(at("pause"), follow=True))
    assert "Run 1 is cancelled: there is nothing to pause." in page


def test_concluding_says_how_many_of_how_many_are_missing_under_each_arm(
    failed: Run, engineer: Person, client_of: ClientOf
) -> None:
    page = words(client_of(engineer).get(at("conclude")))
    assert "1 of 6 cases would be missing." in page
    row = page[page.index('<th scope="row">human') :][:120]
    assert '<td class="n">1</td><td class="n">0</td><td class="n">3</td>' in row


def test_concluding_without_a_reason_is_422(
    failed: Run, engineer: Person, client_of: ClientOf
) -> None:
    assert client_of(engineer).post(at("conclude"), {"reason": " "}).status_code == 422


def test_a_run_concluded_without_cases_says_so_above_its_verdicts(
    failed: Run, engineer: Person, client_of: ClientOf
) -> None:
    client = client_of(engineer)
    client.post(at("conclude"), {"reason": "One of six is little."})
    conclude_run(failed.pk)
    page = words(client.get(at()))
    assert "1 of 6 cases has no result." in page and "1 of 3 under human" in page
    assert "One of six is little." in page and "engineer, who had the run concluded" in page
    assert "Retry the 1 failed in a new run" in page


def test_a_run_that_has_everything_has_no_banner(
    begun: Run, engineer: Person, client_of: ClientOf
) -> None:
    finish(begun)
    assert "run-coverage" not in words(client_of(engineer).get(at()))


def test_extending_offers_the_arms_that_the_run_lacks(
    begun: Run, engineer: Person, client_of: ClientOf
) -> None:
    finish(begun)
    page = words(client_of(engineer).get(at("extend")))
    offered = [f'value="{name}"' in page for name in ("original", "human", "keywords")]
    assert offered == [False, False, True]
    assert "No request and no contract came since" in page


def test_extending_leads_to_the_new_run(begun: Run, engineer: Person, client_of: ClientOf) -> None:
    finish(begun)
    response = client_of(engineer).post(at("extend"), {"arms": ["keywords"]})
    assert response.url == reverse("run", args=["study", 2])


@pytest.mark.parametrize("sent", [{}, {"arms": ["nobody"]}], ids=["nothing", "unknown"])
def test_an_extension_that_cannot_be_is_422_with_a_sentence(
    sent: dict[str, list[str]], begun: Run, engineer: Person, client_of: ClientOf
) -> None:
    finish(begun)
    response = client_of(engineer).post(at("extend"), sent)
    assert response.status_code == 422 and Run.objects.count() == 1
    assert 'class="errorlist' in words(response)


@pytest.mark.parametrize("act", ACTS)
def test_whoever_only_annotates_controls_no_run(
    act: str, failed: Run, annotator_a: Person, stranger: Person, client_of: ClientOf
) -> None:
    statuses = [client_of(one).post(at(act)).status_code for one in (annotator_a, stranger)]
    failed.refresh_from_db()
    assert (statuses, failed.state) == ([403, 404], "failed")


def test_the_list_says_how_far_runs_without_a_result_are(
    begun: Run, engineer: Person, client_of: ClientOf
) -> None:
    Run.objects.filter(pk=begun.pk).update(state="paused")
    page = words(client_of(engineer).get(reverse("runs", args=["study"])))
    assert "paused" in page and "0 of 6 cases closed" in page


def test_what_a_cancelled_run_computed_stays_readable_and_its_verdict_page_is_none(
    begun: Run, engineer: Person, client_of: ClientOf
) -> None:
    finish(begun)
    begun.cases.exclude(request__key="a").update(state="pending", stages_done=0)
    begun.cases.update(outcome=None)
    Run.objects.filter(pk=begun.pk).update(state="cancelled", result=None)
    client = client_of(engineer)
    case = reverse("case", args=["study", 1, "a"])
    page = words(client.get(at()))
    read, matrix = client.get(case), client.get(reverse("matrix", args=["study", 1]))
    assert f'href="{case}"' in page and ">1 request for which" in page
    assert (read.status_code, matrix.status_code) == (200, 404)
    assert {row.arm.name for row in read.context["cases"]} == {"original", "human"}
    assert "reported revenue of EUR 10 million" in words(read)
