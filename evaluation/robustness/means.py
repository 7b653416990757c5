"""Means and paired differences over requests, each with its interval, its n or why it has none."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from evaluation.robustness.measures import GRADED, ROW_FAILED, ROW_MISSING, Scored
from evaluation.robustness.study import Item, Study, Value
from evaluation.statistics import Estimate, holm, mcnemar_exact, sign_flip, wilson
from evaluation.statistics.bootstrap import bootstrap_intervals

K = TypeVar("K", bound=Hashable)

NOBODY = "There is no request in it."
NOT_PAIRED = "No request has a value on both sides."

Find = Callable[[Item], Scored | None]


@dataclass(frozen=True, slots=True)
class Found:
    """The values of one measure over some items, and why the other items have none, counted."""

    values: tuple[Value, ...]
    without: Mapping[str, int]

    @property
    def reason(self) -> str:
        """Why there is no value at all: the commonest reason."""
        if not self.without:
            return NOBODY
        return max(sorted(self.without), key=lambda why: self.without[why])


def values_of(items: Sequence[Item], find: Find, measure: str) -> Found:
    """Return the value of every item whose row `find` gives, under one measure."""
    values: list[Value] = []
    without: Counter[str] = Counter()
    for item in items:
        value, why = _value(find(item), measure)
        if value is None:
            without[why] += 1
        else:
            values.append((item.request, value))
    return Found(tuple(values), dict(without))


def differences_of(items: Sequence[Item], before: Find, after: Find, measure: str) -> Found:
    """Return after - before of every item that has a value on both sides."""
    values: list[Value] = []
    without: Counter[str] = Counter()
    for item in items:
        pair = [_value(find(item), measure) for find in (before, after)]
        if pair[0][0] is None or pair[1][0] is None:
            without[next(why for value, why in pair if value is None)] += 1
        else:
            values.append((item.request, pair[1][0] - pair[0][0]))
    return Found(tuple(values), dict(without))


def _value(row: Scored | None, measure: str) -> tuple[float | None, str]:
    if row is None:
        return None, ROW_MISSING
    if row.failed:
        return None, ROW_FAILED
    return row.values[measure], row.why.get(measure, "")


def averages(study: Study, columns: Mapping[K, Found], graded: Callable[[K], bool]) -> dict[K, Any]:
    """Return the mean of every column as JSON. Shares of requests that stand alone have Wilson's
    interval; all others that of the bootstrap over requests, a twin drawn with its base.
    """
    found: dict[K, Estimate] = {}
    drawn: list[K] = []
    for key, column in columns.items():
        labels = study.clusters(column.values)
        if not column.values:
            found[key] = Estimate.undefined(column.reason)
        elif graded(key) or len(set(labels)) < len(labels):
            drawn.append(key)
        else:
            hits = sum(value == 1.0 for _request, value in column.values)
            found[key] = wilson(hits, len(column.values), level=study.settings.level)
    estimates = bootstrap_intervals(
        [[value for _request, value in columns[key].values] for key in drawn],
        clusters=[study.clusters(columns[key].values) for key in drawn],
        level=study.settings.level,
        resamples=study.settings.resamples,
        seed=study.settings.seed,
    )
    found |= dict(zip(drawn, estimates, strict=True))
    return {key: found[key].to_json() for key in columns}


def tested(study: Study, found: Found, measure: str) -> Estimate:
    """Return the p-value of no difference: McNemar's exact test for right or wrong, the sign-flip
    test for what is graded and wherever twins flip with their bases.
    """
    if not found.values:
        return Estimate.undefined(NOT_PAIRED)
    labels = study.clusters(found.values)
    if measure not in GRADED and len(set(labels)) == len(labels):
        return mcnemar_exact(*discordant(found))
    return sign_flip(
        [value for _request, value in found.values],
        clusters=labels,
        resamples=study.settings.resamples,
        seed=study.settings.seed,
    )


def discordant(found: Found) -> tuple[int, int]:
    """Return how many requests are worse and how many better."""
    return (
        sum(value < 0 for _request, value in found.values),
        sum(value > 0 for _request, value in found.values),
    )


def corrected(rows: Sequence[dict[str, Any]], measures: Sequence[str]) -> None:
    """Write Holm's p-value beside every test: the family is one measure over all `rows`. A test
    that could not be made keeps its place with p = 1.
    """
    for measure in measures:
        family = [row["measures"][measure] for row in rows]
        adjusted = holm([told["test"]["value"] for told in family])
        for told, estimate in zip(family, adjusted, strict=True):
            told["adjusted"] = estimate.to_json()
