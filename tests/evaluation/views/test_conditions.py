"""Freezing with parameters of the parts, and reading what was frozen."""

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Person, Project
from evaluation.models import Run
from evaluation.runs.tasks import work_on_run
from tests.evaluation.runs.small_study import begin, finish, freeze, register
from tests.evaluation.services.test_extending import bring

NEW = reverse("conditions-new", args=["study"])
PART = reverse("conditions-part", args=["study"])
SENT = {
    "retriever": "bm25", "reader": "extractive", "support": "sentences", "k": "2",
    "original": "last", "token_budget": "100",
}  # fmt: skip


def words(response: Any) -> str:
    return " ".join(unescape(response.content.decode()).split())


@pytest.fixture
def client(study: Project, engineer: Person, client_of: Callable[[Person], Client]) -> Client:
    return client_of(engineer)


@pytest.fixture
def with_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """A language model is set; it is described and never asked."""
    monkeypatch.setenv("INTACT_LLM_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("INTACT_LLM_MODEL", "fake-1")


def frozen(project: Project) -> dict[str, Any]:
    return dict(project.conditions.get().content)


def test_the_parts_are_shown_with_the_fields_of_those_chosen(client: Client) -> None:
    page = words(client.get(NEW))
    shown = (
        'value="bm25" checked', 'name="retriever-bm25-k1" value="1.2"',
        "Term frequency saturation, from 0.", 'name="reader-extractive-min_share"',
        'name="support-sentences-share"', "Default: 0.75.",
    )  # fmt: skip
    assert [text for text in shown if text not in page] == []


def test_a_query_names_the_part_whose_fields_are_shown(client: Client) -> None:
    page = words(client.get(NEW, {"retriever": "rrf", "k": "7", "retriever-rrf-constant": "10"}))
    assert 'value="rrf" checked' in page
    assert 'name="retriever-rrf-constant" value="10"' in page
    assert 'name="k" value="7"' in page
    assert "retriever-bm25-k1" not in page


def test_without_javascript_a_button_leads_to_that_query(client: Client, study: Project) -> None:
    sent = {**SENT, "retriever": "rrf", "k": "7", "show": "retriever"}
    response = client.post(NEW, {**sent, "csrfmiddlewaretoken": "t"})
    assert "retriever=rrf" in response.url
    assert "k=7" in response.url
    assert "csrf" not in response.url
    assert not study.conditions.exists()


def test_choosing_a_part_swaps_in_its_own_fields(client: Client) -> None:
    page = words(client.get(PART, {"kind": "retriever", "retriever": "hybrid"}))
    assert page.startswith('<fieldset class="parameters" id="retriever-parameters">')
    assert 'name="retriever-hybrid-dense_weight" value="1.0"' in page


def test_an_unknown_kind_of_part_is_no_page(client: Client) -> None:
    assert client.get(PART, {"kind": "rewriter"}).status_code == 404


def test_parameters_that_were_set_are_frozen(client: Client, study: Project) -> None:
    sent = {
        **SENT, "retriever-bm25-k1": "0.9", "reader-extractive-use_titles": "false",
        "support-sentences-share": "0.7",
    }  # fmt: skip
    assert client.post(NEW, sent).status_code == 302
    content = frozen(study)
    assert content["retriever"]["parameters"]["k1"] == 0.9
    assert content["retriever"]["parameters"]["b"] == 0.75
    assert content["reader"]["parameters"]["use_titles"] is False
    assert content["support_share"] == 0.7


def test_the_defaults_sent_as_shown_are_the_same_conditions_as_nothing_sent(
    client: Client, study: Project, engineer: Person
) -> None:
    before = freeze(engineer, study, k=2, token_budget=100)
    shown = {"retriever-bm25-k1": "1.2", "retriever-bm25-b": "0.75", "support-sentences-share": ""}
    client.post(NEW, {**SENT, **shown})
    assert study.conditions.get() == before


def test_what_was_typed_for_another_part_is_not_taken_for_this_one(
    client: Client, study: Project
) -> None:
    client.post(NEW, {**SENT, "retriever": "rank_bm25", "retriever-bm25-k1": "0.9"})
    assert frozen(study)["retriever"]["parameters"]["k1"] == 1.2


@pytest.mark.parametrize(
    ("more", "field", "sentence"),
    [
        ({"retriever-bm25-b": "2"}, "retriever-bm25-b", "b must lie between 0 and 1, not 2.0."),
        ({"retriever-bm25-k1": "x"}, "retriever-bm25-k1", "Enter a number."),
        ({"reader-extractive-stop_words": "no"}, "reader-extractive-stop_words", "valid choice"),
        (
            {"retriever": "dense", "retriever-dense-model_path": "/nowhere"},
            "retriever-dense-model_path",
            "There is no sentence-transformers model in /nowhere",
        ),
        ({"retriever": "http"}, "retriever-http-url", '"http" needs the address of your service'),
        (
            {"constraint_judge": "endpoint", "constraint_judge-endpoint-max_characters": "0"},
            "constraint_judge-endpoint-max_characters",
            "max_characters must be at least 1, not 0.",
        ),
        (
            {"constraint_judge": "endpoint", "constraint_judge-endpoint-temperature": "3"},
            "constraint_judge-endpoint-temperature",
            "temperature must lie between 0 and 2, not 3.0.",
        ),
    ],
)
def test_a_wrong_value_is_422_at_its_field(
    client: Client,
    study: Project,
    with_model: None,
    more: dict[str, str],
    field: str,
    sentence: str,
) -> None:
    response = client.post(NEW, {**SENT, **more})
    page = words(response)
    assert response.status_code == 422
    before, _found, _after = page.partition(sentence)
    assert _found
    assert f'name="{field}"' in before.rpartition('<div class="field">')[2]
    assert not study.conditions.exists()


@pytest.mark.sqlite
def test_a_part_that_cannot_be_had_here_is_listed_with_the_reason_and_refused(
    client: Client, study: Project
) -> None:
    page = words(client.get(NEW))
    assert 'value="pgvector" disabled' in page
    assert "searches in PostgreSQL" in page
    response = client.post(NEW, {**SENT, "retriever": "pgvector"})
    assert response.status_code == 422
    assert "pgvector cannot be had here: " in words(response)


def test_a_part_that_needs_a_model_is_not_selectable_without_one(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTACT_BUNDLED_LLM", "0")
    monkeypatch.delenv("INTACT_LLM_BASE_URL", raising=False)
    page = words(client.get(NEW))
    assert 'name="reader" value="endpoint" disabled' in page
    assert "needs a language model, and none is set" in page


def test_an_unknown_part_is_422_and_the_page_shows_the_usual_one(client: Client) -> None:
    response = client.post(NEW, {**SENT, "reader": "nothing"})
    assert response.status_code == 422
    assert 'name="reader" value="extractive" checked' in words(response)


def test_the_frozen_page_shows_every_parameter_in_words(
    client: Client, study: Project, engineer: Person
) -> None:
    conditions = freeze(
        engineer, study, retriever_parameters={"k1": 0.9}, reader_parameters={"use_titles": False}
    )
    page = words(client.get(reverse("conditions", args=["study", conditions.pk])))
    shown = (
        "<code>k1</code>", "<b dir=\"auto\">0.9</b>", "default 1.2", "default yes",
        "<code>stop_words</code>", "Length normalisation, 0 to 1.", "#retriever-bm25",
    )  # fmt: skip
    assert [text for text in shown if text not in page] == []


def test_a_frozen_part_that_is_gone_is_still_shown(
    client: Client, study: Project, engineer: Person
) -> None:
    conditions = freeze(engineer, study)
    conditions.content["retriever"]["name"] = "gone"
    conditions.save(update_fields=["content"])
    response = client.get(reverse("conditions", args=["study", conditions.pk]))
    assert response.status_code == 200
    assert "<code>k1</code>" in words(response)


@pytest.mark.parametrize(("sent", "fresh"), [({}, False), ({"fresh": "on"}, True)])
def test_a_run_computes_everything_anew_only_when_asked(
    client: Client,
    study: Project,
    engineer: Person,
    monkeypatch: pytest.MonkeyPatch,
    sent: dict[str, str],
    fresh: bool,
) -> None:
    monkeypatch.setattr(work_on_run, "delay", lambda run_id: None)
    protocol, conditions = register(engineer, study), freeze(engineer, study)
    address = reverse("conditions", args=["study", conditions.pk])
    client.post(address, {"protocol": protocol.pk, "arms": ["keywords"], **sent})
    assert Run.objects.get().fresh is fresh


def test_an_arm_that_cannot_run_here_is_not_offered(
    client: Client, study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTACT_BUNDLED_LLM", "0")
    monkeypatch.delenv("INTACT_LLM_BASE_URL", raising=False)
    run = begin(engineer, study, ["original"])
    page = words(client.get(reverse("conditions", args=["study", run.conditions_id])))
    assert 'name="arms" value="hyde" disabled' in page


def test_no_constraint_judge_is_chosen_until_somebody_chooses_one(
    client: Client, study: Project, with_model: None
) -> None:
    page = words(client.get(NEW))
    assert 'name="constraint_judge" value="none" checked' in page
    assert 'name="constraint_judge" value="endpoint"> ' in page
    client.post(NEW, SENT)
    assert "constraint_judge" not in frozen(study)


def test_a_constraint_judge_shows_its_parameters_and_is_frozen_with_them(
    client: Client, study: Project, with_model: None
) -> None:
    page = words(client.get(PART, {"kind": "constraint_judge", "constraint_judge": "endpoint"}))
    assert page.startswith('<fieldset class="parameters" id="constraint_judge-parameters">')
    assert 'name="constraint_judge-endpoint-max_characters" value="20000"' in page
    chosen = {"constraint_judge": "endpoint", "constraint_judge-endpoint-max_tokens": "99"}
    response = client.post(NEW, {**SENT, **chosen})
    assert frozen(study)["constraint_judge"]["parameters"]["max_tokens"] == 99
    page = words(client.get(response.url))
    assert "#constraint-judge-endpoint" in page
    assert "A user's request was rewritten for a search engine" in page
    assert page.count("Constraint judge") == 1


def test_a_constraint_judge_without_a_model_is_listed_with_the_reason_and_refused(
    client: Client, study: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTACT_BUNDLED_LLM", "0")
    monkeypatch.delenv("INTACT_LLM_BASE_URL", raising=False)
    assert 'name="constraint_judge" value="endpoint" disabled' in words(client.get(NEW))
    response = client.post(NEW, {**SENT, "constraint_judge": "endpoint"})
    assert response.status_code == 422
    assert "endpoint cannot be had here: needs a language model" in words(response)
    assert not study.conditions.exists()


def test_a_box_leaves_out_the_requests_on_which_new_rules_cannot_decide(
    client: Client, study: Project, engineer: Person
) -> None:
    finish(begin(engineer, study, ["original"]))
    bring(study)
    late = register(engineer, study, audit_per_kind=0)
    whole = client.post(NEW, SENT)
    refused = client.post(whole.url, {"protocol": late.pk})
    assert refused.status_code == 422
    assert "3 of the 4 requests of these Conditions had a result" in words(refused)
    only = client.post(NEW, {**SENT, "only_unseen": "on"})
    assert client.post(only.url, {"protocol": late.pk}).url == reverse("run", args=["study", 2])
