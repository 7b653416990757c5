"""Fixtures shared by the tests of runs, services, importing and commands."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from pytest_django import DjangoDbBlocker

from annotation.models import Project
from evaluation.retrieval.bm25 import Bm25Retriever
from tests.evaluation.runs import small_study
from tests.evaluation.runs.file_database import on_file


@pytest.fixture
def study(project: Project) -> Project:
    """The small study: three requests with contracts, one without."""
    small_study.fill(project)
    return project


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each query was searched; the search itself is the product's."""
    counted: Counter[str] = Counter()
    search = Bm25Retriever.search

    def counting(self, queries, **options):
        counted.update(queries)
        return search(self, queries, **options)

    monkeypatch.setattr(Bm25Retriever, "search", counting)
    return counted


@pytest.fixture
def file_database(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path: Path
) -> Iterator[Path]:
    """An empty SQLite file as the default database, as in production: threads meet on it."""
    if "sqlite3" not in django_settings.DATABASES["default"]["ENGINE"]:
        pytest.skip("the tests run on another database than SQLite")
    with django_db_blocker.unblock(), on_file(tmp_path / "runs.sqlite3") as path:
        yield path
