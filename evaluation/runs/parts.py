"""From frozen descriptions to working parts, and back: what the Conditions say is what runs."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings

from annotation.models import Corpus
from evaluation.constraint_judges import ConstraintJudge, build_constraint_judge
from evaluation.constraint_judges.base import CONSTRAINT_JUDGES
from evaluation.generation.client import ChatClient
from evaluation.readers import build_reader
from evaluation.readers.base import READERS, Reader
from evaluation.records import Document
from evaluation.retrieval import Retriever, build_retriever
from evaluation.retrieval.corpus_files import CorpusFiles, RetrieverView
from evaluation.retrieval.store import CorpusSource
from evaluation.rewriters import CorpusView, Rewriter, build_rewriter
from evaluation.rewriters.base import REWRITERS
from evaluation.runs import generation
from evaluation.support import SupportJudge, build_support_judge
from evaluation.support.base import SUPPORT_JUDGES


class ConditionsChanged(Exception):
    """A part is no longer what was frozen, so that its results could not be compared."""


def retriever_for(corpus: Corpus, name: str, parameters: Mapping[str, Any]) -> Retriever:
    """Return the retriever over the corpus, its index built on disk or opened from there."""
    return build_retriever(
        name,
        parameters,
        documents=lambda: _documents(corpus),
        corpus_sha256=corpus.sha256,
        cache_dir=Path(settings.INDEX_DIR),
    )


def reader_for(name: str, parameters: Mapping[str, Any], *, only_described: bool) -> Reader:
    return build_reader(
        name, parameters, generator=_generator(READERS.find(name).needs_generator, only_described)
    )


def support_for(name: str, parameters: Mapping[str, Any], *, only_described: bool) -> SupportJudge:
    needed = SUPPORT_JUDGES.find(name).needs_generator
    return build_support_judge(name, parameters, generator=_generator(needed, only_described))


def constraint_judge_for(
    name: str, parameters: Mapping[str, Any], *, only_described: bool
) -> ConstraintJudge:
    needed = CONSTRAINT_JUDGES.find(name).needs_generator
    return build_constraint_judge(name, parameters, generator=_generator(needed, only_described))


def rewriter_for(
    name: str,
    parameters: Mapping[str, Any],
    *,
    only_described: bool,
    corpus: CorpusView | None = None,
) -> Rewriter:
    """Return the rewriter. One that needs the corpus (`REWRITERS.find(name).needs_corpus`) is
    described without it, and rewrites only with it: see `corpus_view`.
    """
    generator = _generator(REWRITERS.find(name).needs_generator, only_described)
    return build_rewriter(name, parameters, generator=generator, corpus=corpus)


def corpus_view(corpus: Corpus, retriever: Retriever) -> CorpusView:
    """Return what a rewriter sees of the corpus through `retriever`, for `rewriter_for(corpus=)`.

    Call it where the database may be read: the corpus's texts and word counts are written into
    INDEX_DIR under its hash when they are not there yet. Afterwards the view reads those files
    alone, from any thread.
    """
    return RetrieverView(_source(corpus), retriever)


def corpus_files(corpus: Corpus) -> CorpusFiles:
    """Return the texts of the corpus as files in INDEX_DIR, written as `corpus_view` says."""
    return CorpusFiles(_source(corpus))


def check_unchanged(
    part: Retriever | Reader | Rewriter | SupportJudge | ConstraintJudge,
    frozen: Mapping[str, Any],
) -> None:
    """Raise ConditionsChanged when the part that would run is not the one that was frozen."""
    now = part.describe()
    changed = sorted(key for key in {*now, *frozen} if now.get(key) != frozen.get(key))
    if changed:
        raise ConditionsChanged(
            f"The {part.name} of this run was frozen with another {', '.join(changed)} than this "
            "machine has. Freeze new Conditions, or restore what was frozen."
        )


def _generator(needed: bool, only_described: bool) -> ChatClient | None:
    if not needed:
        return None
    return generation.described_generator() if only_described else generation.generator()


def _source(corpus: Corpus) -> CorpusSource:
    return CorpusSource(lambda: _documents(corpus), corpus.sha256, Path(settings.INDEX_DIR))


def _documents(corpus: Corpus) -> Iterator[Document]:
    for document in corpus.documents.iterator(chunk_size=1000):
        yield Document(document.key, document.title, document.text, document.metadata)
