"""Programs that come in with a person's token."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from annotation.models import Person, Project
from annotation.services.tokens import SCOPES, create_token
from tests.annotation.conftest import filled, take_in

__all__ = ["filled", "take_in"]

Programs = Callable[..., Client]


def client_with(text: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {text}"})


@pytest.fixture
def program() -> Programs:
    """Make a client that sends a new token of the person: `program(owner).get(...)`."""

    def made(person: Person, *scopes: str, **options: Any) -> Client:
        wanted = scopes or tuple(SCOPES)
        return client_with(create_token(actor=person, name="p", scopes=wanted, **options)[1])

    return made


@pytest.fixture
def many(filled: Project, take_in: Any) -> Project:
    """The small study with seven requests."""
    take_in("requests", [{"id": f"m{n}", "class": "x", "text": f"Why {n}?"} for n in range(5)])
    return filled
