"""D60: an upload that does not arrive whole writes nothing."""

import socket
from http import HTTPStatus

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from pytest_django.live_server_helper import LiveServer

from annotation.importing import uploads
from annotation.models import ImportJob, Person, Project, Request
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


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "share, said",
    [
        pytest.param(0.5, 1.0, id="D60-connection-lost-half-way"),
        pytest.param(1.0, 0.5, id="D60-content-length-too-short"),
    ],
)
def test_a_connection_that_does_not_bring_what_it_promised_writes_nothing(
    share: float, said: float, project: Project, engineer: Person, live_server: LiveServer
) -> None:
    before, lying = everything_stored(), len(uploads.lying())
    send_raw(live_server, engineer, share, said)
    assert (everything_stored(), len(uploads.lying())) == (before, lying)


@pytest.mark.django_db(transaction=True)
def test_d60_a_whole_file_in_a_body_that_promised_more_only_waits_to_be_confirmed(
    project: Project, engineer: Person, live_server: LiveServer
) -> None:
    send_raw(live_server, engineer, share=1.0, said=1.5)
    assert ImportJob.objects.get().state == ImportJob.State.UPLOADED
    assert not Request.objects.exists()


def send_raw(live_server: LiveServer, engineer: Person, share: float, said: float) -> None:
    """Send that share of an upload, and say that it is so many times as long; then hang up."""
    client = Client()
    client.force_login(engineer)
    whole = body()
    head = (
        "POST /p/study/import/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        f"Cookie: sessionid={client.cookies['sessionid'].value}; csrftoken={'c' * 32}\r\n"
        f"X-CSRFToken: {'c' * 32}\r\nContent-Type: {MULTIPART_CONTENT}\r\n"
        f"Content-Length: {int(len(whole) * said)}\r\n\r\n"
    )
    address = (live_server.thread.host, live_server.thread.port)
    with socket.create_connection(address, timeout=30) as connection:
        connection.sendall(head.encode() + whole[: int(len(whole) * share)])
        connection.shutdown(socket.SHUT_WR)
        try:
            while connection.recv(65536):
                pass
        except ConnectionResetError:
            pass  # the server hung up on what it had not asked for
