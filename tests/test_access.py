"""The whole map of access: every route × verb × visitor against `tests/access.py`."""

from collections.abc import Iterator
from typing import Any

import pytest

from annotation.blindness import asking, routes
from tests.access import LINES
from tests.access_world import VERBS, WHO, access_world, statuses
from tests.api.world import World

pytestmark = pytest.mark.django_db
EVERY = {route.name: route for route in routes.every_route()}


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """Made once; every call is rolled back."""
    with django_db_blocker.unblock(), asking.undone():
        yield access_world()


@pytest.mark.parametrize("name", EVERY)
def test_every_route_has_its_line(name: str) -> None:
    assert name in LINES, f"The route “{name}” has no line in tests/access.py: say who gets what."


def test_no_line_is_of_a_route_that_is_gone() -> None:
    assert set(LINES) - set(EVERY) == set()


@pytest.mark.parametrize("name", sorted(set(LINES) & set(EVERY)))
def test_each_visitor_gets_what_the_line_says_with_every_verb(world: World, name: str) -> None:
    found = {
        verb: dict(zip(WHO, statuses(world, EVERY[name], verb), strict=True)) for verb in VERBS
    }
    expected = {verb: dict(zip(WHO, LINES[name][verb], strict=True)) for verb in VERBS}
    assert found == expected


@pytest.mark.parametrize("name", sorted(LINES))
def test_no_page_of_a_project_is_open_to_anybody_outside(name: str) -> None:
    route = EVERY[name]
    if "slug" not in route.arguments:
        return
    for verb, line in LINES[name].items():
        anonymous, stranger, former, *_members = line
        assert anonymous in (302, 401, 405), (name, verb)
        refused = (404, 405, 400, 415) if route.of_api else (404, 405)
        assert stranger in refused and former == stranger, (name, verb)
