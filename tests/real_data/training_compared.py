"""The parts of a cross-validation, and several models' recalls put together over them, compared."""

import hashlib
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from evaluation.statistics.bootstrap import bootstrap_interval
from evaluation.statistics.paired import sign_flip
from evaluation.training.pairs import Question

# Of a form: the Recall@5 of each question in each draw, by the question's id.
Recalls = Mapping[str, Sequence[float]]
SPLIT_SEED = 7
PAIRS = (("R1", "R2"), ("MiniLM", "R1"), ("MiniLM", "R2"))


def parts(questions: Sequence[Question], count: int) -> list[list[Question]]:
    """Deal the questions into `count` parts of about equal size, by a seeded hash of their ids.
    Questions that share a gold paragraph, also by way of others, come into the same part.
    """
    golds = {question.id: question.golds for question in questions}
    group: dict[str, set[str]] = {}  # by gold paragraph: the questions that hang together
    for question in questions:
        joined = {question.id}.union(*(group.get(gold, set()) for gold in question.golds))
        for key in joined:
            for gold in golds[key]:
                group[gold] = joined
    groups = {min(joined): joined for joined in group.values()}

    def order(key: str) -> tuple[int, str]:
        return -len(groups[key]), hashlib.sha256(f"parts\0{SPLIT_SEED}\0{key}".encode()).hexdigest()

    dealt: list[list[Question]] = [[] for _ in range(count)]
    for key in sorted(groups, key=order):
        least = min(dealt, key=len)
        least += [question for question in questions if question.id in groups[key]]
    return dealt


def means(forms: Mapping[str, Recalls]) -> dict[str, float]:
    """The mean Recall@5 of each form."""
    return {form: fmean(map(fmean, of.values())) for form, of in forms.items()}


def told(found: Sequence[tuple[str, str, dict[str, Recalls]]]) -> dict[str, Any]:
    """Return what the page is written from: means, and models compared on the same questions."""
    joined: dict[tuple[str, str, str], dict[str, Sequence[float]]] = {}
    for data, model, forms in found:
        for form, of in forms.items():
            joined.setdefault((data, form, model), {}).update(of)
    measured = [
        {"data": data, "form": form, "model": model, "n": len(of),
         "recall": fmean(map(fmean, of.values()))}
        for (data, form, model), of in joined.items()
    ]  # fmt: skip
    return {
        "measured": measured,
        "compared": [
            compared(data, form, before, after, joined)
            for before, after in PAIRS
            for data, form in dict.fromkeys((data, form) for data, form, _model in joined)
            if (data, form, before) in joined and (data, form, after) in joined
        ],
    }


def compared(
    data: str,
    form: str,
    before: str,
    after: str,
    joined: Mapping[tuple[str, str, str], Mapping[str, Sequence[float]]],
) -> dict[str, Any]:
    """Compare two models on the questions that both were asked; a question's draws are a cluster.

    `worse` and `better` count questions by their mean over the draws.
    """
    one, other = joined[data, form, before], joined[data, form, after]
    keys = sorted(one.keys() & other.keys())
    rows = [(key, b - a) for key in keys for a, b in zip(one[key], other[key], strict=True)]
    clusters, differences = [key for key, _ in rows], [difference for _, difference in rows]
    interval = bootstrap_interval(differences, clusters=clusters)
    moved = [fmean(other[key]) - fmean(one[key]) for key in keys]
    return {
        "data": data, "form": form, "before": before, "after": after, "n": len(keys),
        "draws": len(one[keys[0]]),
        "before_recall": fmean(fmean(one[key]) for key in keys),
        "after_recall": fmean(fmean(other[key]) for key in keys),
        "difference": interval.value, "low": interval.low, "high": interval.high,
        "sign_flip_p": sign_flip(differences, clusters=clusters).value,
        "worse": sum(x < -1e-9 for x in moved), "better": sum(x > 1e-9 for x in moved),
    }  # fmt: skip
