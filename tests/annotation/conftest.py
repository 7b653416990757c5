"""A small corpus with two requests, given as the files that people send."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from annotation.models import Person, Project
from annotation.services.imports import ImportReport, import_file

Import = Callable[..., ImportReport]

DOCUMENTS = [
    {"_id": "d1", "title": "Profile", "text": "Harrow Water serves two towns.", "metadata": {}},
    {"_id": "d2", "title": "", "text": "Profit was 4 million.", "metadata": {"year": 2022}},
]
REQUESTS = [
    {"id": "r1", "class": "fact", "text": "What was the profit?", "answers": ["4 million"],
     "evidence": [["d2"]]},
    {"id": "r2", "class": "follow-up", "text": "And before that?",
     "turns": [{"role": "user", "text": "Profit in 2022?"}, {"role": "assistant", "text": "4 m."}]},
]  # fmt: skip


def lines(rows: list[dict[str, Any]]) -> bytes:
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()


@pytest.fixture
def take_in(project: Project, owner: Person) -> Import:
    """Import bytes or rows as the owner: `take_in("corpus", rows)`."""

    def take(kind: str, content: Any, filename: str = "", **options: Any) -> ImportReport:
        data = content if isinstance(content, bytes) else lines(content)
        name = filename or f"{kind}.jsonl"
        return import_file(
            actor=owner, project=project, kind=kind, filename=name, data=data, **options
        )

    return take


@pytest.fixture
def filled(project: Project, take_in: Import) -> Project:
    """The project with the corpus and the two requests above."""
    take_in("corpus", DOCUMENTS)
    take_in("requests", REQUESTS)
    return project
