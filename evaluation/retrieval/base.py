"""What a retriever is, and how one is built by name."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.records import Document, Hit
from evaluation.registry import Part, PartError, Registry
from evaluation.retrieval.ranking import merge_round_robin
from evaluation.retrieval.store import CorpusSource, DocumentTable


class Retriever(Part, ABC):
    """Finds documents of one frozen corpus."""

    def __init__(self, parameters: Any, source: CorpusSource) -> None:
        self.parameters = parameters
        self.source = source

    @classmethod
    def unavailable(cls) -> str:
        """Return why this installation cannot have the retriever, as a sentence; "" when it can."""
        return ""

    def searched(self, queries: Sequence[str], original: str) -> tuple[str, ...]:
        """Return what to search for a rewrite with `queries` of a request that reads `original`.

        The rewrite's queries keep their places, so that `Hit.query` counts them; what a retriever
        adds of its own comes after them.
        """
        return tuple(queries)

    @abstractmethod
    def search(
        self, queries: Sequence[str], *, k: int, filters: Mapping[str, Any] | None = None
    ) -> list[Hit]:
        """Return up to `k` hits for all `queries` together: unique ids, ranks 1, 2, ...

        `filters` decide which documents are ranked at all (see `filters`). An empty list means
        that nothing was found. Raises FilterError on a filter that cannot be understood.
        """


class LocalRetriever(Retriever):
    """A retriever that scores every document in this process; subclasses rank one query."""

    table: DocumentTable
    per_query: int = 0  # the most documents of one query's list; 0: as many as are wanted in all

    @abstractmethod
    def rank(
        self, query: str, k: int, allowed: NDArray[np.bool_] | None
    ) -> list[tuple[int, float]]:
        """Return up to `k` (position in the table, score), best first, ties by position.

        `allowed` is a mask of shape (documents,), or None for all of them.
        """

    def search(
        self, queries: Sequence[str], *, k: int, filters: Mapping[str, Any] | None = None
    ) -> list[Hit]:
        """Rank each query to depth `k`, or `per_query`, and merge the lists round-robin by rank."""
        depth = self.table.depth(min(k, self.per_query or k))
        allowed = self.table.allowed(filters)
        if depth == 0:
            return []
        lists = [
            [(self.table.ids[at], score) for at, score in self.rank(query, depth, allowed)]
            for query in queries
        ]
        return merge_round_robin(lists, k)

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "merge": "round-robin by rank", "corpus": self.source.sha256}


RETRIEVERS: Registry[Retriever] = Registry("evaluation.retrieval", "retriever")
register = RETRIEVERS.register


def retriever_names() -> tuple[str, ...]:
    """Return the names of the retrievers that this installation can have."""
    return tuple(name for name in RETRIEVERS.names() if not RETRIEVERS.find(name).unavailable())


def build_retriever(
    name: str,
    parameters: Mapping[str, Any],
    *,
    documents: Callable[[], Iterable[Document]],
    corpus_sha256: str,
    cache_dir: Path,
) -> Retriever:
    """Return the retriever `name` over a corpus, its index built or opened.

    `documents` is called only when no index of this corpus with these parameters is in `cache_dir`.
    Raises PartError (a sentence) on an unknown name or parameter, or one that cannot be had here.
    """
    checked = RETRIEVERS.parameters(name, parameters)
    retriever = RETRIEVERS.find(name)
    if why := retriever.unavailable():
        raise PartError(why)
    return retriever(checked, CorpusSource(documents, corpus_sha256, Path(cache_dir)))
