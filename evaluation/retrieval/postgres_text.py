"""PostgreSQL's full text search: `tsvector` and `ts_rank` over title and text.

A document is a hit when it shares a word with the query (the words joined by OR: a whole question
rarely stands in one document). `ts_rank` knows no rarity of words, unlike BM25.
"""

from dataclasses import dataclass
from typing import Any, Literal

import psycopg
from psycopg import sql

from evaluation.records import Document
from evaluation.registry import PartError
from evaluation.retrieval.base import register
from evaluation.retrieval.postgres import PostgresRetriever, Statement, numbered


@dataclass(frozen=True, slots=True)
class PostgresTextParameters:
    """How words are cut and weighed.

    `config`: "simple" takes words as they are, "english" stems them and leaves out stop words.
    `normalization`: what `ts_rank` divides by, a sum of PostgreSQL's flags: 0 nothing, 1 the
    logarithm of the length, 2 the length, and so on to 32.
    """

    config: Literal["simple", "english"] = "english"
    normalization: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.normalization <= 63:
            raise ValueError(f"normalization must be from 0 to 63, not {self.normalization}.")


@register("postgres_text", version="1")
class PostgresTextRetriever(PostgresRetriever):
    """What a team has whose search is the database that it runs anyway.

    Only where the installation's database is PostgreSQL.

    Source: PostgreSQL's documentation, chapter "Full Text Search".
    """

    Parameters = PostgresTextParameters
    parameters: PostgresTextParameters

    def _columns(self) -> Statement:
        return sql.SQL("words tsvector NOT NULL")

    def _insert(self, cursor: psycopg.Cursor[Any], documents: list[Document]) -> None:
        statement = sql.SQL("INSERT INTO {} VALUES (%s, to_tsvector({}::regconfig, %s))").format(
            self.relation, sql.Literal(self.parameters.config)
        )
        try:
            cursor.executemany(statement, numbered(documents))
        except psycopg.errors.ProgramLimitExceeded as error:
            raise PartError(
                "A document of the corpus has more words than PostgreSQL's text search takes "
                "(about 1 MB of different ones). Split it, or take bm25."
            ) from error
        cursor.execute(sql.SQL("CREATE INDEX ON {} USING gin (words)").format(self.relation))

    def _select(self, query: str) -> tuple[Statement, dict[str, Any]] | None:
        config = self.parameters.config
        [row] = self._run(
            sql.SQL("SELECT tsvector_to_array(to_tsvector(%(config)s::regconfig, %(query)s))"),
            {"config": config, "query": query.replace("\x00", " ")},
        )
        if not row[0]:
            return None
        any_of = " | ".join(map(_quoted, row[0]))
        select = sql.SQL(
            "SELECT position, ts_rank(words, %(any)s::tsquery, %(how)s) AS score "
            "FROM {} WHERE words @@ %(any)s::tsquery"
        ).format(self.relation)
        return select, {"any": any_of, "how": self.parameters.normalization}


def _quoted(lexeme: str) -> str:
    escaped = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"
