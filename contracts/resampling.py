"""Intervals of agreement by resampling whole requests. Pure: arrays in, intervals out.

Each coefficient is made of sums over requests, so that a resample is one row of weights times a
table with a row for each request. All figures of a table see the same resamples.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from contracts.coefficients import Codes, Numbers, unit_agreement

AT_ONCE = 256  # resamples whose sums are held at once


def _(words: str) -> str:
    """Mark words for the catalogues."""
    return words


NO_INTERVAL = _("one request alone: nothing to resample")
NONE_DEFINED = _("no resample gave a number")
NOT_DEFINED = _("not defined")


@dataclass(frozen=True, slots=True)
class Interval:
    """A percentile interval of `used` resamples; `undefined` more gave no number."""

    low: float | None
    high: float | None
    used: int
    undefined: int
    reason: str = ""


class Resampled:
    """The sums behind the coefficients of one question, request by request."""

    def __init__(
        self, codes: Codes, of_request: Codes, categories: int, offered: int | None
    ) -> None:
        share, ratings = unit_agreement(codes)
        paired, rated = ratings >= 2, ratings >= 1
        # Units with pairs, their agreement, their ratings, their disagreement, rated units.
        self._plain = _by_request(
            np.stack(
                [paired, share * paired, ratings * paired, ratings * (1 - share) * paired, rated], 1
            ),
            of_request,
        )
        self._offered = offered
        self._of_category = _counted(codes, paired, of_request, categories)
        self._shares = _counted(codes, rated, of_request, categories, 1 / np.maximum(ratings, 1))
        self._two = codes.shape[1] == 2
        if self._two:
            both = (codes >= 0).all(axis=1)
            self._both = _by_request(
                np.stack([both, both & (codes[:, 0] == codes[:, 1])], 1), of_request
            )
            self._sides = [
                _counted(codes[:, [rater]], both, of_request, categories) for rater in (0, 1)
            ]

    def coefficients(self, weights: Numbers) -> dict[str, Numbers]:
        """The coefficients of each resample, NaN where one is not defined; `weights` has shape
        (resamples, requests).
        """
        units, agreement, total, disagreement, rated = _sum(weights, self._plain).T
        with np.errstate(divide="ignore", invalid="ignore"):
            raw = agreement / units
            squares = (_sum(weights, self._of_category) ** 2).sum(axis=1)
            expected = (total**2 - squares) / (total * (total - 1))
            alpha = np.where(expected > 0, 1 - disagreement / total / expected, np.nan)
            found = {"raw": raw, "alpha": alpha}
            if self._offered is not None:
                share = _sum(weights, self._shares) / rated[:, None]
                found["ac1"] = _corrected(raw, (share * (1 - share)).sum(1) / (self._offered - 1))
            if self._two:
                both, same = _sum(weights, self._both).T
                first, second = (_sum(weights, side) for side in self._sides)
                found["kappa"] = _corrected(same / both, (first * second).sum(1) / both**2)
        return found


def intervals(
    questions: Sequence[Resampled], requests: int, resamples: int, seed: int, level: float = 0.95
) -> list[dict[str, Interval]]:
    """The percentile intervals of every coefficient of every question; the same for the same seed.
    Without resamples there are none.
    """
    if not resamples:
        return [{} for _question in questions]
    names = ("raw", "alpha", "ac1", "kappa")
    if requests < 2:
        none = Interval(None, None, 0, 0, NO_INTERVAL)
        return [dict.fromkeys(names, none) for _question in questions]
    drawn: list[dict[str, list[Numbers]]] = [{} for _question in questions]
    for weights in _weights(requests, resamples, seed):
        for question, kept in zip(questions, drawn, strict=True):
            for name, values in question.coefficients(weights).items():
                kept.setdefault(name, []).append(values)
    return [
        {name: _interval(np.concatenate(parts), level) for name, parts in kept.items()}
        | {name: Interval(None, None, 0, 0, NOT_DEFINED) for name in names if name not in kept}
        for kept in drawn
    ]


def _weights(requests: int, resamples: int, seed: int) -> Iterator[Numbers]:
    """How often each request is drawn, for some resamples at a time."""
    rng = np.random.default_rng(seed)
    for start in range(0, resamples, AT_ONCE):
        size = min(AT_ONCE, resamples - start)
        drawn = rng.integers(0, requests, (size, requests))
        drawn += np.arange(size)[:, None] * requests
        found = np.bincount(drawn.ravel(), minlength=size * requests)
        yield found.reshape(size, requests).astype(np.float64)


def _interval(values: Numbers, level: float) -> Interval:
    defined = values[np.isfinite(values)]
    undefined = len(values) - len(defined)
    if not len(defined):
        return Interval(None, None, 0, undefined, NONE_DEFINED)
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), len(defined), undefined)


def _corrected(observed: Numbers, by_chance: Numbers) -> Numbers:
    found: Numbers = np.where(
        by_chance < 1 - 1e-12, (observed - by_chance) / (1 - by_chance), np.nan
    )
    return found


def _sum(weights: Numbers, table: sparse.csr_array) -> Numbers:
    """Add the rows of the requests that each resample drew."""
    requests, width = table.shape
    found: Numbers = (table.T @ weights[:, :requests].T).T
    return np.asarray(found).reshape(len(weights), width)


def _by_request(rows: NDArray[Any], of_request: Codes) -> sparse.csr_array:
    units, columns = np.nonzero(rows)
    values = rows[units, columns].astype(np.float64)  # flags would not add up
    shape = (int(of_request.max(initial=-1)) + 1, rows.shape[1])
    return sparse.csr_array((values, (of_request[units], columns)), shape=shape)


def _counted(
    codes: Codes,
    kept: Any,
    of_request: Codes,
    categories: int,
    weight: Numbers | None = None,
) -> sparse.csr_array:
    """For each request, how often each category was given on the units that are kept."""
    units, raters = np.nonzero((codes >= 0) & kept[:, None])
    values = np.ones(len(units)) if weight is None else weight[units]
    shape = (int(of_request.max(initial=-1)) + 1, categories)
    where = (of_request[units], codes[units, raters])
    return sparse.csr_array((values, where), shape=shape)
