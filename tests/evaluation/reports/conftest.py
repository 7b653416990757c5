from tests.evaluation.runs.fixtures import study
from tests.evaluation.views.conftest import run

__all__ = ["run", "study"]
