"""D60: an upload that does not arrive whole writes nothing."""

from http import HTTPStatus

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from annotation.models import Person, Project
from tests.annotation.conftest import lines
from tests.annotation.importing.conftest import everything_stored, request


def body() -> bytes:
    file = SimpleUploadedFile("requests.jsonl", lines([request(id=f"r{n}") for n in range(50)]))
    return encode_multipart(BOUNDARY, {"kind": "requests", "file": file})


@pytest.mark.parametrize(
    "end",
    [
        pytest.param(b'name="kind"', id="D60-cut-in-the-first-field"),
        pytest.param(b'{"id": "r25"', id="D60-cut-in-the-middle"),
        pytest.param(b'\n{"id": "r25"', id="D60-cut-between-two-rows"),
        pytest.param(b"\r\n--" + BOUNDARY.encode() + b"--", id="D60-cut-before-the-last-boundary"),
    ],
)
def test_an_upload_that_is_cut_writes_nothing(
    end: bytes, project: Project, engineer: Person
) -> None:
    client = Client()
    client.force_login(engineer)
    whole = body()
    before = everything_stored()
    response = client.generic(
        "POST", "/p/study/import/", whole[: whole.index(end)], content_type=MULTIPART_CONTENT
    )
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert everything_stored() == before
