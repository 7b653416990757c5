"""The OpenAPI description: valid, complete, for people only, and without rows."""

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import clear_script_prefix
from werkzeug.test import Client as Site

from config.wsgi import application
from tests.api.conftest import Programs
from tests.api.world import World

pytestmark = pytest.mark.django_db
ADDRESS = "/api/schema/"


@pytest.fixture(autouse=True)
def no_prefix_left() -> Iterator[None]:
    """What a request below a prefix leaves behind in its thread."""
    yield
    clear_script_prefix()


@pytest.fixture
def schema(program: Programs) -> dict[str, Any]:
    return json.loads(program("owner").get(ADDRESS).content)


def operations(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        f"{verb.upper()} {path}": operation
        for path, verbs in schema["paths"].items()
        for verb, operation in verbs.items()
    }


def test_the_description_is_valid_openapi_and_warns_of_nothing() -> None:
    out = io.StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=out)
    assert "openapi: 3" in out.getvalue()


def test_nobody_reads_the_description_without_logging_in(client: Client) -> None:
    assert client.get(ADDRESS).status_code == 401


def test_every_operation_says_what_it_answers_refuses_and_who_may_ask(
    schema: dict[str, Any],
) -> None:
    for name, operation in operations(schema).items():
        assert operation["security"] == [{"token": []}, {"cookieAuth": []}], name
        assert {"400", "401", "403", "404"} <= set(operation["responses"]), name
        assert any(status.startswith("2") for status in operation["responses"]), name
        assert operation["description"], name


def test_every_write_takes_a_key(schema: dict[str, Any]) -> None:
    for name, operation in operations(schema).items():
        keys = (
            [p for p in operation["parameters"] if p["name"] == "Idempotency-Key"]
            if ("parameters" in operation)
            else []
        )
        assert bool(keys) == (not name.startswith("GET")), name


def test_bodies_take_no_other_fields(schema: dict[str, Any]) -> None:
    sent = {k: v for k, v in schema["components"]["schemas"].items() if k.endswith("Sent")}
    assert sent and all(v["additionalProperties"] is False for v in sent.values())


def test_the_description_holds_no_row_of_the_study(world: World, schema: dict[str, Any]) -> None:
    told = json.dumps(schema)
    for word in ("Alder Foods", "w1", "annotator-a", str(world.seats["held"].public_id)):
        assert word not in told


def test_below_a_path_prefix_the_description_names_it(world: World) -> None:
    bearer = {"Authorization": f"Bearer {world.tokens['owner']}"}
    site = Site(application)
    answer = site.get(ADDRESS, base_url="http://testserver/intact/", headers=bearer)
    assert json.loads(answer.data)["servers"] == [{"url": "/intact"}]


def test_below_a_path_prefix_links_lead_there(world: World) -> None:
    bearer = {"Authorization": f"Bearer {world.tokens['owner']}"}
    first = Site(application).get(
        "/api/v1/projects/study/requests/?limit=1",
        base_url="http://testserver/intact/",
        headers=bearer,
    )
    assert first.json["next"].startswith(
        "http://testserver/intact/api/v1/projects/study/requests/?limit=1&cursor="
    )
