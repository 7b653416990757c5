"""Consent: asked before the first item, kept, asked again for another wording, withdrawn."""

from collections.abc import Callable
from http import HTTPStatus

import pytest
from django.test import Client

from annotation.models import Consent, Person, Project
from annotation.services import consent
from annotation.services.projects import Refused, change_project

ClientOf = Callable[[Person], Client]


@pytest.fixture
def asking(filled: Project, owner: Person) -> Project:
    return change_project(
        actor=owner, project=filled, settings={"consent_text": "Your words are published."}
    )


@pytest.fixture
def browser(asking: Project, annotator_a: Person, client_of: ClientOf) -> Client:
    return client_of(annotator_a)


def agree(browser: Client, project: Project) -> None:
    words = {"agree": "1", "text": consent.text_hash(project)}
    assert browser.post("/p/study/consent/", words)["Location"] == "/p/study/desk/"


def test_the_next_item_leads_to_the_consent_first(browser: Client, asking: Project) -> None:
    assert browser.post("/p/study/desk/next/sheet/")["Location"] == "/p/study/consent/"
    agree(browser, asking)
    assert "/desk/sheet/" in browser.post("/p/study/desk/next/sheet/")["Location"]


def test_a_study_without_a_text_asks_for_nothing(
    filled: Project, annotator_a: Person, client_of: ClientOf
) -> None:
    assert not consent.needed(annotator_a, filled)
    page = client_of(annotator_a).get("/p/study/consent/").content.decode()
    assert "to agree to nothing" in page


def test_a_reload_shows_the_tick_and_its_time(browser: Client, asking: Project) -> None:
    assert " checked" not in browser.get("/p/study/consent/").content.decode()
    agree(browser, asking)
    page = browser.get("/p/study/consent/").content.decode()
    assert " checked" in page and "Agreed 20" in page


def test_without_the_tick_nothing_is_agreed(browser: Client, asking: Project) -> None:
    response = browser.post("/p/study/consent/", {"text": consent.text_hash(asking)})
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Tick the box if you agree" in response.content.decode()
    assert not Consent.objects.exists()


def test_agreeing_twice_is_one_consent_and_one_ledger_entry(
    browser: Client, asking: Project
) -> None:
    agree(browser, asking)
    agree(browser, asking)
    assert Consent.objects.count() == asking.ledger.filter(kind="consent.given").count() == 1


def test_another_wording_asks_again_and_the_old_page_cannot_agree_to_it(
    browser: Client, asking: Project, owner: Person, annotator_a: Person
) -> None:
    agree(browser, asking)
    old = consent.text_hash(asking)
    change_project(actor=owner, project=asking, settings={"consent_text": "Another text."})
    assert consent.needed(annotator_a, asking)
    response = browser.post("/p/study/consent/", {"agree": "1", "text": old})
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "read it again" in response.content.decode()


def test_the_page_says_what_withdrawing_does_and_it_asks_again(
    browser: Client, asking: Project, annotator_a: Person
) -> None:
    agree(browser, asking)
    page = browser.get("/p/study/consent/").content.decode()
    assert "The sheets you sealed stay" in page and "are deleted for good" in page
    browser.post("/p/study/consent/withdraw/")
    browser.post("/p/study/consent/withdraw/")
    assert consent.needed(annotator_a, asking)
    assert asking.ledger.filter(kind="consent.withdrawn").count() == 1
    agree(browser, asking)
    assert Consent.objects.filter(withdrawn_at=None).count() == 1


def test_withdrawing_gives_the_items_at_work_back(browser: Client, asking: Project) -> None:
    agree(browser, asking)
    browser.post("/p/study/desk/next/sheet/")
    browser.post("/p/study/consent/withdraw/")
    assert list(asking.seats.values_list("state", flat=True)) == ["returned"]


def test_whoever_does_not_annotate_agrees_to_nothing(
    asking: Project, engineer: Person, client_of: ClientOf
) -> None:
    words = {"agree": "1", "text": consent.text_hash(asking)}
    response = client_of(engineer).post("/p/study/consent/", words)
    assert response.status_code == HTTPStatus.FORBIDDEN
    assert (
        "Your words are published" in client_of(engineer).get("/p/study/consent/").content.decode()
    )


def test_a_consent_needs_the_hash_of_a_text(filled: Project, annotator_a: Person) -> None:
    with pytest.raises(Refused):
        consent.give(actor=annotator_a, project=filled, text_sha256="")
