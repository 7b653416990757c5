"""What corrections of typing errors do on public data: real typed queries (dl-typo) and questions
retyped by people (NoiseQA), with the dictionary alone, the corpus's words, and a trained model.

Functions of no database, for the page of figures and for a look by hand:

python -m tests.real_data.corrector_measures [--base FOLDER]
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from annotation.canonical import content_hash
from evaluation.records import Document, RequestText, Rewrite
from evaluation.retrieval import Retriever, build_retriever
from evaluation.retrieval.corpus_files import RetrieverView
from evaluation.retrieval.store import CorpusSource
from evaluation.retrieval.tokens import tokenize
from evaluation.rewriters import Rewriter, build_rewriter
from evaluation.rewriters.typed_query import TypedQueryParameters, Vocabulary, correct, plain
from evaluation.scoring.corrections import Correction, CorrectionRates, rates
from evaluation.training.corrector import CorrectorSettings, Progress
from evaluation.training.corrector_files import Recipe, train_from_files
from evaluation.training.pairs import Corruption
from tests.real_data.sources import FOLDER

FORMS = ("keyboard_natural", "keyboard_synthetic")
K = 5


@dataclass(frozen=True)
class TypoRow:
    """A checker on real queries: how many of the typed ones it restores to what people wrote, and
    how many of the right ones it changes.
    """

    checker: str
    restored: int
    harmed: int
    n: int


@dataclass(frozen=True)
class NoisyRow:
    """A form of NoiseQA's questions before and after a rewriter. Recall@5 is over all questions,
    `_typed` over those that were entered with an error alone.
    """

    form: str
    rates: CorrectionRates
    recall_clean: float
    recall_before: float
    recall_after: float
    recall_before_typed: float
    recall_after_typed: float


@dataclass(frozen=True)
class TrainedRow:
    """A corrector that was trained here, on questions that it did not see, against no correction.

    `refused` is how often a guard stood in, with each reason's count in `why`. Recall@5 is BM25's
    over the questions that were asked, before and after.
    """

    model: str
    settings: dict[str, Any]
    pairs: int
    identity: int
    losses: tuple[float, ...]
    n: int
    rates: CorrectionRates
    refused: int
    why: dict[str, int]
    recall_clean: float
    recall_before: float
    recall_after: float


def read(name: str, file: str) -> list[dict[str, Any]]:
    """The rows of a data set's file."""
    lines = (FOLDER / name / f"{file}.jsonl").read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def documents(name: str) -> list[Document]:
    return [Document(d["doc_id"], d["title"], d["text"]) for d in read(name, "corpus")]


def vocabulary(name: str) -> Vocabulary:
    """The words of a data set's corpus; of none for ""."""
    found = documents(name) if name else []
    return Vocabulary(Counter(w for d in found for w in tokenize(f"{d.title}\n{d.text}")))


def typo_table() -> list[TypoRow]:
    """dl-typo: two recorded checkers, pyspellchecker as it is installed here, and "typed_query"
    with the words of three corpora.
    """
    rows = read("dl-typo", "queries")
    kept = [
        _row("Bing, as recorded", rows, lambda r, of: r[_COLUMNS["bing"][of]]),
        _row("pyspellchecker, as recorded", rows, lambda r, of: r[_COLUMNS["library"][of]]),
        _row("pyspellchecker, installed", rows, lambda r, of: plain(r[of])),
    ]
    for name, corpus in (("no", ""), ("NoiseQA's", "noiseqa"), ("HotpotQA's", "multihop-hotpotqa")):
        words, parameters = vocabulary(corpus), TypedQueryParameters()
        kept.append(
            _row(
                f"typed_query with {name} words",
                rows,
                lambda r, of, w=words, p=parameters: correct(r[of], w, p)[0],
            )
        )
    return kept


_COLUMNS = {
    "bing": {"typo": "typo_bing_corrected", "correct": "correct_bing_processed"},
    "library": {
        "typo": "typo_pyspellchecker_corrected",
        "correct": "correct_pyspellchecker_processed",
    },
}


def _row(
    checker: str, rows: Sequence[dict[str, Any]], told: Callable[[dict[str, Any], str], str]
) -> TypoRow:
    restored = sum(told(row, "typo") == row["correct"] for row in rows)
    harmed = sum(told(row, "correct") != row["correct"] for row in rows)
    return TypoRow(checker, restored, harmed, len(rows))


def noisy_table(folder: Path) -> list[NoisyRow]:
    """NoiseQA's typed forms before and after "typed_query", searched by BM25. `folder` is for
    indexes.
    """
    retriever, view = searching("noiseqa", folder)
    rewriter = build_rewriter("typed_query", {}, generator=None, corpus=view)
    return [noisy_row(form, retriever, rewriter) for form in FORMS]


def noisy_row(form: str, retriever: Retriever, rewriter: Rewriter) -> NoisyRow:
    rows = read("noiseqa", "questions")
    outputs = [rewritten(rewriter, row[form]).queries[0] for row in rows]
    found = [Correction(r["question"], r[form], o) for r, o in zip(rows, outputs, strict=True)]
    typed = [row[form] != row["question"] for row in rows]

    def recall(texts: Iterable[str], only: Sequence[bool]) -> float:
        hits = [
            row["gold_doc_ids"][0] in {hit.id for hit in retriever.search([text], k=K)}
            for row, text, counts in zip(rows, texts, only, strict=True)
            if counts
        ]
        return sum(hits) / len(hits)

    everything = [True] * len(rows)
    entered = [row[form] for row in rows]
    return NoisyRow(
        form,
        rates(found),
        recall([row["question"] for row in rows], everything),
        recall(entered, everything),
        recall(outputs, everything),
        recall(entered, typed),
        recall(outputs, typed),
    )


def trained_row(
    base: Path,
    folder: Path,
    *,
    settings: CorrectorSettings,
    rate: float = 0.5,
    questions: int = 120,
    asked: int = 40,
    progress: Progress | None = None,
) -> TrainedRow:
    """Train on the first `questions` of HotpotQA with made errors; correct `asked` questions of
    NoiseQA that people retyped (the first of a hash of their id), half of them with an error.

    `base` is a model's folder, `folder` an empty one for indexes and the artefact. Some minutes.
    """
    recipe = Recipe(Corruption(rate=rate))
    chosen = folder / "questions.jsonl"
    rows = read("multihop-hotpotqa", "questions")[:questions]
    chosen.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    artefact = train_from_files(
        chosen,
        FOLDER / "multihop-hotpotqa" / "corpus.jsonl",
        folder / "corrector",
        base=base,
        recipe=recipe,
        settings=settings,
        index_dir=folder / "indexes",
        progress=progress,
    )
    retriever, view = searching("noiseqa", folder / "indexes")
    parameters = {"path": str(artefact.folder), "base": str(base)}
    rewriter = build_rewriter("ra_qcg", parameters, generator=None, corpus=view)
    rows = sorted(read("noiseqa", "questions"), key=lambda row: content_hash(row["qid"]))
    wrong = [row for row in rows if row["keyboard_natural"] != row["question"]][: asked // 2]
    right = [row for row in rows if row["keyboard_natural"] == row["question"]][: asked // 2]
    made = [(row, rewritten(rewriter, row["keyboard_natural"])) for row in (*wrong, *right)]
    found = [
        Correction(row["question"], row["keyboard_natural"], rewrite.queries[0])
        for row, rewrite in made
    ]
    why = Counter(_kind(rewrite.notes["why"]) for _row, rewrite in made if rewrite.fell_back)
    data = artefact.told["data"]

    def recall(texts: Iterable[str]) -> float:
        return sum(
            row["gold_doc_ids"][0] in {hit.id for hit in retriever.search([text], k=K)}
            for (row, _rewrite), text in zip(made, texts, strict=True)
        ) / len(made)

    return TrainedRow(
        artefact.told["base"]["name"],
        asdict(settings),
        data["pairs"],
        data["identity"],
        tuple(artefact.told["losses"]),
        len(made),
        rates(found),
        sum(why.values()),
        dict(why),
        recall(one.clean for one in found),
        recall(one.entered for one in found),
        recall(one.output for one in found),
    )


def searching(name: str, folder: Path) -> tuple[Retriever, RetrieverView]:
    """BM25 over a data set's corpus, and the corpus as rewriters see it."""
    found = documents(name)
    sha256 = content_hash([[d.id, d.title, d.text] for d in found])
    retriever = build_retriever(
        "bm25", {}, documents=lambda: found, corpus_sha256=sha256, cache_dir=folder
    )
    return retriever, RetrieverView(CorpusSource(lambda: found, sha256, folder), retriever)


def rewritten(rewriter: Rewriter, text: str) -> Rewrite:
    return rewriter.rewrite(RequestText("q", text))


def _kind(why: str) -> str:
    """A guard's reason without the figures and words of its case."""
    for part in ("looks like an answer", "stands in a passage", "differ", "cut at", "lines"):
        if part in why:
            return part
    return why


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, help="train a corrector on this model's folder too")
    parser.add_argument("--settings", default="{}", help="its settings, as JSON")
    parser.add_argument("--questions", type=int, default=120)
    parser.add_argument("--asked", type=int, default=40)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if given.base is None:
            for typo in typo_table():
                print(typo)
            for noisy in noisy_table(folder):
                print(noisy)
            return
        settings = CorrectorSettings(**json.loads(given.settings))
        row = trained_row(
            given.base,
            folder,
            settings=settings,
            questions=given.questions,
            asked=given.asked,
            progress=lambda *told: print(*told, file=sys.stderr, flush=True),
        )
        print(json.dumps(asdict(row), indent=1))


if __name__ == "__main__":
    main()
