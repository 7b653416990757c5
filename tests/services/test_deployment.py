"""What the deployment files say, against what the product reads."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings

from annotation.management.commands.check_worker import END_AFTER_S
from annotation.services.heartbeats import RECENT_S

ROOT = Path(__file__).parents[2]
SECRETS = {"INTACT_SECRET_KEY", "POSTGRES_PASSWORD", "REDIS_PASSWORD"}


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def read_in_settings() -> set[str]:
    reads = r'(?:env|env_bool|setdefault)\(\s*"([A-Z_]+)"'
    return set(re.findall(reads, _text("config/settings.py")))


def known_variables() -> set[str]:
    """What the settings read, and what the parts of a run do."""
    sources = sorted((ROOT / "evaluation").rglob("*.py"))
    named = re.findall(r'"(INTACT_[A-Z_]+)"', "".join(s.read_text() for s in sources))
    return read_in_settings() | set(named)


OF_CELERY = {"REMAP_SIGTERM"}


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    return yaml.safe_load(_text("docker-compose.yml"))["services"]


def in_example() -> dict[str, str]:
    lines = [line for line in _text(".env.example").splitlines() if line and line[0] != "#"]
    return dict(line.split("=", 1) for line in lines)


def test_the_settings_read_some_variables() -> None:
    assert {"INTACT_SECRET_KEY", "DATABASE_URL", "INTACT_DEMO", "HF_HUB_OFFLINE"} <= (
        read_in_settings()
    )


@pytest.mark.parametrize("name", ["migrate", "web", "worker"])
def test_every_variable_that_is_passed_is_read(services: dict[str, Any], name: str) -> None:
    assert set(services[name]["environment"]) <= known_variables() | OF_CELERY


@pytest.mark.parametrize("name", sorted(known_variables()))
def test_every_variable_is_documented(name: str) -> None:
    assert f"| `{name}` |" in _text("docs/settings.md")


def test_every_variable_that_compose_asks_for_is_in_the_example() -> None:
    asked = set(re.findall(r"\$\{([A-Z_]+)", _text("docker-compose.yml")))
    assert asked == set(in_example())


def test_every_variable_of_the_example_is_documented() -> None:
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", _text("docs/settings.md"), re.MULTILINE))
    assert set(in_example()) <= documented


def test_secrets_are_empty_in_the_example() -> None:
    values = in_example()
    assert {values[name] for name in SECRETS | {"INTACT_LLM_API_KEY"}} == {""}


@pytest.mark.parametrize("name", sorted(SECRETS))
def test_a_secret_has_no_default(name: str) -> None:
    uses = re.findall(rf"\$\{{{name}(..)", _text("docker-compose.yml"))
    assert uses and set(uses) == {":?"}


@pytest.mark.parametrize("name", ["web", "worker", "db", "redis"])
def test_every_lasting_service_has_a_health_check(services: dict[str, Any], name: str) -> None:
    assert services[name]["healthcheck"]["test"]


def test_the_worker_is_asked_what_it_took_and_ended_when_it_takes_nothing(
    services: dict[str, Any],
) -> None:
    worker = services["worker"]
    command = worker["healthcheck"]["test"]
    assert command == ["CMD", "python", "manage.py", "check_worker", "--end", "1"]
    assert worker["command"][0] == "celery"  # without a shell or init, so it is process 1
    assert "init" not in worker and worker["restart"] == "unless-stopped"


def test_a_worker_with_the_longest_task_in_each_process_is_not_unhealthy(
    services: dict[str, Any],
) -> None:
    check = services["worker"]["healthcheck"]
    seconds = RECENT_S + (check["retries"] - 1) * float(check["interval"].rstrip("s"))
    assert settings.CELERY_TASK_TIME_LIMIT < seconds < END_AFTER_S
    assert float(check["start_period"].rstrip("s")) >= RECENT_S


@pytest.mark.parametrize("name", ["web", "worker"])
def test_nothing_starts_before_the_migrations_are_done(services: dict[str, Any], name: str) -> None:
    needed = services[name]["depends_on"]["migrate"]
    assert needed == {"condition": "service_completed_successfully"}


def test_the_queue_keeps_its_messages(services: dict[str, Any]) -> None:
    command = services["redis"]["command"][-1]
    assert "--appendonly yes" in command and "--maxmemory-policy noeviction" in command


def test_a_worker_that_docker_stops_has_the_time_to_give_its_tasks_back(
    services: dict[str, Any],
) -> None:
    worker = services["worker"]
    assert worker["environment"]["REMAP_SIGTERM"] == "SIGQUIT"
    assert float(worker["stop_grace_period"].rstrip("s")) >= (
        settings.CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT + 10
    )


@pytest.mark.parametrize("name", ["db", "redis"])
def test_database_and_queue_are_not_published(services: dict[str, Any], name: str) -> None:
    assert "ports" not in services[name]


def test_the_web_server_is_published_on_loopback_only(services: dict[str, Any]) -> None:
    assert all(port.startswith("127.0.0.1:") for port in services["web"]["ports"])


def test_the_image_runs_as_a_user_without_rights() -> None:
    lines = _text("Dockerfile").splitlines()
    assert "USER intact" in lines
    assert lines.index("USER intact") < next(n for n, x in enumerate(lines) if x.startswith("CMD"))


@pytest.mark.parametrize(
    "copied", re.findall(r"^COPY (.+) \S+$", _text("Dockerfile"), re.MULTILINE)
)
def test_what_the_image_copies_is_there(copied: str) -> None:
    assert all((ROOT / name).exists() for name in copied.split())


@pytest.mark.parametrize("private", [".env", ".git", "var", ".venv"])
def test_what_is_private_is_not_sent_to_the_builder(private: str) -> None:
    assert private in _text(".dockerignore").splitlines()
