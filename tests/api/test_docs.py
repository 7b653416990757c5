"""The examples of docs/api.md run as they stand, in their order."""

import argparse
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.services import seats
from tests.api.world import World
from tests.evaluation.views.worlds import LOSSY, run_with

pytestmark = pytest.mark.django_db
PAGE = Path(__file__).parents[2] / "docs" / "api.md"
EXAMPLE = re.compile(r"```console\n\$ (curl .+)\n```\n(?:\n```json\n(.+)\n```)?")
FILES = {
    "requests.jsonl": b'{"id": "new", "class": "x", "text": "Why?"}',
    "faulty.jsonl": b'{"id": "new2", "class": "x", "text": 4}',
}
# Who asks: the address tells.
ANNOTATOR = "annotator-a"  # who has no work yet
AS = {"seats": ANNOTATOR, "work": ANNOTATOR, "me": ANNOTATOR, "people": "owner"}


def curl() -> argparse.ArgumentParser:
    """The options of curl that the page uses."""
    parser = argparse.ArgumentParser()
    parser.add_argument("-s", action="store_true")
    parser.add_argument("-X", default="")
    parser.add_argument("-H", action="append", default=[])
    parser.add_argument("-d", default=None)
    parser.add_argument("-F", action="append", default=[])
    parser.add_argument("-o", default="")
    parser.add_argument("address")
    return parser


def run(command: str, variables: dict[str, str]) -> Any:
    for name, value in variables.items():
        command = command.replace(f"${name}", value)
    said = curl().parse_args(shlex.split(command)[1:])
    headers = dict(header.split(": ", 1) for header in said.H)
    content_type = headers.pop("Content-Type", "application/json")
    client = Client(headers=headers)
    verb = said.X or ("POST" if said.d or said.F else "GET")
    if said.F:
        return client.post(said.address, dict(field(part) for part in said.F))
    if verb == "GET":
        return client.get(said.address)
    return client.generic(verb, said.address, said.d or "", content_type=content_type)


def field(part: str) -> tuple[str, Any]:
    name, _, value = part.partition("=")
    file = value.removeprefix("@")
    return name, SimpleUploadedFile(file, FILES[file]) if value.startswith("@") else value


def holds(shown: Any, told: Any) -> bool:
    """Whether what the page shows is a part of what was answered; “…” stands for anything."""
    if shown == "…":
        return told is not None
    if isinstance(shown, dict):
        return isinstance(told, dict) and all(
            name in told and holds(part, told[name]) for name, part in shown.items()
        )
    if isinstance(shown, list):
        return len(shown) == len(told) and all(map(holds, shown, told))
    return bool(shown == told)


def role_of(command: str) -> str:
    for part, role in AS.items():
        if f"/{part}/" in command:
            return role
    return "engineer"


def test_every_example_of_the_page_does_what_the_page_says(world: World) -> None:
    person = world.people[ANNOTATOR]
    seat = seats.take_next(actor=person, project=world.project, kind_name="sheet")
    assert seat
    seats.cannot_judge(actor=person, seat=seat, reason="not my field")  # of other words
    run_with(world.people["engineer"], world.project, {"cand": LOSSY})
    examples = EXAMPLE.findall(PAGE.read_text())
    assert len(examples) == PAGE.read_text().count("$ curl ") >= 10
    variables = {"INTACT": ""}
    for command, shown in examples:
        variables["TOKEN"] = world.tokens[role_of(command)]
        answer = run(command, variables)
        told = json.loads(answer.content) if shown else None
        if shown:
            assert holds(json.loads(shown), told), f"{command}\n{told}"
        else:
            assert answer.status_code == 200 and answer.getvalue(), command
        if "/work/" in command:
            variables["SEAT"] = told["id"]


def test_the_table_of_addresses_is_complete() -> None:
    from tests.api.routes import api_routes

    text = PAGE.read_text()
    for name, pattern in api_routes().items():
        last = str(pattern.pattern).rstrip("/").rpartition("/")[2]
        if name in ("api-schema", "api-nowhere", "api-project") or "<" in last:
            continue
        assert f"{last}/" in text, name
