"""The world of tests/api/world.py, and programs that come in as its people."""

from collections.abc import Callable

import pytest
from django.test import Client

from tests.api.world import World, build

Programs = Callable[[str], Client]


@pytest.fixture
def world(db: None) -> World:
    """Everything but a run, which takes longest to make."""
    return build(run=False)


@pytest.fixture
def program(world: World) -> Programs:
    """Make a client that sends a person's token: `program("owner").get(...)`."""
    return lambda name: Client(headers={"Authorization": f"Bearer {world.tokens[name]}"})
