"""How far reviewers agree before anybody settles anything. Pure: sealed terms in, figures out.

Four questions, for each kind of constraint and over all (after WebAnno's and Artstein & Poesio's
practice of asking for "found" and "labelled alike" apart):

- *presence*: did the reviewers see such a constraint? Every aligned or one-sided constraint is a
  unit; a request in which nobody saw one of the kind is one more unit, on which all agree.
- *value* and *materiality*: do those who saw it say the same, by typed comparison?
- *ambiguity*: is the request unresolved? One unit a request.

The adjudicator is no rater. Nothing is dropped: one-sided constraints are counted in presence and
named beside the other figures, whose units need two sides.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from contracts.alignment import Unit, align_all
from contracts.coefficients import (
    Codes,
    Coefficient,
    codes_of,
    cohen_kappa,
    gwet_ac1,
    krippendorff_alpha,
    percent_agreement,
)
from contracts.resampling import Interval, Resampled, intervals
from contracts.terms import KINDS, MATERIALITIES, ContractTerms

PRESENCE, VALUE, MATERIALITY, AMBIGUITY = "presence", "value", "materiality", "ambiguity"
WHATS = (PRESENCE, VALUE, MATERIALITY, AMBIGUITY)
ALL = ""  # the kind of a figure over all kinds
OFFERED = {
    PRESENCE: ("absent", "present"),
    MATERIALITY: MATERIALITIES,
    AMBIGUITY: ("resolved", "unresolved"),
}
ONE_REVIEWER = "one reviewer alone: there is nobody to agree with"
NOTHING = "nobody marked one"


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The sealed sheets of one request, each with its reviewer's name."""

    request: str
    sheets: tuple[tuple[str, ContractTerms], ...]


@dataclass(frozen=True, slots=True)
class Rating:
    """One unit behind a figure: what each reviewer of the request said, None for no rating."""

    request: str
    kind: str
    reviewers: tuple[str, ...]
    labels: tuple[Any, ...]
    unit: Unit | None = None

    @property
    def agreed(self) -> bool:
        return len({label for label in self.labels if label is not None}) <= 1

    @property
    def rated(self) -> int:
        return sum(label is not None for label in self.labels)


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of the table. `units` have two ratings or more, of `requests`; `one_sided` units have
    one and are in no coefficient. `prevalence` is the share of each category in all ratings; of
    open values it is that of the most frequent.
    """

    what: str
    kind: str
    raw: Coefficient
    alpha: Coefficient
    ac1: Coefficient
    kappa: Coefficient
    units: int
    one_sided: int
    requests: int
    prevalence: dict[str, float]
    intervals: dict[str, Interval]


@dataclass(frozen=True, slots=True)
class Agreement:
    """The whole table: `requests` have two sheets or more; `alone` have one and count nowhere."""

    figures: tuple[Figure, ...]
    requests: int
    alone: int
    reviewers: tuple[str, ...]
    reason: str = ""  # why there is no table

    def figure(self, what: str, kind: str = ALL) -> Figure:
        return next(f for f in self.figures if (f.what, f.kind) == (what, kind))


def agreement(reviewed: Iterable[Reviewed], *, resamples: int = 0, seed: int = 0) -> Agreement:
    """Work the table out; with `resamples`, each coefficient has a 95 % percentile interval from
    resampling whole requests (Efron & Tibshirani 1993, chapter 13). The order of requests, sheets
    and constraints changes nothing.
    """
    sealed = sorted(reviewed, key=lambda one: one.request)
    both = [one for one in sealed if len(one.sheets) >= 2]
    alone = sum(len(one.sheets) == 1 for one in sealed)
    people = tuple(sorted({name for one in both for name, _terms in one.sheets}))
    if not both:
        reason = ONE_REVIEWER if alone else "no request has a sealed sheet yet"
        return Agreement((), 0, alone, people, reason)
    rated = [_Rated.of(what, kind, list(found), both) for what, kind, found in _questions(both)]
    drawn = intervals([one.resampled for one in rated], len(both), resamples, seed)
    figures = tuple(one.figure(people, found) for one, found in zip(rated, drawn, strict=True))
    return Agreement(figures, len(both), alone, people)


def ratings(reviewed: Iterable[Reviewed], what: str, kind: str = ALL) -> list[Rating]:
    """The units behind one figure, those with differing ratings first."""
    both = sorted((r for r in reviewed if len(r.sheets) >= 2), key=lambda one: one.request)
    found = next(list(f) for w, k, f in _questions(both) if (w, k) == (what, kind))
    return sorted(found, key=lambda one: (one.agreed, -one.rated))


def of_requests(reviewed: Iterable[Reviewed]) -> dict[str, Coefficient]:
    """For each request, the share of its pairs of ratings that agree, over everything that somebody
    marked (presence, value and materiality taken as one) and the mark of ambiguity.
    """
    found = {}
    for one in reviewed:
        if len(one.sheets) < 2:
            found[one.request] = Coefficient(None, ONE_REVIEWER)
            continue
        rows: list[tuple[Any, ...]] = [
            tuple(
                "absent" if side is None else (says, side.materiality)
                for side, says in zip(unit.sides, unit.says, strict=True)
            )
            for unit in _units(one)
        ]
        rows.append(tuple(terms.ambiguity.unresolved for _name, terms in one.sheets))
        found[one.request] = percent_agreement(codes_of(rows, len(one.sheets))[0])
    return found


# ---------------------------------------------------------------- units


def _units(one: Reviewed) -> list[Unit]:
    return align_all([terms.constraints for _name, terms in one.sheets])


def _questions(both: Sequence[Reviewed]) -> Iterator[tuple[str, str, Iterator[Rating]]]:
    """Every question with its ratings, kind by kind and over all."""
    aligned = [(one, tuple(name for name, _terms in one.sheets), _units(one)) for one in both]
    present: list[Rating] = []
    for kind in KINDS:
        for one, names, units in aligned:
            of_kind = [unit for unit in units if unit.kind == kind]
            nobody = (0,) * len(names)
            present += [
                Rating(one.request, kind, names, tuple(int(s is not None) for s in u.sides), u)
                for u in of_kind
            ] or [Rating(one.request, kind, names, nobody)]
    marked = [rating for rating in present if rating.unit]
    values = [replace(rating, labels=rating.unit.says) for rating in marked if rating.unit]
    weights = [replace(rating, labels=_weights(rating.unit)) for rating in marked if rating.unit]
    for what, found in ((PRESENCE, present), (VALUE, values), (MATERIALITY, weights)):
        for kind in (*KINDS, ALL):
            yield what, kind, (r for r in found if kind in (ALL, r.kind))
    yield (
        AMBIGUITY,
        ALL,
        (
            Rating(
                one.request, ALL, names, tuple(int(t.ambiguity.unresolved) for _n, t in one.sheets)
            )
            for one, names, _found in aligned
        ),
    )


def _weights(unit: Unit) -> tuple[int | None, ...]:
    """The materiality that each reviewer gave, numbered."""
    sides = unit.sides
    return tuple(None if s is None else MATERIALITIES.index(s.materiality) for s in sides)


# ---------------------------------------------------------------- one figure


@dataclass(frozen=True)
class _Rated:
    """The ratings of one question as numbers; columns are the places of reviewers in a request, or
    the two people where there are only two.
    """

    what: str
    kind: str
    codes: Codes
    categories: list[Any]
    of_request: Codes

    @classmethod
    def of(cls, what: str, kind: str, found: list[Rating], both: Sequence[Reviewed]) -> "_Rated":
        number = {one.request: n for n, one in enumerate(both)}
        width = max(len(one.sheets) for one in both)
        people = sorted({name for one in both for name, _terms in one.sheets})
        rows = []
        for rating in found:
            labels: list[Any] = list(rating.labels)
            if len(people) == 2:
                said = dict(zip(rating.reviewers, rating.labels, strict=True))
                labels = [said.get(name) for name in people]
            rows.append(labels + [None] * (width - len(labels)))
        if what in OFFERED:
            codes = np.array(
                [[-1 if label is None else label for label in row] for row in rows], dtype=np.int64
            ).reshape(len(rows), width)
            categories: list[Any] = list(OFFERED[what])
        else:
            codes, categories = codes_of(rows, width)
        of_request = np.array([number[rating.request] for rating in found], dtype=np.int64)
        return cls(what, kind, codes, categories, of_request)

    @property
    def offered(self) -> int | None:
        return len(OFFERED[self.what]) if self.what in OFFERED else None

    @property
    def resampled(self) -> Resampled:
        return Resampled(self.codes, self.of_request, len(self.categories), self.offered)

    def figure(self, people: Sequence[str], drawn: dict[str, Interval]) -> Figure:
        two = len(people) == 2
        many = f"needs the same two reviewers throughout; here are {len(people)}"
        found = {
            "raw": percent_agreement(self.codes),
            "alpha": krippendorff_alpha(self.codes),
            "ac1": gwet_ac1(self.codes, self.offered),
            "kappa": cohen_kappa(self.codes) if two else Coefficient(None, many),
        }
        if not len(self.codes):
            found = dict.fromkeys(found, Coefficient(None, NOTHING))
        rated = (self.codes >= 0).sum(axis=1)
        paired = rated >= 2
        return Figure(
            what=self.what,
            kind=self.kind,
            **found,
            units=int(paired.sum()),
            one_sided=int((rated == 1).sum()),
            requests=len(np.unique(self.of_request[paired])),
            prevalence=self._prevalence(),
            intervals={name: drawn[name] for name in found if found[name].value is not None}
            if drawn
            else {},
        )

    def _prevalence(self) -> dict[str, float]:
        given = self.codes[self.codes >= 0]
        if not len(given):
            return {}
        share = np.bincount(given, minlength=len(self.categories)) / len(given)
        if self.offered:
            return {name: float(s) for name, s in zip(self.categories, share, strict=True)}
        return {"most frequent": float(share.max())}
