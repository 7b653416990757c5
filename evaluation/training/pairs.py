"""What a retriever is trained on: questions with their gold passages, clean or partly corrupted.

R1 learns from the questions as they are. R2 learns from the same questions, of which a share (20 %)
has typing errors, each of one kind; the labels stay. Source: QE-RAG (Zhang et al. 2025, arXiv
2504.04062), the robust retriever. Its equation names corrupted queries only; here the others stay
in the training, clean.
"""

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.canonical import content_hash
from evaluation.registry import PartError
from evaluation.variations.base import Maker, Source

# The kinds of QE-RAG and their weights: the list of its section names spelling first.
MIX: Mapping[str, int] = {"spelling": 3, "keyboard": 1, "visual": 1}


class TrainingError(PartError):
    """Nothing can be learnt from these data. The text is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the ids of the passages that it should find; `answers` are only checked
    against, nothing learns from them.
    """

    id: str
    text: str
    golds: tuple[str, ...]
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Corruption:
    """Which share of the questions is corrupted how. `mix` has the weight of each kind.

    `anew`: each epoch draws its questions and their errors again, so that after some epochs most
    questions were seen both clean and corrupted; otherwise the set is made once, as in the source.
    """

    rate: float = 0.0
    mix: Mapping[str, int] = field(default_factory=lambda: dict(MIX))
    anew: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.rate <= 1:
            raise ValueError(f"The rate must lie between 0 and 1, not {self.rate}.")
        if self.rate and not self.mix:
            raise ValueError("Name at least one kind of error for the corrupted questions.")


@dataclass(frozen=True, slots=True)
class Example:
    """One query with one of its gold passages (`positive`), a random other one and all golds."""

    text: str
    positive: str
    extra: str
    golds: frozenset[str]


@dataclass(frozen=True, slots=True)
class Corrupted:
    """The texts of all questions by id, how many were to be corrupted, and why some were not.

    `makers` are the names of what made the errors, each with its version.
    """

    texts: Mapping[str, str]
    planned: int
    failed: Mapping[str, str]
    makers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """The examples of each epoch, in the order of training, and what is recorded of them."""

    epochs: tuple[tuple[Example, ...], ...]
    told: Mapping[str, Any]


def split(
    questions: Sequence[Question], share: float, *, seed: int
) -> tuple[list[Question], list[Question]]:
    """Return the questions to learn from and the others, by a seeded hash of their ids.

    About `share` of them are to learn from. A question stays on its side whatever the others are;
    what is measured on questions that were learnt from says nothing of new ones.
    """
    if not 0 < share <= 1:
        raise TrainingError(f"The share to learn from must lie above 0 and up to 1, not {share}.")
    learnt: list[Question] = []
    others: list[Question] = []
    for question in questions:
        digest = hashlib.sha256(f"split\0{seed}\0{question.id}".encode()).digest()
        side = learnt if int.from_bytes(digest[:8]) < share * 2**64 else others
        side.append(question)
    return learnt, others


def corrupted(
    questions: Sequence[Question],
    corruption: Corruption,
    *,
    seed: int,
    maker: Callable[[str], Maker],
) -> Corrupted:
    """Return every question's text, `rate` of them corrupted by one kind each.

    `maker` gives the maker of a kind. A question of which no variation may stand stays clean and
    its reason is kept.
    """
    texts, planned = {q.id: q.text for q in questions}, 0
    failed: dict[str, str] = {}
    if not corruption.rate:
        return Corrupted(texts, planned, failed)
    from evaluation.variations.sets import plan

    makers: dict[str, Maker] = {}
    made_by: set[str] = set()
    by_id = {question.id: question for question in questions}
    chosen = plan(list(by_id), rate=corruption.rate, mix=corruption.mix, seed=seed)
    for one in chosen:
        if not one.kind:
            continue
        planned += 1
        if one.kind not in makers:
            makers[one.kind] = maker(one.kind)
        question = by_id[one.key]
        made = makers[one.kind].vary(Source(one.key, question.text, question.answers), seed=seed)
        made_by.add(f"{made.generator} {made.version}")
        if made.text is None:
            failed[one.key] = made.why
        else:
            texts[one.key] = made.text
    return Corrupted(texts, planned, failed, tuple(sorted(made_by)))


def training_set(
    questions: Sequence[Question],
    passages: Mapping[str, str],
    *,
    corruption: Corruption,
    epochs: int,
    seed: int,
    maker: Callable[[str], Maker],
) -> TrainingSet:
    """Return the examples of every epoch: one for each gold passage of each question, shuffled.

    `passages` are the texts of the whole corpus by id; the extra negative of an example is drawn
    from it and is never a gold of its question. The same questions in another order give the same
    set. Raises TrainingError when there is nothing to learn from.
    """
    in_order = _checked(questions, passages)
    ids = sorted(passages)
    found, texts, counts = [], corrupted(in_order, corruption, seed=seed, maker=maker), []
    for epoch in range(epochs):
        if corruption.anew and epoch:
            texts = corrupted(in_order, corruption, seed=seed + epoch, maker=maker)
        counts.append(
            {
                "corrupted": texts.planned - len(texts.failed),
                "failed": len(texts.failed),
                "makers": list(texts.makers),
            }
        )
        found.append(_epoch(in_order, texts.texts, ids, draws(seed, epoch)))
    return TrainingSet(tuple(found), _told(in_order, passages, corruption, found, counts))


def draws(seed: int, epoch: int) -> random.Random:
    """Return the source of random numbers of one epoch's order and negatives."""
    digest = hashlib.sha256(f"training\0{seed}\0{epoch}".encode()).digest()
    return random.Random(int.from_bytes(digest[:8]))  # noqa: S311 - nothing secret


def _epoch(
    questions: Sequence[Question], texts: Mapping[str, str], ids: Sequence[str], rng: random.Random
) -> tuple[Example, ...]:
    examples = []
    for question in questions:
        golds = frozenset(question.golds)
        for positive in question.golds:
            extra = rng.choice(ids)
            while extra in golds:
                extra = rng.choice(ids)
            examples.append(Example(texts[question.id], positive, extra, golds))
    rng.shuffle(examples)
    return tuple(examples)


def _checked(questions: Sequence[Question], passages: Mapping[str, str]) -> list[Question]:
    """Return the questions by id; refuse what would only fail in the middle of a training."""
    in_order = sorted(questions, key=lambda question: question.id)
    if not in_order:
        raise TrainingError(
            "There is no question with a gold passage, so that nothing can be learnt. Give "
            "questions with “evidence”."
        )
    for before, after in zip(in_order, in_order[1:], strict=False):
        if before.id == after.id:
            raise TrainingError(f"Two questions have the id “{after.id}”. Give each its own.")
    for question in in_order:
        if not question.golds or not question.text.strip():
            raise TrainingError(f"The question “{question.id}” has no text or no gold passage.")
        if len(set(question.golds)) != len(question.golds):
            raise TrainingError(f"The question “{question.id}” names a gold passage twice.")
        if lost := [gold for gold in question.golds if gold not in passages]:
            raise TrainingError(
                f"The corpus has no passage “{lost[0]}”, which is gold for “{question.id}”. "
                "Give the corpus that the evidence was made for."
            )
        if len(question.golds) >= len(passages):
            raise TrainingError(
                f"Every passage of the corpus is gold for “{question.id}”: there is no negative."
            )
    return in_order


def _told(
    questions: Sequence[Question],
    passages: Mapping[str, str],
    corruption: Corruption,
    epochs: Sequence[Sequence[Example]],
    counts: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    used = {key for epoch in epochs for e in epoch for key in (e.positive, e.extra)}
    content = {
        "epochs": [[[e.text, e.positive, e.extra, sorted(e.golds)] for e in x] for x in epochs],
        "passages": {key: passages[key] for key in used},
    }
    return {
        "sha256": content_hash(content),
        "questions": len(questions),
        # By name, so that anyone can tell whether a question of a run was learnt from.
        "ids": [question.id for question in questions],
        "questions_sha256": content_hash([[q.id, q.text, list(q.golds)] for q in questions]),
        "passages": len(passages),
        "pairs": len(epochs[0]) if epochs else 0,
        "rate": corruption.rate,
        "mix": dict(corruption.mix) if corruption.rate else {},
        "anew": corruption.anew,
        "epochs": [dict(count) for count in counts],
    }
