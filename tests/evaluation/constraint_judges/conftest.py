from tests.evaluation.runs.fixtures import study

__all__ = ["study"]
