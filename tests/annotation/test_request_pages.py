from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from annotation import columns
from annotation.addresses import KeyConverter
from annotation.importing.fields import id_fault
from annotation.models import Person, Project
from annotation.services.exposure import was_exposed
from annotation.services.projects import set_member
from tests.annotation.conftest import Import

ClientOf = Callable[[Person], Client]


def page(client: Client, path: str) -> str:
    return client.get(path).content.decode()


def test_a_request_shows_conversation_answers_and_evidence(
    filled: Project, engineer: Person, client_of: ClientOf
) -> None:
    shown = page(client_of(engineer), "/p/study/requests/r1/")
    assert "4 million" in shown and "/p/study/corpus/1/d2/" in shown
    assert "Profit in 2022?" in page(client_of(engineer), "/p/study/requests/r2/")


def test_showing_the_answers_is_recorded_once(
    filled: Project, engineer: Person, client_of: ClientOf
) -> None:
    for _ in range(2):
        page(client_of(engineer), "/p/study/requests/r1/")
    assert filled.ledger.filter(kind="exposed", actor=engineer, subject="r1").count() == 1


def test_somebody_who_annotates_is_asked_before_the_answers_are_shown(
    filled: Project, owner: Person, engineer: Person, client_of: ClientOf
) -> None:
    set_member(actor=owner, project=filled, person=engineer, roles=["engineer", "annotator"])
    client = client_of(engineer)
    assert "4 million" not in page(client, "/p/study/requests/r1/")
    assert not was_exposed(person=engineer, project=filled, subject="r1")
    client.post("/p/study/requests/r1/")
    assert "4 million" in page(client, "/p/study/requests/r1/")
    assert was_exposed(person=engineer, project=filled, subject="r1")


def test_an_adjudicator_gets_no_link_into_the_corpus(
    filled: Project, adjudicator: Person, client_of: ClientOf
) -> None:
    shown = page(client_of(adjudicator), "/p/study/requests/r1/")
    assert "d2" in shown and "/corpus/" not in shown


def test_another_app_adds_a_column(
    filled: Project, engineer: Person, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "COLUMNS", [])
    columns.register_column("Contract", lambda rows: {row.pk: f"of {row.key}" for row in rows})
    monkeypatch.setattr("annotation.views.requests.COLUMNS", columns.COLUMNS)
    shown = page(client_of(engineer), "/p/study/requests/")
    assert "<td>of r1</td>" in shown and "<td>of r2</td>" in shown


def test_another_app_adds_a_section_or_keeps_silent(
    filled: Project, engineer: Person, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "SECTIONS", [])
    columns.register_section("Shown part", "annotation/_crumbs.html", lambda person, asked: {})
    columns.register_section("Silent part", "annotation/_crumbs.html", lambda person, asked: None)
    monkeypatch.setattr("annotation.views.requests.SECTIONS", columns.SECTIONS)
    shown = page(client_of(engineer), "/p/study/requests/r1/")
    assert "Shown part" in shown and "Silent part" not in shown


def test_the_list_is_paginated_and_filtered_by_class(
    project: Project, take_in: Import, engineer: Person, client_of: ClientOf
) -> None:
    rows = [{"id": f"q{n:03}", "class": "a" if n else "b", "text": "x?"} for n in range(60)]
    take_in("requests", rows)
    client = client_of(engineer)
    assert "q049" in page(client, "/p/study/requests/")
    assert "q050" not in page(client, "/p/study/requests/")
    assert "q059" in page(client, "/p/study/requests/?page=2")
    assert "q001" not in page(client, "/p/study/requests/?class=b")


def test_the_list_costs_the_same_number_of_queries_for_any_number_of_rows(
    project: Project,
    take_in: Import,
    engineer: Person,
    client_of: ClientOf,
    django_assert_max_num_queries: Callable[..., object],
) -> None:
    take_in("requests", [{"id": str(n), "class": "a", "text": "x?"} for n in range(40)])
    client = client_of(engineer)
    with django_assert_max_num_queries(20):  # type: ignore[attr-defined]
        client.get("/p/study/requests/")


@pytest.mark.parametrize("key", ["a/b", "..", "50%", "a?b#c", "%2F", "été 1"])
def test_an_id_with_any_visible_character_has_a_page(
    key: str, project: Project, take_in: Import, engineer: Person, client_of: ClientOf
) -> None:
    take_in("requests", [{"id": key, "class": "a", "text": "Here it is."}])
    assert "Here it is." in page(client_of(engineer), reverse("request", args=["study", key]))


@given(st.text(min_size=1, max_size=30).filter(lambda key: not id_fault(key)))
def test_every_id_survives_its_address(key: str) -> None:
    converter = KeyConverter()
    segment = converter.to_url(key)
    assert "/" not in segment and segment not in (".", "..")
    assert converter.to_python(segment) == key


def test_text_of_a_document_is_shown_as_text_never_as_markup(
    project: Project, take_in: Import, engineer: Person, client_of: ClientOf
) -> None:
    take_in("corpus", [{"_id": "d", "title": "<b>t</b>", "text": "<script>x</script>"}])
    shown = page(client_of(engineer), "/p/study/corpus/1/d/")
    assert "<script>x" not in shown and "<b>t" not in shown
