"""What training does for a retriever on public data: the bundled model, R1 (trained on clean
questions) and R2 (the same with a share corrupted), on questions that none of them learnt from.

HotpotQA's questions are split by a hash of their ids; what is tried is tried on a part of those to
learn from. NoiseQA is transfer: nothing learns from it. Trained models and indexes stay in a folder
and are taken from there the next time, so that it can be stopped and gone on with. No database.

python -m tests.real_data.training_measures FOLDER [--try]
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from annotation.canonical import content_hash
from evaluation.records import Document
from evaluation.retrieval import Retriever, build_retriever
from evaluation.retrieval.embedding import passage_of
from evaluation.statistics.paired import mcnemar_exact, sign_flip
from evaluation.training.artefact import Artefact, read_artefact
from evaluation.training.pairs import Corruption, Question, corrupted, split, training_set
from evaluation.training.retriever import RetrieverSettings, train_retriever
from evaluation.variations.base import Maker, build_maker
from tests.real_data.sources import FOLDER

K = 5
LEARN, FIT = 0.7, 0.75  # the share to learn from; and of it, what a trial learns from
SPLIT_SEED, TRIAL_SEED = 7, 8
TEST_ERRORS = 101  # the seed of the errors in the test: none that was learnt from
RATES = {"clean": 0.0, "20 %": 0.2, "40 %": 0.4, "all": 1.0}
NOISY = {
    "clean": "question",
    "keyboard_natural": "keyboard_natural",
    "keyboard_synthetic": "keyboard_synthetic",
}
SMALL: dict[str, Any] = {"batch": 32, "max_tokens": 48, "threads": 1}


@dataclass(frozen=True)
class Recipe:
    """How a model is trained: the share with errors, and the settings."""

    corruption: Corruption
    settings: RetrieverSettings


def recipe(rate: float, *, anew: bool = False, **settings: Any) -> Recipe:
    return Recipe(Corruption(rate, anew=anew), RetrieverSettings(**{**SMALL, **settings}))


# Settings to look at on the validation part alone, before any is measured on the test.
TRIED: Mapping[str, Recipe] = {
    "R1, tau .02, lr 2e-5, 2 epochs": recipe(0.0, epochs=2),
    "R2 20 %, tau .02, lr 2e-5, 2 epochs": recipe(0.2, epochs=2),
    "R2 20 %, tau .05, lr 5e-5, 2 epochs": recipe(0.2, epochs=2, tau=0.05, lr=5e-5),
    "R2 50 % anew, tau .05, lr 5e-5, 2 epochs": recipe(0.5, anew=True, epochs=2, tau=0.05, lr=5e-5),
}
# What is measured on the test part: R1 and R2 differ in nothing but their questions.
MODELS: Mapping[str, Recipe | None] = {
    "R1": recipe(0.0, epochs=2, tau=0.05, lr=5e-5),
    "R2": recipe(0.2, epochs=2, tau=0.05, lr=5e-5),
    "MiniLM": None,
}


@dataclass(frozen=True)
class Measured:
    """A model on one form of the questions: mean Recall@5 and the share with all gold in the five.

    `recalls` and `complete` have one value a question, in the order of the data.
    """

    model: str
    data: str
    form: str
    n: int
    recall: float
    all_found: float
    recalls: tuple[float, ...]
    complete: tuple[bool, ...]


@dataclass(frozen=True)
class Compared:
    """Two models on the same questions: the mean difference of Recall@5 with the p-value of the
    sign-flip test, and how many questions the second lost and gained (all gold in the five), with
    McNemar's exact p-value.
    """

    data: str
    form: str
    before: str
    after: str
    n: int
    difference: float
    sign_flip_p: float | None
    lost: int
    gained: int
    mcnemar_p: float | None


def measured(folder: Path, *, say: Any = None) -> list[Measured]:
    """Train what is not trained yet, and measure every model on the test part and on NoiseQA."""
    learn, test = parts()
    forms = [  # the small corpus first: its figures are there before the large one is embedded
        ("noiseqa", *noiseqa()),
        ("hotpotqa, near", near(test), test, _at_rates(test)),
        ("hotpotqa", hotpotqa()[1], test, _at_rates(test)),
    ]
    models = {
        name: trained(folder / "models", learn, how, say=say) if how else None
        for name, how in MODELS.items()
    }
    found = []
    for data, documents, questions, texts in forms:
        for model, made in models.items():
            retriever = _retriever(made, documents, folder / "indexes")
            for row in _measured(model, data, retriever, questions, texts):
                found.append(row)
                if say:
                    say(_line(row))
    return found


def tried(folder: Path, *, say: Any = None) -> list[Measured]:
    """Measure each of `TRIED` on the validation part, over the paragraphs of its questions alone:
    a quick look that the test part has no share in.
    """
    fit, validation = split(parts()[0], FIT, seed=TRIAL_SEED)
    documents = near(validation)
    texts = {form: text for form, text in _at_rates(validation).items() if form in ("clean", "all")}
    found = []
    for name, how in {"MiniLM": None, **TRIED}.items():
        made = trained(folder / "trials", fit, how, say=say) if how else None
        retriever = _retriever(made, documents, folder / "indexes")
        for row in _measured(name, "hotpotqa, validation", retriever, validation, texts):
            found.append(row)
            if say:
                say(_line(row))
    return found


def compared(rows: Sequence[Measured], before: str, after: str) -> list[Compared]:
    """Compare two models on every form on which both were measured."""
    by_place = {(row.model, row.data, row.form): row for row in rows}
    return [
        _compared(one, by_place[after, one.data, one.form])
        for one in rows
        if one.model == before and (after, one.data, one.form) in by_place
    ]


def trained(folder: Path, learn: Sequence[Question], how: Recipe, *, say: Any = None) -> Artefact:
    """Return the model of a recipe, trained now unless its folder is there."""
    passages = {document.id: passage_of(document) for document in hotpotqa()[1]}
    data = training_set(
        learn,
        passages,
        corruption=how.corruption,
        epochs=how.settings.epochs,
        seed=how.settings.seed,
        maker=maker,
    )
    told = {"data": data.told["sha256"], "settings": asdict(how.settings)}
    place = folder / content_hash(told)[:16]
    if place.exists():
        return read_artefact(place, "retriever")
    return train_retriever(
        place, data, passages, how.settings, progress=lambda *step: say(str(step)) if say else None
    )


@cache
def hotpotqa() -> tuple[list[Question], list[Document]]:
    """All questions with their two gold paragraphs, and the whole corpus."""
    rows = _read("multihop-hotpotqa", "questions")
    questions = [
        Question(q["qid"], q["question"], tuple(q["gold_doc_ids"]), tuple(q["answers"]))
        for q in rows
    ]
    return questions, _documents("multihop-hotpotqa")


def parts() -> tuple[list[Question], list[Question]]:
    """The questions to learn from, and those of the test."""
    return split(hotpotqa()[0], LEARN, seed=SPLIT_SEED)


def near(questions: Sequence[Question]) -> list[Document]:
    """The ten paragraphs that HotpotQA shows with each of the questions: a small corpus."""
    ids = {question.id for question in questions}
    rows = _read("multihop-hotpotqa", "questions")
    shown = {key for row in rows if row["qid"] in ids for key in row["candidate_doc_ids"]}
    return [document for document in hotpotqa()[1] if document.id in shown]


def noiseqa() -> tuple[list[Document], list[Question], dict[str, list[str]]]:
    """The paragraphs, the questions, and their texts clean, retyped by people, and by machine."""
    rows = _read("noiseqa", "questions")
    questions = [Question(q["qid"], q["question"], tuple(q["gold_doc_ids"])) for q in rows]
    texts = {form: [q[column] for q in rows] for form, column in NOISY.items()}
    return _documents("noiseqa"), questions, texts


def maker(kind: str) -> Maker:
    """The makers of errors as the source has them."""
    return build_maker(kind, {"mode": "paper"})


def _at_rates(questions: Sequence[Question]) -> dict[str, list[str]]:
    """The texts with a growing share corrupted; each share holds the smaller one."""
    found = {}
    for form, rate in RATES.items():
        texts = corrupted(questions, Corruption(rate), seed=TEST_ERRORS, maker=maker).texts
        found[form] = [texts[question.id] for question in questions]
    return found


def _retriever(made: Artefact | None, documents: list[Document], cache_dir: Path) -> Retriever:
    content = [[d.id, d.title, d.text] for d in sorted(documents, key=lambda d: d.id)]
    return build_retriever(
        "trained" if made else "dense",
        {"path": str(made.folder)} if made else {},
        documents=lambda: documents,
        corpus_sha256=content_hash(content),
        cache_dir=cache_dir,
    )


def _measured(
    model: str,
    data: str,
    retriever: Retriever,
    questions: Sequence[Question],
    forms: Mapping[str, Sequence[str]],
) -> Iterator[Measured]:
    @cache
    def found(text: str) -> frozenset[str]:
        return frozenset(hit.id for hit in retriever.search([text], k=K))

    for form, texts in forms.items():
        recalls = [
            len(found(text) & set(question.golds)) / len(question.golds)
            for question, text in zip(questions, texts, strict=True)
        ]
        complete = [recall == 1 for recall in recalls]
        n = len(recalls)
        yield Measured(
            model, data, form, n, sum(recalls) / n, sum(complete) / n, tuple(recalls),
            tuple(complete),
        )  # fmt: skip


def _compared(before: Measured, after: Measured) -> Compared:
    differences = [b - a for a, b in zip(before.recalls, after.recalls, strict=True)]
    pairs = list(zip(before.complete, after.complete, strict=True))
    lost, gained = pairs.count((True, False)), pairs.count((False, True))
    return Compared(
        data=before.data,
        form=before.form,
        before=before.model,
        after=after.model,
        n=before.n,
        difference=sum(differences) / before.n,
        sign_flip_p=sign_flip(differences).value,
        lost=lost,
        gained=gained,
        mcnemar_p=mcnemar_exact(lost, gained).value,
    )


def _documents(name: str) -> list[Document]:
    return [Document(d["doc_id"], d["title"], d["text"]) for d in _read(name, "corpus")]


def _read(name: str, file: str) -> list[dict[str, Any]]:
    text = (FOLDER / name / f"{file}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def _line(row: Measured) -> str:
    return (
        f"{row.model:42} {row.data:22} {row.form:20} n {row.n}  Recall@{K} {row.recall:.4f}  "
        f"all gold {row.all_found:.4f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where models and indexes are kept")
    parser.add_argument("--try", dest="tries", action="store_true", help="the validation part only")
    given = parser.parse_args()

    def say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    if given.tries:
        tried(given.folder, say=say)
        return
    rows = measured(given.folder, say=say)
    pairs = [("R1", "R2"), ("MiniLM", "R1"), ("MiniLM", "R2")]
    found = [asdict(one) for pair in pairs for one in compared(rows, *pair)]
    kept = [{k: v for k, v in asdict(r).items() if k not in ("recalls", "complete")} for r in rows]
    print(json.dumps({"measured": kept, "compared": found}, indent=1))


if __name__ == "__main__":
    main()
