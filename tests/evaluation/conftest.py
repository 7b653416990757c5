import pytest

from evaluation import exchanges, gates


@pytest.fixture(autouse=True)
def new_gates(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test finds a service away because of another's failures, or waits before a retry."""
    gates.forget()
    monkeypatch.setattr(exchanges, "_FIRST_PAUSE_S", 0.001)
