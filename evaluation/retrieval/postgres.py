"""What the retrievers in PostgreSQL share: the connection, and one table per corpus and recipe.

A table is made in one transaction of a connection of its own, so it is there whole or not at all;
a second process that wants the same one waits and finds it. Filters are the same as everywhere:
worked out here, before anything is ranked.
"""

import weakref
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray
from psycopg import sql

from annotation.canonical import content_hash
from evaluation.records import Document
from evaluation.registry import PartError
from evaluation.retrieval.base import LocalRetriever
from evaluation.retrieval.store import CorpusSource, open_documents

Connection = psycopg.Connection[tuple[Any, ...]]
Statement = sql.SQL | sql.Composed
_DRIVERS_OWN = ("context", "cursor_factory", "prepare_threshold")


class PostgresRetriever(LocalRetriever):
    """Ranks in the installation's PostgreSQL; subclasses say what a row holds and how it ranks."""

    def __init__(self, parameters: Any, source: CorpusSource) -> None:
        super().__init__(parameters, source)
        self._connect()
        self.table = open_documents(source)
        described = self.describe()
        recipe = {key: value for key, value in described.items() if key != "corpus"}
        digest = content_hash({**recipe, "corpus": source.sha256})
        self._name = f"{self.name}_{digest[:32]}"
        self.relation = sql.Identifier(self._name)
        self._create_unless_there()

    @classmethod
    def unavailable(cls) -> str:
        from django.db import connection

        if connection.vendor == "postgresql":
            return ""
        return (
            f'The retriever "{cls.name}" searches in PostgreSQL, and the database of this '
            f"installation is {connection.display_name}. Take bm25 or dense, or set DATABASE_URL "
            "to a PostgreSQL."
        )

    @abstractmethod
    def _columns(self) -> Statement:
        """Return the columns besides `position`, as CREATE TABLE takes them."""

    @abstractmethod
    def _insert(self, cursor: psycopg.Cursor[Any], documents: list[Document]) -> None:
        """Write one row for each document, `position` counting from 0 in the order given."""

    @abstractmethod
    def _select(self, query: str) -> tuple[Statement, dict[str, Any]] | None:
        """Return a SELECT of `position` and `score` with its values; None when nothing can match.

        It ends in a WHERE clause, to which the filter is added.
        """

    def rank(
        self, query: str, k: int, allowed: NDArray[np.bool_] | None
    ) -> list[tuple[int, float]]:
        made = self._select(query)
        if made is None:
            return []
        select, values = made
        statement = select
        if allowed is not None:
            statement += sql.SQL(" AND position = ANY(%(allowed)s)")
            values = {**values, "allowed": np.flatnonzero(allowed).tolist()}
        statement += sql.SQL(" ORDER BY score DESC, position LIMIT %(k)s")
        rows = self._run(statement, {**values, "k": k})
        return [(int(position), float(score)) for position, score in rows]

    def libraries(self) -> dict[str, str]:
        # The minor releases only repair; the major one brings dictionaries and ranking.
        return {"PostgreSQL": str(self._connection.info.server_version // 10_000)}

    def _run(self, statement: Statement, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(statement, values).fetchall()
        except psycopg.OperationalError:
            if not self._connection.broken:
                raise
            self._connect()  # the server was restarted
            return self._connection.execute(statement, values).fetchall()

    def _connect(self) -> None:
        self._connection = open_connection(self.name)
        weakref.finalize(self, self._connection.close)

    def _create_unless_there(self) -> None:
        if self._is_there():
            return
        documents = self.source.in_order()
        with self._connection.transaction(), self._connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [self._name])
            if self._is_there():
                return
            cursor.execute(
                sql.SQL("CREATE TABLE {} (position integer PRIMARY KEY, {})").format(
                    self.relation, self._columns()
                )
            )
            self._insert(cursor, documents)

    def _is_there(self) -> bool:
        # The catalogue itself is read: to_regclass may answer from what this connection remembers,
        # and two that wait for the lock would both create the table.
        [row] = self._connection.execute(
            "SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE c.relname = %s AND n.nspname = ANY (current_schemas(false)))",
            [self._name],
        ).fetchall()
        return bool(row[0])


def open_connection(name: str) -> Connection:
    """Return a connection of its own to the installation's database, every statement by itself.

    A retriever's long build must not sit in a transaction of the application. Raises PartError when
    the database cannot be reached.
    """
    from django.db import connection

    given = connection.get_connection_params()
    wanted = {key: value for key, value in given.items() if key not in _DRIVERS_OWN}
    try:
        return psycopg.connect(**wanted, autocommit=True)
    except psycopg.OperationalError as error:
        raise PartError(f'The retriever "{name}" cannot reach the database. Try again.') from error


def passage(document: Document) -> str:
    """Return the text that a document is searched by."""
    return f"{document.title}\n{document.text}".strip()


def numbered(documents: list[Document]) -> Iterable[tuple[int, str]]:
    return ((position, passage(document)) for position, document in enumerate(documents))
