"""64 processes race for two seats on each of 200 items: exactly 400 are given out."""

import json
import subprocess
from collections.abc import Callable

import pytest

from tests.services.installation import Installation

pytestmark = pytest.mark.services
RIGHT = {
    "seats": 400,
    "items": 200,
    "not_as_wanted": 0,
    "twice": 0,
    "took": 400,
    "told_nothing_wrongly": 0,
    "errors": [],
}


def race(installation: Installation) -> dict[str, object]:
    process = installation.begin("tests.services.claims", stdout=subprocess.PIPE)
    try:
        out, _error = process.communicate(timeout=240)
    finally:
        process.kill()
    found: dict[str, object] = json.loads(out.splitlines()[-1])
    return found


def test_on_postgresql_every_seat_is_given_out_once(
    on_postgres: Callable[..., Installation],
) -> None:
    assert race(on_postgres()) == RIGHT


def test_on_sqlite_every_seat_is_given_out_once(on_sqlite: Installation) -> None:
    assert race(on_sqlite) == RIGHT
