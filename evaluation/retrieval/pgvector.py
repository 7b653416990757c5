"""Exact search by embeddings in PostgreSQL, with the extension pgvector: cosine, without an index.

The same model and passages as `dense`; the vectors are float32 in the database.
"""

from typing import Any

import psycopg
from psycopg import sql

from evaluation.records import Document
from evaluation.registry import PartError
from evaluation.retrieval.base import register
from evaluation.retrieval.embedding import EmbeddingParameters, Encoder
from evaluation.retrieval.postgres import PostgresRetriever, Statement, passage
from evaluation.retrieval.store import CorpusSource

_MOST_DIMENSIONS = 16_000
_PASSAGES_AT_ONCE = 1024


@register("pgvector", version="1")
class PgvectorRetriever(PostgresRetriever):
    """Cosine of query and passage, ranked by the database. Every allowed document has a score.

    Only where the installation's database is PostgreSQL with the extension vector.

    Source: pgvector's operator for cosine distance; the model as for `dense`.
    """

    Parameters = EmbeddingParameters
    parameters: EmbeddingParameters

    def __init__(self, parameters: EmbeddingParameters, source: CorpusSource) -> None:
        self.encoder = Encoder(parameters)
        super().__init__(parameters, source)

    def model(self) -> dict[str, Any]:
        return self.encoder.model()

    def libraries(self) -> dict[str, str]:
        found = self._connection.execute(
            "SELECT extversion FROM pg_extension WHERE extname = 'vector'"
        ).fetchall()
        if not found:
            raise PartError(
                'The retriever "pgvector" needs the extension vector, which this database does not '
                "have. Its administrator runs CREATE EXTENSION vector; or take dense."
            )
        own = {"pgvector": str(found[0][0])}
        return {**super().libraries(), **self.encoder.libraries(), **own}

    def _columns(self) -> Statement:
        return sql.SQL("embedding vector NOT NULL")

    def _insert(self, cursor: psycopg.Cursor[Any], documents: list[Document]) -> None:
        statement = sql.SQL("INSERT INTO {} VALUES (%s, %s::vector)").format(self.relation)
        for start in range(0, len(documents), _PASSAGES_AT_ONCE):
            block = documents[start : start + _PASSAGES_AT_ONCE]
            vectors = self.encoder.embed([passage(document) for document in block])
            if vectors.shape[1] > _MOST_DIMENSIONS:
                raise PartError(f"pgvector takes at most {_MOST_DIMENSIONS} dimensions.")
            rows = ((start + at, _written(vector)) for at, vector in enumerate(vectors.tolist()))
            cursor.executemany(statement, rows)

    def _select(self, query: str) -> tuple[Statement, dict[str, Any]] | None:
        if not query.strip() or not self.table.ids:
            return None
        [vector] = self.encoder.embed([query]).tolist()
        # Six decimals, as `dense`: equal passages must tie whatever batch they were embedded in.
        select = sql.SQL(
            "SELECT position, round((1 - (embedding <=> %(v)s::vector))::numeric, 6) AS score "
            "FROM {} WHERE TRUE"
        ).format(self.relation)
        return select, {"v": _written(vector)}


def _written(vector: list[float]) -> str:
    return f"[{','.join(map(repr, vector))}]"
