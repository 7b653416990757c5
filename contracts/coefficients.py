"""Agreement of any number of raters, with gaps, raw and corrected for chance. Pure: arrays in,
plain numbers out.

`codes` has shape (units, raters): the category that each rater gave to each unit, numbered from 0,
and -1 where they gave none. What cannot be defined is None with its reason, never a number.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import krippendorff
import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]
Numbers = NDArray[np.float64]


def _(words: str) -> str:
    """Mark words for the catalogues."""
    return words


NO_PAIRS = _("no unit has two ratings")
NO_VARIATION = _("no variation: every rating is the same, so agreement cannot be told from chance")
OPEN = _("the values are open: there is no number of categories to choose from")


_FEW = 16  # categories for which the library's table of units by categories is small


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A number, or None and why there is none. `n` counts the units that could be compared."""

    value: float | None
    reason: str = ""
    n: int = 0


def unit_agreement(codes: Codes) -> tuple[Numbers, Codes]:
    """For each unit, the share of its pairs of ratings that agree (0 without pairs), and how many
    ratings it has.
    """
    same, pairs = np.zeros(len(codes)), np.zeros(len(codes))
    for one, other in combinations(codes.T, 2):
        both = (one >= 0) & (other >= 0)
        same += both & (one == other)
        pairs += both
    share = np.divide(same, pairs, out=np.zeros(len(codes)), where=pairs > 0)
    return share, (codes >= 0).sum(axis=1)


def percent_agreement(codes: Codes) -> Coefficient:
    """The mean over units of the share of pairs of ratings that agree (Gwet 2014, chapter 2)."""
    share, ratings = unit_agreement(codes)
    if not (ratings >= 2).any():
        return Coefficient(None, NO_PAIRS)
    return Coefficient(float(share[ratings >= 2].mean()), n=int((ratings >= 2).sum()))


def krippendorff_alpha(
    codes: Codes, level: str = "nominal", values: Numbers | None = None
) -> Coefficient:
    """Krippendorff's alpha (Krippendorff 2011). `level` is nominal, ordinal, interval or ratio;
    `values` has the value of each category, rising, else their numbers are their values. Units with
    one rating tell nothing and are left out.
    """
    pairable = codes[(codes >= 0).sum(axis=1) >= 2]
    if not len(pairable):
        return Coefficient(None, NO_PAIRS)
    used = np.unique(pairable[pairable >= 0])
    if len(used) < 2:
        return Coefficient(None, NO_VARIATION, len(pairable))
    if level == "nominal" and len(used) > _FEW:
        return Coefficient(_nominal_alpha(pairable), n=len(pairable))
    counts = (pairable[:, :, None] == used).sum(axis=1)
    domain = used if values is None else values[used]
    found = krippendorff.alpha(value_counts=counts, value_domain=domain, level_of_measurement=level)
    return Coefficient(float(found), n=len(pairable))


def _nominal_alpha(pairable: Codes) -> float:
    """The library's number without its table of units by categories, of which open values have
    thousands.
    """
    share, ratings = unit_agreement(pairable)
    total = int(ratings.sum())
    of_category = np.bincount(pairable[pairable >= 0]).astype(np.float64)
    observed = float((ratings * (1 - share)).sum() / total)
    expected = float((total**2 - (of_category**2).sum()) / (total * (total - 1)))
    return 1 - observed / expected


def gwet_ac1(codes: Codes, offered: int | None) -> Coefficient:
    """Gwet's AC1 (Gwet 2014, chapter 5). `offered` is the number of categories that raters could
    choose from, used or not; None where values are open.
    """
    if offered is None:
        return Coefficient(None, OPEN)
    observed = percent_agreement(codes)
    if observed.value is None:
        return observed
    if offered < 2:
        return Coefficient(None, NO_VARIATION, observed.n)
    share = mean_shares(codes, offered)
    by_chance = float((share * (1 - share)).sum() / (offered - 1))
    return _corrected(observed.value, by_chance, observed.n)


def fleiss_kappa(codes: Codes) -> Coefficient:
    """Fleiss' kappa, with gaps as Gwet (2014, chapter 2) generalises it."""
    observed = percent_agreement(codes)
    if observed.value is None:
        return observed
    return _corrected(observed.value, float((mean_shares(codes) ** 2).sum()), observed.n)


def cohen_kappa(codes: Codes) -> Coefficient:
    """Cohen's kappa of two raters; only units with both ratings count."""
    both = codes[(codes >= 0).all(axis=1)]
    if not len(both):
        return Coefficient(None, NO_PAIRS)
    size = int(both.max()) + 1
    first, second = (np.bincount(both[:, rater], minlength=size) for rater in (0, 1))
    by_chance = float(first @ second) / len(both) ** 2
    return _corrected(float((both[:, 0] == both[:, 1]).mean()), by_chance, len(both))


def mean_shares(codes: Codes, categories: int | None = None) -> Numbers:
    """The mean over rated units of each category's share of the unit's ratings."""
    ratings = (codes >= 0).sum(axis=1)
    given = codes >= 0
    size = categories or int(codes.max()) + 1
    weight = np.repeat(1 / np.maximum(ratings, 1)[:, None], codes.shape[1], axis=1)
    sums = np.bincount(codes[given], weights=weight[given], minlength=size)
    found: Numbers = sums / max(1, int((ratings > 0).sum()))
    return found


def _corrected(observed: float, by_chance: float, n: int) -> Coefficient:
    if by_chance > 1 - 1e-12:  # a sum of shares may miss 1 by a rounding
        return Coefficient(None, NO_VARIATION, n)
    return Coefficient((observed - by_chance) / (1 - by_chance), n=n)


def codes_of(labels: Sequence[Sequence[Any]], raters: int) -> tuple[Codes, list[Any]]:
    """Number the categories of rows of labels, None where a rater gave none, in their sorted order;
    return the codes and the categories.
    """
    categories = sorted({label for row in labels for label in row if label is not None}, key=str)
    number = {label: n for n, label in enumerate(categories)}
    rows = [[-1 if label is None else number[label] for label in row] for row in labels]
    return np.array(rows, dtype=np.int64).reshape(len(rows), raters), categories
