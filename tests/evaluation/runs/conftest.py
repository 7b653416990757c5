from tests.evaluation.runs.fixtures import file_database, searches, study

__all__ = ["file_database", "searches", "study"]
