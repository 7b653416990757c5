"""The pages of arms and parts: what there is, how a new arm is made, what each part does."""

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Person, Project
from evaluation.documenting import rooms
from evaluation.services.arms import make_arm
from tests.evaluation.runs.small_study import REFERENCES, begin, upload

ClientOf = Callable[[Person], Client]
LIST, NEW, PARTS = (reverse(name, args=["study"]) for name in ("arms", "arm-new", "parts"))


def words(response: Any) -> str:
    return " ".join(unescape(response.content.decode()).split())


@pytest.fixture
def client(study: Project, engineer: Person, client_of: ClientOf) -> Client:
    return client_of(engineer)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some language model is set, so that every rewriter can be had."""
    monkeypatch.setenv("INTACT_LLM_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("INTACT_LLM_MODEL", "fake-1")


@pytest.fixture
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTACT_BUNDLED_LLM", "0")
    monkeypatch.delenv("INTACT_LLM_BASE_URL", raising=False)


def test_a_project_without_arms_says_what_one_is_and_offers_the_first(client: Client) -> None:
    page = words(client.get(LIST))
    assert "An arm is what a run compares" in page
    assert f'href="{NEW}"' in page


def test_the_list_tells_what_each_arm_is_its_parameters_and_its_runs(
    client: Client, study: Project, engineer: Person
) -> None:
    upload(study, "cand", REFERENCES)
    make_arm(
        actor=engineer, project=study, name="short", rewriter="keywords",
        parameters={"max_words": 8},
    )  # fmt: skip
    run = begin(engineer, study, ["original", "short"])
    page = words(client.get(LIST))
    shown = (
        "uploaded rewrites", "One query of the request's keywords",
        "max_words = 8 instead of 32", reverse("run", args=["study", run.number]),
    )  # fmt: skip
    assert [text for text in shown if text not in page] == []


def test_only_an_arm_that_no_run_used_offers_to_be_deleted(
    client: Client, study: Project, engineer: Person
) -> None:
    for name in ("used", "unused"):
        make_arm(
            actor=engineer, project=study, name=name, rewriter="keywords",
            parameters={"max_words": 8},
        )  # fmt: skip
    begin(engineer, study, ["original", "used"])
    page = words(client.get(LIST))
    found = [reverse("arm-delete", args=["study", name]) in page for name in ("used", "unused")]
    assert found == [False, True]


def test_deleting_leads_back_to_the_list(client: Client, study: Project, engineer: Person) -> None:
    make_arm(actor=engineer, project=study, name="x", rewriter="keywords", parameters={})
    response = client.post(reverse("arm-delete", args=["study", "x"]))
    assert (response.url, study.arms.count()) == (LIST, 0)


def test_a_new_arm_begins_with_the_choice_of_a_rewriter(client: Client, model: None) -> None:
    page = words(client.get(NEW))
    assert f'href="{NEW}?rewriter=hyde"' in page
    assert "Passages that a model makes up" in page


def test_a_rewriter_that_needs_a_model_is_listed_with_the_reason_and_not_offered(
    client: Client, no_model: None
) -> None:
    page = words(client.get(NEW))
    assert f'href="{NEW}?rewriter=hyde"' not in page
    assert "needs a language model, and none is set" in page
    assert "hyde cannot be had here" in words(client.get(NEW, {"rewriter": "hyde"}))


def test_the_form_shows_every_parameter_with_its_default_and_its_docstring(
    client: Client, model: None
) -> None:
    page = words(client.get(NEW, {"rewriter": "hyde"}))
    shown = (
        'name="set-n" value="8"', 'name="set-temperature" value="0.7"',
        "Passages, each its own call with its own seed", "Default: 512.",
        '<option value="keep" selected>keep (default)</option>',
        '<option value="true" selected>yes (default)</option>',
        f'href="{PARTS}#rewriter-hyde"',
    )  # fmt: skip
    assert [text for text in shown if text not in page] == []


def test_a_list_of_choices_does_not_say_its_default_twice(client: Client, model: None) -> None:
    page = words(client.get(NEW, {"rewriter": "hyde"}))
    assert "Default: keep." not in page and "Default: yes." not in page


def test_an_address_that_is_never_called_is_refused_at_its_field_and_kept(client: Client) -> None:
    sent = {"rewriter": "http", "name": "x", "set-url": "nonsense", "set-deadline_s": "5"}
    response = client.post(NEW, sent)
    page = words(response)
    assert response.status_code == 422
    assert list(response.context["parameters"].errors) == ["url"]
    assert 'value="nonsense"' in page and 'value="5"' in page


def test_a_new_arm_can_begin_with_the_parameters_of_another(
    client: Client, study: Project, engineer: Person
) -> None:
    make_arm(
        actor=engineer, project=study, name="short", rewriter="keywords",
        parameters={"max_words": 8},
    )  # fmt: skip
    page = words(client.get(NEW, {"rewriter": "keywords", "from": "short"}))
    assert 'name="set-max_words" value="8"' in page


def test_making_an_arm_stores_what_differs_and_leads_to_the_list(
    client: Client, study: Project, model: None
) -> None:
    sent = {
        "rewriter": "hyde", "name": "hyde-4", "set-n": "4", "set-max_tokens": "512",
        "set-include_query": "false", "set-on_cut": "keep",
    }  # fmt: skip
    response = client.post(NEW, sent)
    assert response.url == LIST
    assert study.arms.get(name="hyde-4").parameters == {"n": 4, "include_query": False}


def test_sending_the_form_twice_makes_one_arm(client: Client, study: Project) -> None:
    sent = {"rewriter": "keywords", "name": "short", "set-max_words": "8"}
    assert [client.post(NEW, sent).status_code for _time in range(2)] == [302, 302]
    assert study.arms.count() == 1


def test_a_taken_name_with_other_parameters_is_told_at_the_name(
    client: Client, study: Project
) -> None:
    sent = {"rewriter": "keywords", "name": "short", "set-max_words": "8"}
    client.post(NEW, sent)
    response = client.post(NEW, {**sent, "set-max_words": "9"})
    before, _found, _after = words(response).partition("An arm never changes")
    assert response.status_code == 422
    assert 'name="name"' in before.rpartition('<div class="field">')[2]


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("set-max_words", "0", "max_words must be at least 1, not 0."),
        ("set-max_words", "many", "Enter a whole number."),
        ("name", "human", "is a name that every project has"),
        ("name", "two words", "letters (a to z)"),
        ("name", "", "This field is required."),
    ],
)
def test_a_wrong_value_is_422_at_its_field_and_keeps_what_was_typed(
    client: Client, study: Project, field: str, value: str, sentence: str
) -> None:
    sent = {"rewriter": "keywords", "name": "short", "set-max_words": "8", field: value}
    response = client.post(NEW, sent)
    page = words(response)
    assert response.status_code == 422
    assert sentence in page
    before, _found, _after = page.partition(sentence)
    assert f'name="{field}"' in before.rpartition('<div class="field">')[2]
    assert study.arms.count() == 0


def test_the_start_form_lists_the_arm_with_its_parameters(
    client: Client, study: Project, engineer: Person
) -> None:
    make_arm(
        actor=engineer, project=study, name="short", rewriter="keywords",
        parameters={"max_words": 8},
    )  # fmt: skip
    run = begin(engineer, study, ["original"])
    page = words(client.get(reverse("conditions", args=["study", run.conditions_id])))
    assert '<input type="checkbox" name="arms" value="short">' in page
    assert "keywords: max_words = 8 instead of 32" in page


def test_every_part_is_told_of_at_its_anchor(client: Client) -> None:
    page = words(client.get(PARTS))
    anchors = [f'id="{registry.slug}-{name}"' for registry in rooms() for name in registry.names()]
    assert [anchor for anchor in anchors if anchor not in page] == []


def test_a_part_has_its_source_its_parameters_and_their_defaults(client: Client) -> None:
    page = words(client.get(PARTS))
    shown = (
        "Gao et al. 2023", "evaluation/rewriters/hyde.py", "<code>include_query</code>",
        "yes or no", "keep · error", "version 1",
    )  # fmt: skip
    assert [text for text in shown if text not in page] == []


def test_an_owner_reads_arms_and_makes_none(
    study: Project, owner: Person, client_of: ClientOf
) -> None:
    client = client_of(owner)
    assert NEW not in words(client.get(LIST))
    assert client.get(NEW).status_code == 403
