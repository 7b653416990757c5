"""What every test of a bad file needs: the refusal, and the proof that nothing was written.

The ids of the tests (D1 to D62) are rows of the table of bad inputs in the project's list of
reliability demands.
"""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django.apps import apps

from annotation.importing.problems import ImportRefused, Problem
from annotation.models import Person, Project
from annotation.services.imports import ImportReport, import_file
from tests.annotation.conftest import lines
from tests.evaluation.runs import small_study

Refusal = Callable[..., list[Problem]]
TakeIn = Callable[..., ImportReport]


def everything_stored() -> dict[str, int]:
    """How many rows each table of the three apps has."""
    return {
        model.__name__: model._default_manager.count()
        for app in ("annotation", "contracts", "evaluation")
        for model in apps.get_app_config(app).get_models()
    }


def csv(*rows: str, header: str = "id,class,text", end: str = "\n") -> bytes:
    return end.join([header, *rows, ""]).encode()


def request(**changed: Any) -> dict[str, Any]:
    return {"id": "n1", "class": "fact", "text": "What was the profit?", **changed}


def places(problems: Iterable[Problem]) -> list[tuple[int | None, str, str]]:
    return [(p.row, p.column, p.code) for p in problems]


@pytest.fixture
def study(project: Project) -> Project:
    """The small study: a corpus, requests a, b and c with contracts, and “open” without one."""
    small_study.fill(project)
    return project


@pytest.fixture
def put_in(project: Project, owner: Person) -> TakeIn:
    """Import rows or bytes as the owner: `put_in("run", rows, target="cand")`."""

    def put(kind: str, content: Any, filename: str = "", **options: Any) -> ImportReport:
        data = content if isinstance(content, bytes) else lines(content)
        name = filename or f"{kind}.jsonl"
        return import_file(
            actor=owner, project=project, kind=kind, filename=name, data=data, **options
        )

    return put


@pytest.fixture
def refusal(put_in: TakeIn) -> Refusal:
    """Import what must be refused; return its problems once nothing is found written and each is a
    sentence that is safe to print.
    """

    def refused_import(kind: str, content: Any, filename: str = "", **options: Any) -> Any:
        before = everything_stored()
        with pytest.raises(ImportRefused) as refused:
            put_in(kind, content, filename, **options)
        assert everything_stored() == before
        shown: list[Problem] = refused.value.problems.shown
        assert shown and all(p.message.endswith(".") and p.file and p.code for p in shown)
        assert all(str(p).isprintable() and len(str(p)) < 2500 for p in shown)
        return shown

    return refused_import
