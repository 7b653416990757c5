"""The run as JSON: what it says, and to whom."""

from collections.abc import Callable

import pytest
from django.http import HttpResponse
from django.test import Client

from annotation.models import Person, Project
from annotation.services.tokens import create_token
from evaluation.models import Run
from evaluation.reports.summary import run_json
from tests.evaluation.runs.small_study import begin, register
from tests.evaluation.services.test_extending import bring

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/projects/{}/runs/{}/"


def address(run: Run) -> str:
    return ADDRESS.format(run.project.slug, run.number)


def test_the_run_is_told_with_its_verdicts_and_progress(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    told = client_of(engineer).get(address(run)).json()
    assert told["verdicts"] == run_json(run)["verdicts"]
    assert told["progress"]["done"] == told["progress"]["total"] > 0


def test_nobody_but_who_may_see_results_is_told_anything(
    run: Run,
    annotator_a: Person,
    stranger: Person,
    client_of: Callable[[Person], Client],
    client: Client,
) -> None:
    statuses = [one.get(address(run)).status_code for one in (client_of(annotator_a), client)]
    assert statuses == [403, 401]
    assert client_of(stranger).get(address(run)).status_code == 404


def test_that_results_were_shown_is_recorded(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    client_of(engineer).get(address(run))
    entry = run.project.ledger.get(kind="exposed", actor=engineer)
    assert (entry.subject, entry.content) == (f"run {run.number}", {"what": "results"})


def test_runs_are_listed_the_newest_first(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    told = client_of(engineer).get(ADDRESS.format(run.project.slug, "").removesuffix("/")).json()
    assert [(row["number"], row["state"]) for row in told["results"]] == [(1, "finished")]


def test_a_pipeline_waits_with_a_token(run: Run, engineer: Person) -> None:
    _token, text = create_token(actor=engineer, name="pipeline", scopes=["read"])
    pipeline = Client(headers={"Authorization": f"Bearer {text}"})
    assert pipeline.get(address(run)).json()["state"] == "finished"


@pytest.fixture
def begun(study: Project, engineer: Person) -> Run:
    return begin(engineer, study, ["original", "human"])


def sent(client: Client, run: Run, act: str, **body: object) -> HttpResponse:
    return client.post(address(run) + f"{act}/", body, content_type="application/json")


def test_a_run_is_told_by_arm_and_stage_with_what_it_waits_for(
    begun: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    begun.cases.filter(arm__name="human").update(stages_done=1)
    Run.objects.filter(pk=begun.pk).update(state="running", notice="The model is away.")
    told = client_of(engineer).get(address(begun)).json()
    assert told["notice"] == "The model is away."
    assert told["progress"]["stages"] == {"rewrite": 3, "retrieve": 0, "answer": 0, "judge": 0}
    assert told["progress"]["arms"]["human"]["stages"]["rewrite"] == 3
    assert told["progress"]["estimate"] is None
    assert told["progress"]["no_estimate"] == "There is no estimate while the run waits."


def test_a_program_pauses_resumes_and_cancels(
    begun: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    client = client_of(engineer)
    states = [sent(client, begun, act).json()["state"] for act in ("pause", "resume", "cancel")]
    assert states == ["paused", "queued", "cancelled"]
    refused = sent(client, begun, "resume")
    assert refused.status_code == 422 and "which is final" in refused.json()["detail"]


def test_a_program_retries_and_concludes_without_the_failed(
    begun: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    begun.cases.update(state="failed", error="It timed out.")
    Run.objects.filter(pk=begun.pk).update(state="failed", error="It timed out.")
    client = client_of(engineer)
    concluded = sent(client, begun, "conclude", reason="They are few.").json()
    assert (concluded["state"], concluded["without_failed"]) == ("queued", True)
    retried = sent(client, begun, "retry").json()
    assert (retried["state"], retried["without_failed"]) == ("queued", False)
    assert retried["progress"]["failed"] == 0


def test_a_program_extends_a_run_and_is_told_of_the_new_one(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    answer = sent(client_of(engineer), run, "extend", arms=["keywords"])
    assert (answer.status_code, answer.json()["run"]) == (201, "study/2")
    assert set(answer.json()["progress"]["arms"]) == {"original", "human", "cand", "keywords"}


def test_reading_is_not_enough_to_control(begun: Run, engineer: Person) -> None:
    found = {}
    for scope in ("read", "manage", "run"):
        _token, text = create_token(actor=engineer, name=scope, scopes=[scope])
        client = Client(headers={"Authorization": f"Bearer {text}"})
        found[scope] = sent(client, begun, "pause").status_code
    assert found == {"read": 403, "manage": 403, "run": 200}


def test_a_run_says_what_voids_its_verdicts(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    client = client_of(engineer)
    assert client.get(address(run)).json()["void"] is None
    bring(run.project)
    newer = register(engineer, run.project, judging="human_for_all")
    told = client.get(address(run)).json()["void"]
    assert (told["version"], told["registered_at"][:19]) == (
        2, newer.registered_at.isoformat()[:19],
    )  # fmt: skip


def test_extending_a_void_run_is_refused_with_the_sentence(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    bring(run.project)
    register(engineer, run.project, judging="human_for_all")
    answer = client_of(engineer).post(
        f"{address(run)}extend/",
        {"arms": ["keywords"]},
        content_type="application/json",
    )
    assert answer.status_code == 422
    assert "gate 1 is superseded by version 2" in answer.content.decode()
