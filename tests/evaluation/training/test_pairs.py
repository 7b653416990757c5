from collections.abc import Mapping
from typing import Any, cast

import pytest

from evaluation.training.pairs import (
    Corruption,
    Question,
    TrainingError,
    TrainingSet,
    corrupted,
    split,
    training_set,
)
from evaluation.variations.base import Maker, Source, Variant, build_maker
from tests.evaluation.training.small_data import PASSAGES, QUESTIONS

MANY = [Question(f"q{i:03}", f"which bridge opened in the year {i}", ("p1",)) for i in range(200)]


class Shouting:
    """Stands for a maker: its text is the source in capitals; it refuses what ends in 7."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def vary(self, source: Source, *, seed: int) -> Variant:
        text = None if source.text.endswith("7") else f"{self.kind} {seed} {source.text.upper()}"
        return Variant(self.kind, text, self.kind, "1", seed, 1, why="" if text else "A seven.")


def shouting(kind: str) -> Maker:
    return cast(Maker, Shouting(kind))


def made(**given: Any) -> TrainingSet:
    return training_set(
        given.pop("questions", QUESTIONS),
        PASSAGES,
        corruption=given.pop("corruption", Corruption()),
        epochs=given.pop("epochs", 2),
        seed=given.pop("seed", 7),
        maker=shouting,
    )


def kinds(texts: Mapping[str, str]) -> dict[str, int]:
    first = [text.split()[0] for text in texts.values()]
    return {kind: first.count(kind) for kind in ("spelling", "keyboard", "visual")}


def test_each_gold_passage_of_each_question_is_one_example() -> None:
    [first, second] = made().epochs
    pairs = {(q.text, gold) for q in QUESTIONS for gold in q.golds}
    assert {(e.text, e.positive) for e in first} == {(e.text, e.positive) for e in second} == pairs
    assert len(first) == 7 and first != second  # another order, other negatives


def test_the_extra_passage_is_never_a_gold_one() -> None:
    examples = [e for seed in range(20) for epoch in made(seed=seed).epochs for e in epoch]
    assert not [e for e in examples if e.extra in e.golds]
    assert {e.extra for e in examples} == set(PASSAGES)


def test_the_same_seed_gives_the_same_set_whatever_the_order() -> None:
    assert made(questions=QUESTIONS[::-1]) == made()
    assert made(seed=8).told["sha256"] != made().told["sha256"]


def test_r1_is_clean_and_r2_has_the_corrupted_share() -> None:
    assert corrupted(MANY, Corruption(), seed=7, maker=shouting).texts == {
        q.id: q.text for q in MANY
    }
    mixed = corrupted(MANY, Corruption(0.2), seed=7, maker=shouting)
    # QE-RAG's ratio of 3:1:1; what cannot be varied stays clean.
    assert mixed.planned == 40
    assert sum(kinds(mixed.texts).values()) == 40 - len(mixed.failed)
    assert 20 <= kinds(mixed.texts)["spelling"] <= 24
    assert set(mixed.failed.values()) <= {"A seven."}


def test_errors_are_drawn_once_or_for_every_epoch() -> None:
    def loud(data: TrainingSet) -> list[set[str]]:
        return [{e.text for e in epoch if e.text.endswith("0")} for epoch in data.epochs]

    tens = [q for q in MANY if q.text.endswith("0")]
    once = loud(made(questions=tens, corruption=Corruption(0.5)))
    anew = loud(made(questions=tens, corruption=Corruption(0.5, anew=True)))
    assert once[0] == once[1]
    assert anew[0] != anew[1]


def test_what_is_recorded_names_the_questions_and_counts_the_errors() -> None:
    told = made(corruption=Corruption(0.5)).told
    assert told["ids"] == [q.id for q in QUESTIONS]
    assert (told["questions"], told["pairs"], told["rate"]) == (6, 7, 0.5)
    [first, second] = told["epochs"]
    assert first == second
    assert (first["corrupted"], first["failed"]) == (3, 0)
    assert "spelling 1" in first["makers"]
    assert made().told["mix"] == {}


def test_a_split_keeps_each_question_on_its_side() -> None:
    learnt, others = split(MANY, 0.7, seed=1)
    assert 125 <= len(learnt) <= 155  # two standard deviations about 140
    assert not {q.id for q in learnt} & {q.id for q in others}
    assert split(MANY[:50], 0.7, seed=1)[1] == [q for q in others if q in MANY[:50]]
    assert split(MANY, 1.0, seed=1) == (MANY, [])


@pytest.mark.parametrize(
    ("questions", "sentence"),
    [
        ([], "no question with a gold passage"),
        ([Question("q", "x", ("p9",))], "has no passage “p9”"),
        ([Question("q", "x", ("p1", "p1"))], "names a gold passage twice"),
        ([Question("q", " ", ("p1",))], "has no text or no gold"),
        ([Question("q", "x", ("p1",)), Question("q", "y", ("p2",))], "have the id “q”"),
        ([Question("q", "x", tuple(PASSAGES))], "there is no negative"),
    ],
)
def test_what_cannot_be_learnt_from_is_a_sentence(questions: list[Question], sentence: str) -> None:
    with pytest.raises(TrainingError, match=sentence):
        made(questions=questions)


def test_wrong_rates_are_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        Corruption(1.2)
    with pytest.raises(ValueError, match="at least one kind"):
        Corruption(0.2, {})


def test_the_makers_of_the_product_corrupt_questions() -> None:
    def maker(kind: str) -> Maker:
        return build_maker(kind, {})

    mixed = corrupted(MANY[:20], Corruption(1.0), seed=3, maker=maker)
    changed = [q for q in MANY[:20] if mixed.texts[q.id] != q.text]
    assert len(changed) == 20 - len(mixed.failed) > 15
    assert mixed == corrupted(MANY[:20], Corruption(1.0), seed=3, maker=maker)
