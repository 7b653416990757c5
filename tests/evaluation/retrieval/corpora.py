"""Small corpora for the tests of the retrievers."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from evaluation.records import Document
from evaluation.retrieval import Retriever, build_retriever

RAIL = [
    Document("d1", "Harbor Rail", "Revenue rose to 1.2 billion.", {"date": "2022-03-31"}),
    Document("d2", "Harbor Holdings plc", "The parent of Harbor Rail.", {"date": "2020"}),
    Document("d3", "Northern Ferries", "Ferry traffic fell in winter.", {"date": "2021-06"}),
    Document("d4", "", "Revenue of the ferries was flat.", {"kind": ["Report", "audit"]}),
]


def sha256_of(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def build(
    name: str,
    documents: Iterable[Document],
    cache_dir: Path,
    parameters: Mapping[str, Any] | None = None,
    corpus: str = "corpus",
) -> Retriever:
    fixed = list(documents)
    return build_from(name, lambda: fixed, cache_dir, parameters, corpus)


def build_from(
    name: str,
    documents: Callable[[], Iterable[Document]],
    cache_dir: Path,
    parameters: Mapping[str, Any] | None = None,
    corpus: str = "corpus",
) -> Retriever:
    return build_retriever(
        name,
        parameters or {},
        documents=documents,
        corpus_sha256=sha256_of(corpus),
        cache_dir=cache_dir,
    )
