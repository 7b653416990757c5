"""Index folders on disk: written once, whole or not at all, opened by any number of processes."""

import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.canonical import canonical_json, content_hash
from evaluation.records import Document
from evaluation.registry import PartError
from evaluation.retrieval.filters import compile_filters

MANIFEST = "manifest.json"
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class CorpusSource:
    """Where a retriever's documents come from and where it may keep its index.

    `documents` is called only when there is no index yet; each call gives the whole corpus.
    `sha256` is the corpus's content hash, 64 hex digits.
    """

    documents: Callable[[], Iterable[Document]]
    sha256: str
    cache_dir: Path

    def __post_init__(self) -> None:
        if not _SHA256.fullmatch(self.sha256):
            raise PartError(
                f"A corpus is named by the SHA-256 of its content, not {self.sha256!r}. "
                "Give its 64 hex digits in lower case."
            )

    def in_order(self) -> list[Document]:
        """Return the documents by ascending id, so that position decides ties; refuse doubles."""
        documents = sorted(self.documents(), key=lambda document: document.id)
        for before, after in zip(documents, documents[1:], strict=False):
            if before.id == after.id:
                raise PartError(
                    f'Two documents of the corpus have the id "{after.id}". '
                    "Import the corpus again with unique ids."
                )
        return documents


class DocumentTable:
    """Ids and metadata of the indexed documents, by position. Positions follow ascending ids."""

    def __init__(self, ids: list[str], metadata: Callable[[], list[dict[str, Any]]]) -> None:
        self.ids = ids
        self._read_metadata = metadata

    @cached_property
    def _metadata(self) -> list[dict[str, Any]]:
        return self._read_metadata()

    def depth(self, k: int, *, at_least: int = 0) -> int:
        """Return how far to rank for `k` hits: no further than there are documents."""
        if k < 1:
            raise PartError(f"A search needs k of at least 1, not {k}.")
        return min(max(k, at_least), len(self.ids))

    def allowed(self, filters: Mapping[str, Any] | None) -> NDArray[np.bool_] | None:
        """Return the positions that pass `filters`: a mask of shape (documents,), None for all."""
        test = compile_filters(filters)
        if test is None:
            return None
        return np.fromiter(map(test, self._metadata), dtype=np.bool_, count=len(self.ids))

    @classmethod
    def of(cls, documents: list[Document]) -> "DocumentTable":
        """Return the table of documents that are in memory already, in the order given."""
        return cls([d.id for d in documents], lambda: [dict(d.metadata) for d in documents])

    @classmethod
    def read(cls, folder: Path) -> "DocumentTable":
        """Return the table kept in an index folder; its metadata is read when first needed."""
        ids = json.loads((folder / "ids.json").read_text(encoding="utf-8"))

        def metadata() -> list[dict[str, Any]]:
            with (folder / "metadata.jsonl").open(encoding="utf-8") as lines:
                return [json.loads(line) for line in lines]

        return cls(ids, metadata)

    @staticmethod
    def write(folder: Path, documents: list[Document]) -> None:
        ids = canonical_json([document.id for document in documents])
        (folder / "ids.json").write_text(ids, encoding="utf-8")
        with (folder / "metadata.jsonl").open("w", encoding="utf-8", newline="\n") as lines:
            for document in documents:
                lines.write(canonical_json(dict(document.metadata)) + "\n")


def open_index(
    source: CorpusSource,
    recipe: Mapping[str, Any],
    write: Callable[[Path, list[Document]], None],
) -> Path:
    """Return the folder `cache_dir/<corpus>/<hash of recipe>/`, building it when it is missing.

    `recipe` is everything that the bytes of the index depend on besides the corpus. `write` gets
    an empty folder and the documents by ascending id. The folder appears under its name only when
    complete and on disk; of two processes that build at once, the first to finish wins. A folder
    that is damaged (a file missing or of another size) is built again.
    """
    parent = source.cache_dir / source.sha256
    folder = parent / content_hash(dict(recipe))
    if _is_complete(folder):
        return folder
    parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix=".building-", dir=parent))
    try:
        documents = source.in_order()
        write(building, documents)
        DocumentTable.write(building, documents)
        _seal(building)
        _put_in_place(building, folder)
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return folder


def open_documents(source: CorpusSource) -> DocumentTable:
    """Return ids and metadata alone, for a retriever whose index is elsewhere."""
    return DocumentTable.read(open_index(source, {"documents": "1"}, lambda _folder, _all: None))


def _seal(folder: Path) -> None:
    """Record each file's size and flush everything, so that a crash cannot leave a short file."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    sizes = {path.relative_to(folder).as_posix(): path.stat().st_size for path in files}
    (folder / MANIFEST).write_text(canonical_json(sizes), encoding="utf-8")
    for path in [*folder.rglob("*"), folder]:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _put_in_place(building: Path, folder: Path) -> None:
    # mkdtemp makes it private; others of the same installation (web, workers) read it too.
    building.chmod(0o755)
    try:
        building.rename(folder)
    except OSError:
        if _is_complete(folder):
            return
        damaged = Path(tempfile.mkdtemp(prefix=".damaged-", dir=folder.parent))
        folder.rename(damaged / folder.name)
        building.rename(folder)
        shutil.rmtree(damaged, ignore_errors=True)


def _is_complete(folder: Path) -> bool:
    try:
        sizes = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        return all((folder / name).stat().st_size == size for name, size in sizes.items())
    except (OSError, ValueError, AttributeError):
        return False
