"""Agreement of plain labels, for notebooks and other programs: the arithmetic of the tables, for
whatever has been labelled. Pure: labels in, coefficients out.

A *unit* is what was labelled: a sequence with one label for each rater, None (or a NaN, as data
frames have it) where there is none. Units may have unequal numbers of labels. Every function
returns a `Coefficient`: `value` is None where the number is not defined, `reason` is then the
sentence why, and `n` counts the units that could be compared, those with two labels or more. A
call that makes no sense raises ValueError with a sentence; odd labels never do.
"""

import math
from collections.abc import Collection, Hashable, Sequence
from typing import Any

import numpy as np

from contracts import coefficients as of_codes
from contracts.coefficients import Codes, Coefficient

Label = Hashable
LEVELS = ("nominal", "ordinal", "interval", "ratio")
ENDLESS = "An infinite label has no distance to any other"
BELOW_ZERO = "A label below 0 has no place on a ratio scale"


def percent_agreement(units: Sequence[Sequence[Label | None]]) -> Coefficient:
    """Return the mean over units of the share of pairs of labels that are equal, from 0 to 1.

    Units with fewer than two labels are left out. Source: Gwet 2014, chapter 2. Raises ValueError
    for a unit that is a text or a label that cannot be compared.
    """
    return _said(of_codes.percent_agreement(_codes(_rows(units))[0]))


def krippendorff_alpha(
    units: Sequence[Sequence[Label | None]], *, level: str = "nominal"
) -> Coefficient:
    """Return Krippendorff's alpha, 1 - observed / expected disagreement: 1 is full agreement, 0 is
    chance, below 0 is worse than chance.

    `level` says how far two labels differ: "nominal" (equal or not), "ordinal" (by rank),
    "interval" (by the square of their difference) or "ratio" (by that of their relative
    difference); all but nominal need numbers. Not defined where all labels are the same. Source:
    Krippendorff 2011. Raises ValueError as `percent_agreement` does, for an unknown level and for
    labels that are no numbers at a level that needs them.
    """
    if level not in LEVELS:
        raise ValueError(f"level is {level!r}: choose one of {', '.join(LEVELS)}.")
    rows = _rows(units)
    if level == "nominal":
        return _said(of_codes.krippendorff_alpha(_codes(rows)[0]))
    labels = dict.fromkeys(label for row in rows for label in row if label is not None)
    numbers = {label: _number(label, level) for label in labels}
    codes, categories = _codes([[numbers.get(label) for label in row] for row in rows])
    odd = _odd(numbers.values(), level)
    if odd:
        return _said(Coefficient(None, odd, of_codes.percent_agreement(codes).n))
    values = np.array(categories, dtype=np.float64)
    return _said(of_codes.krippendorff_alpha(codes, level, values))


def gwet_ac1(
    units: Sequence[Sequence[Label | None]], *, categories: Sequence[Label] | int | None
) -> Coefficient:
    """Return Gwet's AC1, raw agreement corrected by a chance that does not grow with prevalence.

    `categories` are those that raters could choose from, used or not, or their number; None where
    values were open, and then AC1 is not defined. Source: Gwet 2014, chapter 5. Raises ValueError
    as `percent_agreement` does, for no category, and for a label outside the declared ones.
    """
    codes, used = _codes(_rows(units))
    if categories is None:
        return _said(of_codes.gwet_ac1(codes, None))
    offered = categories if isinstance(categories, int) else len(set(categories))
    if offered < 1:
        raise ValueError("categories is empty: declare those that raters could choose from.")
    strange = [] if isinstance(categories, int) else [u for u in used if u not in set(categories)]
    if strange:
        raise ValueError(f"Label {strange[0]!r} is none of the declared categories.")
    if len(used) > offered:
        raise ValueError(
            f"There are {len(used)} different labels but {offered} categories: declare them all."
        )
    return _said(of_codes.gwet_ac1(codes, offered))


def cohen_kappa(a: Sequence[Label | None], b: Sequence[Label | None]) -> Coefficient:
    """Return Cohen's kappa of two raters: `a` and `b` have the label that each gave to each unit.

    Units that either left out are left out. Source: Cohen 1960. Raises ValueError for unequal
    lengths, and as `percent_agreement` does.
    """
    if len(a) != len(b):
        raise ValueError(
            f"The raters gave {len(a)} and {len(b)} labels: give None where one is missing."
        )
    rows = _rows(list(zip(a, b, strict=True)))
    return _said(of_codes.cohen_kappa(_codes(rows)[0].reshape(len(rows), 2)))


def _rows(units: Sequence[Sequence[Label | None]]) -> list[list[Label | None]]:
    """The labels of each unit, NaN as None."""
    rows = []
    for unit in units:
        if isinstance(unit, str | bytes):
            raise ValueError(
                f"Unit {unit!r} is a text: a unit is a sequence of labels, one for each rater."
            )
        try:
            rows.append([None if label != label else label for label in unit])
            hash(tuple(rows[-1]))
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"The labels of unit {unit!r} cannot be compared: give texts, numbers or tuples."
            ) from error
    return rows


def _codes(rows: Sequence[Sequence[Label | None]]) -> tuple[Codes, list[Label]]:
    """The labels numbered in their order, numbers by size; -1 for a gap, also at the end of a
    short unit.
    """
    found = {label for row in rows for label in row if label is not None}
    categories = sorted(found, key=_place)
    number = {label: place for place, label in enumerate(categories)}
    codes = np.full((len(rows), max(map(len, rows), default=0)), -1, dtype=np.int64)
    for row, labels in zip(codes, rows, strict=True):
        row[: len(labels)] = [-1 if label is None else number[label] for label in labels]
    return codes, categories


def _place(label: Label) -> tuple[float, str, str]:
    number = _float(label) if _is_number(label) else math.inf
    return number, type(label).__name__, str(label)


def _number(label: Label, level: str) -> float:
    if not _is_number(label):
        raise ValueError(f"Label {label!r} is no number: {level} agreement needs numbers.")
    return _float(label)


def _is_number(label: Label) -> bool:
    return isinstance(label, int | float | np.integer | np.floating)


def _float(label: Any) -> float:
    try:
        return float(label)
    except OverflowError:
        return math.inf


def _odd(numbers: Collection[float], level: str) -> str:
    if any(map(math.isinf, numbers)):
        return ENDLESS
    return BELOW_ZERO if level == "ratio" and any(n < 0 for n in numbers) else ""


def _said(found: Coefficient) -> Coefficient:
    """The reason as a sentence: tables have it within one."""
    reason = found.reason and f"{found.reason[0].upper()}{found.reason[1:].rstrip('.')}."
    return Coefficient(found.value, reason, found.n)
