"""The world of tests/api/world.py, and programs that come in as its people."""

from collections.abc import Callable, Iterator

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client

from tests.api.world import World, build

Programs = Callable[[str], Client]


@pytest.fixture(autouse=True)
def one_connection() -> Iterator[None]:
    """A request that comes straight to the application would close the connection of the test's
    transaction; Django's own client keeps it in the same way.
    """
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def world(db: None) -> World:
    """Everything but a run, which takes longest to make."""
    return build(run=False)


@pytest.fixture
def program(world: World) -> Programs:
    """Make a client that sends a person's token: `program("owner").get(...)`."""
    return lambda name: Client(headers={"Authorization": f"Bearer {world.tokens[name]}"})
