"""A corpus on disk beside its indexes: its texts by id and the counts of its words, so that neither
needs the database once they are written.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from annotation.canonical import canonical_json
from evaluation.records import Document
from evaluation.retrieval.base import Retriever
from evaluation.retrieval.store import CorpusSource, DocumentTable, open_index
from evaluation.retrieval.tokens import tokenize

# With another recipe the files lie elsewhere: change it with the form of a file or of a word.
_RECIPE = {"corpus_files": "1"}
_TEXTS, _PLACES, _WORDS = "texts.jsonl", "places.npy", "words.json"


class CorpusFiles:
    """Texts and word counts of one corpus; written at the first opening, read from any thread."""

    def __init__(self, source: CorpusSource) -> None:
        self._folder = open_index(source, _RECIPE, _write)
        table = DocumentTable.read(self._folder)
        self._positions = {key: at for at, key in enumerate(table.ids)}
        self._places = np.load(self._folder / _PLACES)

    def documents(self, keys: Sequence[str]) -> list[Document]:
        """Return the documents with these ids, in this order; KeyError for one that is not here."""
        found = []
        with (self._folder / _TEXTS).open("rb") as texts:
            for key in keys:
                texts.seek(int(self._places[self._positions[key]]))
                title, text = json.loads(texts.readline())
                found.append(Document(key, title, text))
        return found

    @cached_property
    def words(self) -> Mapping[str, int]:
        """Return how often each word stands in titles and texts."""
        counts: dict[str, int] = json.loads((self._folder / _WORDS).read_text(encoding="utf-8"))
        return counts


class RetrieverView:
    """The corpus as a rewriter sees it: what `retriever` finds in it, and its words.

    Raises PartError where the corpus cannot be kept on disk.
    """

    def __init__(self, source: CorpusSource, retriever: Retriever) -> None:
        self._files = CorpusFiles(source)
        self._retriever = retriever

    def search(self, query: str, k: int) -> list[Document]:
        """Return up to `k` documents, best first, without their metadata; none for a blank query.

        What a service found that the corpus does not have is a KeyError.
        """
        if not query.strip():
            return []
        hits = self._retriever.search([query], k=k)
        return self._files.documents([hit.id for hit in hits])

    def words(self) -> Mapping[str, int]:
        """Return how often each word stands in titles and texts."""
        return self._files.words


def _write(folder: Path, documents: list[Document]) -> None:
    counts: Counter[str] = Counter()
    places = np.zeros(len(documents), dtype=np.int64)
    with (folder / _TEXTS).open("wb") as texts:
        for at, document in enumerate(documents):
            places[at] = texts.tell()
            texts.write(canonical_json([document.title, document.text]).encode() + b"\n")
            counts.update(tokenize(f"{document.title}\n{document.text}"))
    np.save(folder / _PLACES, places)
    (folder / _WORDS).write_text(canonical_json(dict(counts)), encoding="utf-8")
