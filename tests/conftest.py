"""The personas of every page test, and one project in which each of them has one role."""

from collections.abc import Callable

import pytest
from django.test import Client
from hypothesis import settings
from playwright.sync_api import expect

from annotation.models import Person, Project
from annotation.services.projects import create_project, set_member

PASSWORD = "a long enough pass phrase"
expect.set_options(timeout=20_000)  # what a busy machine with two cores may take
# How long an example takes says something about the machine, nothing about the code.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
LONGEST = ("tests/walk/", "tests/services/", "tests/contracts/test_blindness.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first, so that no process waits for one of them at the end."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


def _person(username: str) -> Person:
    return Person.objects.create_user(username, password=PASSWORD)


@pytest.fixture
def owner(db: None) -> Person:
    return _person("owner")


@pytest.fixture
def annotator_a(db: None) -> Person:
    return _person("annotator-a")


@pytest.fixture
def annotator_b(db: None) -> Person:
    return _person("annotator-b")


@pytest.fixture
def adjudicator(db: None) -> Person:
    return _person("adjudicator")


@pytest.fixture
def engineer(db: None) -> Person:
    return _person("engineer")


@pytest.fixture
def stranger(db: None) -> Person:
    """Somebody with an account who is in no project."""
    return _person("stranger")


@pytest.fixture
def project(
    owner: Person,
    annotator_a: Person,
    annotator_b: Person,
    adjudicator: Person,
    engineer: Person,
) -> Project:
    """The project “study”, without words; every persona but the stranger has one role."""
    made = create_project(actor=owner, slug="study", name="Study")
    for person, role in (
        (annotator_a, "annotator"),
        (annotator_b, "annotator"),
        (adjudicator, "adjudicator"),
        (engineer, "engineer"),
    ):
        set_member(actor=owner, project=made, person=person, roles=[role])
    return made


@pytest.fixture
def client_of() -> Callable[[Person], Client]:
    """Make a browser in which the person is logged in: `client_of(owner).get(...)`."""

    def logged_in(person: Person) -> Client:
        client = Client()
        client.force_login(person)
        return client

    return logged_in
