import json
import logging

import pytest
from django.db import OperationalError, connection
from django.test import Client, RequestFactory

from annotation.views.errors import server_error


def test_health_is_public_and_names_both_parts(client: Client, db: None) -> None:
    response = client.get("/healthz")
    assert response.status_code == 200
    assert response.json() == {"web": "ok", "database": "ok", "worker_took_seconds_ago": None}


def test_a_database_that_fails_makes_503(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise OperationalError("gone")

    with monkeypatch.context() as patched:
        patched.setattr(connection, "cursor", fail)
        response = client.get("/healthz")
    assert response.status_code == 503
    assert json.loads(response.content)["database"] != "ok"


def test_a_fault_of_ours_shows_the_number_that_the_log_has(
    rf: RequestFactory, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        try:
            raise ValueError("inside")
        except ValueError:
            response = server_error(rf.get("/somewhere/"))
    number = caplog.records[0].getMessage().split()[1]
    assert response.status_code == 500 and number in response.content.decode()
    assert "inside" not in response.content.decode()
