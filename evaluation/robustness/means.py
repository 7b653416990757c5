"""Means and paired differences over requests, each with its interval, its n or why it has none."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from typing import Any, TypeVar

from evaluation.robustness.measures import GRADED, ROW_FAILED, ROW_MISSING, Scored
from evaluation.robustness.study import Item, Study, Value
from evaluation.statistics import Estimate, holm, mcnemar_exact, sign_flip, wilson
from evaluation.statistics.bootstrap import bootstrap_intervals
from evaluation.statistics.paired import cluster_totals

T = TypeVar("T")
# One row an item; None where it is not there.
Rows = Sequence[Scored | None]

NOBODY = "There is no request in it."
NOT_PAIRED = "No request has a value on both sides."

_TOGETHER = 200  # columns: what is drawn of them is in memory at once


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


def values_of(items: Sequence[Item], rows: Rows, measure: str) -> Found:
    """Return the value of every item under one measure; `rows` has the row of each item or None."""
    values: list[Value] = []
    without: Counter[str] = Counter()
    for item, row in zip(items, rows, strict=True):
        value, why = _value(row, measure)
        if value is None:
            without[why] += 1
        else:
            values.append((item.request, value))
    return Found(tuple(values), dict(without))


def differences_of(items: Sequence[Item], before: Rows, after: Rows, measure: str) -> Found:
    """Return after - before of every item that has a value on both sides."""
    values: list[Value] = []
    without: Counter[str] = Counter()
    for item, earlier, later in zip(items, before, after, strict=True):
        old, why_old = _value(earlier, measure)
        new, why_new = _value(later, measure)
        if old is None or new is None:
            without[why_old if old is None else why_new] += 1
        else:
            values.append((item.request, new - old))
    return Found(tuple(values), dict(without))


def _value(row: Scored | None, measure: str) -> tuple[float | None, str]:
    if row is None:
        return None, ROW_MISSING
    if row.failed:
        return None, ROW_FAILED
    return row.values[measure], row.why.get(measure, "")


class Figures:
    """The means and tests of one study. Equal ones are computed once; means that are resampled are
    computed together in `settle`, because equally many requests share what is drawn.
    """

    def __init__(self, study: Study) -> None:
        self._study = study
        self._waiting: dict[Hashable, tuple[Drawn, list[dict[str, Any]]]] = {}
        self._tests: dict[tuple[float, ...], Estimate] = {}

    def mean(self, found: Found, *, graded: bool) -> dict[str, Any]:
        """Return the mean as JSON; that of a resampled one is empty until `settle`. Shares of
        requests that stand alone have Wilson's interval; all others that of the bootstrap over
        requests, a twin drawn with its base.
        """
        if not found.values:
            return Estimate.undefined(found.reason).to_json()
        values = tuple(value for _request, value in found.values)
        labels = self._labels(found)
        if labels is None and not graded:
            hits = sum(value == 1.0 for value in values)
            return wilson(hits, len(values), level=self._study.settings.level).to_json()
        # Requests that stand alone can be drawn in any order.
        key: Hashable = tuple(sorted(values)) if labels is None else (values, labels)
        told: dict[str, Any] = {}
        drawn = Drawn(values, labels)
        self._waiting.setdefault(key, (drawn, []))[1].append(told)
        return told

    def settle(self) -> None:
        """Compute every mean that was asked for and is not there yet."""
        waiting, self._waiting = list(self._waiting.values()), {}
        waiting.sort(key=lambda each: each[0].units)
        for _units, same in groupby(waiting, key=lambda each: each[0].units):
            for some in batched(same, _TOGETHER):
                settings = self._study.settings
                estimates = bootstrap_intervals(
                    [drawn.values for drawn, _told in some],
                    clusters=[drawn.labels for drawn, _told in some],
                    level=settings.level,
                    resamples=settings.resamples,
                    seed=settings.seed,
                )
                for (_drawn, told), estimate in zip(some, estimates, strict=True):
                    for one in told:
                        one.update(estimate.to_json())

    def test(self, found: Found, measure: str) -> Estimate:
        """Return the p-value of no difference: McNemar's exact test for right or wrong, the
        sign-flip test for what is graded and wherever twins flip with their bases.
        """
        if not found.values:
            return Estimate.undefined(NOT_PAIRED)
        labels = self._labels(found)
        if measure not in GRADED and labels is None:
            return mcnemar_exact(*discordant(found))
        totals = cluster_totals([value for _request, value in found.values], labels)
        # What does not differ changes no pattern of signs.
        moving = tuple(sorted(total for total in totals if total))
        if moving not in self._tests:
            settings = self._study.settings
            self._tests[moving] = sign_flip(
                moving or (0.0,), resamples=settings.resamples, seed=settings.seed
            )
        return replace(self._tests[moving], n=len(totals))

    def _labels(self, found: Found) -> tuple[str, ...] | None:
        """Whom each request is drawn and flipped with; None where each stands alone."""
        labels = tuple(self._study.clusters(found.values))
        return labels if len(set(labels)) < len(labels) else None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A column to resample: a value a request, and whom each is drawn with."""

    values: tuple[float, ...]
    labels: tuple[str, ...] | None

    @property
    def units(self) -> int:
        return len(self.values if self.labels is None else set(self.labels))


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


def batched(items: Iterable[T], most: int) -> Iterator[list[T]]:
    """Yield the items in lists of at most `most`."""
    rest = iter(items)
    while some := list(islice(rest, most)):
        yield some
