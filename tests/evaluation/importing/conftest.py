from tests.evaluation.runs.fixtures import file_database, study

__all__ = ["file_database", "study"]
