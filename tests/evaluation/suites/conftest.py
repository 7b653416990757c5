from collections.abc import Callable

import pytest

from evaluation.pipelines.base import PIPELINES
from evaluation.suites.tasks import work_on_suite
from tests.evaluation.runs.fixtures import study
from tests.evaluation.suites.pipelines_for_tests import Said, answering

__all__ = ["study"]


@pytest.fixture(autouse=True)
def no_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages to workers go nowhere; the tests work themselves."""
    monkeypatch.setattr(work_on_suite, "delay", lambda run_id: None)


@pytest.fixture
def stumbling(monkeypatch: pytest.MonkeyPatch) -> Callable[[Said], None]:
    """Register the pipeline "stumbling" for this test."""
    PIPELINES.names()

    def register(said: Said) -> None:
        monkeypatch.setitem(PIPELINES._parts, "stumbling", answering(said))

    return register
