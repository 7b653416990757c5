"""From files of questions and passages to a trained corrector: what `train_corrector` does."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from annotation.canonical import content_hash
from evaluation.records import Document
from evaluation.retrieval import Retriever, build_retriever
from evaluation.training.artefact import Artefact, check_free
from evaluation.training.correction import Pair
from evaluation.training.corrector import CorrectorSettings, Progress, train_corrector
from evaluation.training.pairs import Corruption, Question, TrainingError, corrupted
from evaluation.variations.base import build_maker


@dataclass(frozen=True, slots=True)
class Entered:
    """A clean question and, where people or a log gave it, the text as it was typed."""

    id: str
    clean: str
    typed: str | None = None


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is trained on: which share of the questions is corrupted how, and what searches for
    their documents. `retriever` is a name of `evaluation.retrieval` with its parameters.
    """

    corruption: Corruption
    retriever: str = "bm25"
    retriever_parameters: Mapping[str, Any] = field(default_factory=dict)


def train_from_files(
    questions: Path,
    corpus: Path,
    output: Path,
    *,
    base: Path,
    recipe: Recipe,
    settings: CorrectorSettings,
    index_dir: Path,
    typed: str = "",
    progress: Progress | None = None,
) -> Artefact:
    """Train a corrector on the questions of a file and write it into the new folder `output`.

    `questions` has one JSON object a line with `id` and `text` (or `qid` and `question`), `corpus`
    one with `_id`, `title` and `text` (or `doc_id`). `typed` names a field with the text as it was
    typed: then nothing is corrupted, and a question of which no row has another text is an identity
    pair. Raises PartError (a sentence) on a file or a row that cannot be used.
    """
    check_free(output)
    asked = list(read_questions(questions, typed))
    documents = list(read_corpus(corpus))
    retriever = build_retriever(
        recipe.retriever,
        recipe.retriever_parameters,
        documents=lambda: documents,
        corpus_sha256=content_hash([[d.id, d.title, d.text] for d in documents]),
        cache_dir=index_dir,
    )
    entered, told = _entered(asked, recipe, settings.seed, typed)
    pairs = pairs_of(asked, entered, documents, retriever, k=settings.k)
    told = {**told, "retriever": retriever.describe(), "typed": typed}
    return train_corrector(output, pairs, settings, base=base, told=told, progress=progress)


def pairs_of(
    asked: Sequence[Entered],
    entered: Mapping[str, str],
    documents: Sequence[Document],
    retriever: Retriever,
    *,
    k: int,
) -> list[Pair]:
    """Return a pair for each question, with the `k` documents that its entered text finds."""
    texts = {document.id: document for document in documents}
    pairs = []
    for question in asked:
        text = entered[question.id]
        hits = retriever.search([text], k=k) if k else []
        pairs.append(Pair(text, question.clean, tuple(texts[hit.id] for hit in hits)))
    return pairs


def read_questions(path: Path, typed: str = "") -> Iterator[Entered]:
    """Yield the questions of a file; `typed` names the field with the text as it was typed."""
    seen: set[str] = set()
    for where, row in _rows(path):
        key, clean = _text(row, where, "id", "qid", "_id"), _text(row, where, "text", "question")
        if key in seen:
            raise TrainingError(f"{where}: there is a question “{key}” before. Give each its own.")
        seen.add(key)
        yield Entered(key, clean, _text(row, where, typed) if typed else None)
    if not seen:
        raise TrainingError(f"{path} has no question, so that nothing can be learnt.")


def read_corpus(path: Path) -> Iterator[Document]:
    """Yield the documents of a file. A missing title is an empty one."""
    for where, row in _rows(path):
        title = row.get("title") or ""
        text = _text(row, where, "text")
        yield Document(_text(row, where, "_id", "doc_id", "id"), str(title), text)


def _entered(
    asked: Sequence[Entered], recipe: Recipe, seed: int, typed: str
) -> tuple[dict[str, str], dict[str, Any]]:
    """Return each question's entered text by its id, and what is recorded of how it came about."""
    if typed:
        return {one.id: one.typed or one.clean for one in asked}, {}
    questions = [Question(one.id, one.clean, ()) for one in asked]
    made = corrupted(
        questions, recipe.corruption, seed=seed, maker=lambda kind: build_maker(kind, {})
    )
    return dict(made.texts), {
        "corruption": asdict(recipe.corruption) if recipe.corruption.rate else {"rate": 0.0},
        "planned": made.planned,
        "failed": len(made.failed),
    }


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield (where it stands, the row) of a JSON Lines file."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as fault:
        raise TrainingError(f"{path} cannot be read: {fault.strerror}.") from fault
    except UnicodeDecodeError as fault:
        raise TrainingError(f"{path} is not UTF-8: byte {fault.start} is not.") from fault
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        where = f"{path.name}, row {number}"
        try:
            row = json.loads(line)
        except ValueError as fault:
            raise TrainingError(f"{where}: this is no JSON: {fault}.") from fault
        if not isinstance(row, dict):
            raise TrainingError(f"{where}: a JSON object with its fields is wanted.")
        yield where, row


def _text(row: Mapping[str, Any], where: str, *names: str) -> str:
    """Return the first of the fields that is there; refuse a row without a text in any of them."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str | int) and str(value).strip():
            return str(value)
    wanted = " or ".join(f"“{name}”" for name in names)
    raise TrainingError(f"{where}: a text in the field {wanted} is wanted.")
