"""Files that are never whole in memory, and that nobody waits for."""

import gc
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test.utils import CaptureQueriesContext

from annotation.exporting.snapshot import snapshot
from annotation.models import Corpus, Document, Person, Project, Request, RequestClass, Turn
from annotation.services.exports import begin_export
from annotation.services.projects import create_project
from tests.evaluation.runs.file_database import on_file

ROWS = 20_000
WORDS = "what did the profit of harbor rail come to before the year " * 8  # about 470 letters


@pytest.fixture
def large(project: Project, owner: Person) -> Project:
    one = RequestClass.objects.create(project=project, name="fact")
    made = Request.objects.bulk_create(
        (
            Request(
                project=project, key=f"r{n}", request_class=one, text=f"{WORDS}{n}",
                sha256="0" * 64, position=n,
            )
            for n in range(ROWS)
        ),
        batch_size=2_000,
    )  # fmt: skip
    Turn.objects.bulk_create(
        (Turn(request=row, position=0, role="user", text=WORDS) for row in made), batch_size=2_000
    )
    return project


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_twenty_thousand_requests_go_out_in_little_memory(
    form: str, large: Project, owner: Person
) -> None:
    export = begin_export(actor=owner, project=large, kind_name="requests", form=form)
    # What earlier tests left is not weighed. Set aside, it does not delay the collector either,
    # which waits until a quarter of what is there is new.
    gc.collect()
    gc.freeze()
    gc.collect()
    tracemalloc.start()
    size = sum(len(piece) for piece in export.pieces())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    gc.unfreeze()
    # All of these rows at once, as the objects that they are read into, are three times that.
    assert size > 18_000_000 and peak < 48_000_000
    assert large.ledger.get(kind="exported").content["rows"] == ROWS


def test_the_first_piece_comes_before_a_second_chunk_was_read(
    large: Project, owner: Person, django_assert_max_num_queries: object
) -> None:
    pieces = begin_export(actor=owner, project=large, kind_name="requests").pieces()
    with django_assert_max_num_queries(4):  # type: ignore[operator]
        assert next(pieces).count(b"\n") == 1
    pieces.close()  # type: ignore[attr-defined]


@pytest.fixture
def many_connections(transactional_db: None, tmp_path: Path) -> Iterator[None]:
    """A database that a second connection reaches too: SQLite's own tests are in memory."""
    if connection.vendor != "sqlite":
        yield
        return
    with on_file(tmp_path / "study.sqlite3"):
        yield


@pytest.fixture
def second(many_connections: None) -> Iterator[BaseDatabaseWrapper]:
    other = connection.copy()
    yield other
    other.close()


def renamed(other: BaseDatabaseWrapper) -> None:
    with other.cursor() as cursor:
        cursor.execute("UPDATE annotation_person SET first_name = 'new'")


def test_people_write_while_a_file_goes_out_and_the_file_does_not_see_it(
    second: BaseDatabaseWrapper,
) -> None:
    Person.objects.create_user("owner")
    with snapshot():
        before = Person.objects.get().first_name
        renamed(second)
        assert (before, Person.objects.get().first_name) == ("", "")
    assert Person.objects.get().first_name == "new"


def test_a_connection_that_read_a_snapshot_writes_as_usual_afterwards(
    second: BaseDatabaseWrapper,
) -> None:
    with pytest.raises(ZeroDivisionError), snapshot():
        Person.objects.count()
        1 / 0  # noqa: B018 whatever ends the snapshot
    assert not connection.in_atomic_block
    Person.objects.create_user("owner")
    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        Person.objects.count()
    assert "DEFERRED" not in str(queries.captured_queries)


def test_a_file_says_what_was_there_when_it_began(second: BaseDatabaseWrapper) -> None:
    owner = Person.objects.create_user("owner")
    project = create_project(actor=owner, slug="study", name="Study")
    corpus = Corpus.objects.create(
        project=project, version=1, sha256="0" * 64, document_count=500, created_by=owner
    )
    Document.objects.bulk_create(
        Document(corpus=corpus, key=f"d{n}", text="old", position=n) for n in range(500)
    )
    pieces = begin_export(actor=owner, project=project, kind_name="corpus").pieces()
    found = next(pieces)
    with second.cursor() as cursor:
        cursor.execute("UPDATE annotation_document SET text = 'new'")
    found += b"".join(pieces)
    assert (found.count(b"old"), found.count(b"new")) == (500, 0)
    assert project.ledger.get(kind="exported").content["whole"] is True
