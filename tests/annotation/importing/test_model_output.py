"""Requests that bring a model's output: nothing of it is shown to annotators or counted as done."""

import datetime
from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import Person, Project, Request, Seat
from contracts.models import Sheet
from tests.annotation.importing.conftest import TakeIn, request

OUTPUT = {
    name: f"canary-{name}" for name in ("gold", "label", "prediction", "rewrite", "score", "model")
}


@pytest.fixture
def brought(project: Project, put_in: TakeIn) -> Request:
    put_in("requests", [request(**OUTPUT, answers=["canary-answer"])])
    return Request.objects.get()


def test_it_is_kept_as_metadata(brought: Request) -> None:
    assert brought.metadata == OUTPUT


def test_nothing_is_done_by_it(brought: Request) -> None:
    assert not Seat.objects.exists() and not Sheet.objects.exists()


def test_the_study_says_that_nothing_is_done(
    brought: Request, owner: Person, client_of: Callable[[Person], Client]
) -> None:
    page = client_of(owner).get("/p/study/").content.decode()
    assert "canary" not in page


def test_an_annotator_is_shown_none_of_it(
    brought: Request, annotator_a: Person, client_of: Callable[[Person], Client]
) -> None:
    browser = client_of(annotator_a)
    pages = [browser.get("/p/study/desk/"), browser.post("/p/study/desk/next/sheet/", follow=True)]
    assert Seat.objects.filter(holder=annotator_a).exists()
    assert all("canary" not in page.content.decode() for page in pages)
    assert brought.text in pages[1].content.decode()


def test_a_request_without_a_date_is_asked_on_the_projects(
    project: Project, put_in: TakeIn
) -> None:
    put_in("requests", [request()])
    project.reference_date = datetime.date(2024, 6, 30)
    project.save(update_fields=["reference_date"])
    asked = Request.objects.with_words().get()
    assert (asked.reference_date, asked.asked_on) == (None, datetime.date(2024, 6, 30))
