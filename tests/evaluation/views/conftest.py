import pytest

from annotation.models import Person, Project
from evaluation.models import Run
from tests.evaluation.runs.fixtures import study
from tests.evaluation.views.worlds import LOSSY, run_with

__all__ = ["study"]


@pytest.fixture
def run(study: Project, engineer: Person) -> Run:
    """A finished run whose candidate `cand` alters the year of request a."""
    return run_with(engineer, study, {"cand": LOSSY})
