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

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from contracts import coefficients as of_codes
from contracts.alignment import Unit, align_all
from contracts.coefficients import Codes, Coefficient, codes_of
from contracts.label_agreement import cohen_kappa as cohen_kappa
from contracts.label_agreement import gwet_ac1 as gwet_ac1
from contracts.label_agreement import krippendorff_alpha as krippendorff_alpha
from contracts.label_agreement import percent_agreement as percent_agreement
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


def _(words: str) -> str:
    """Mark words for the catalogues."""
    return words


ONE_REVIEWER = _("one reviewer alone: there is nobody to agree with")
NO_SHEET = _("no request has a sealed sheet yet")
NOTHING = _("nobody marked one")
NOT_TWO = _("needs the same two reviewers throughout")


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
    one and are in no coefficient. `prevalence` is the share of each category in all `ratings`; of
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
    ratings: int
    prevalence: dict[str, float]
    intervals: dict[str, Interval]


@dataclass(frozen=True, slots=True)
class OfRequest:
    """How far the `sheets` of one request agree: a share, or None and why there is none. `kinds`
    has for each kind that somebody marked, and for ambiguity, on how many things all reviewers
    agree, of how many.
    """

    value: float | None
    reason: str = ""
    sheets: int = 1
    kinds: Mapping[str, tuple[int, int]] = field(default_factory=dict)


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
        return Agreement((), 0, alone, people, ONE_REVIEWER if alone else NO_SHEET)
    frame = _Frame.of(both)
    rated = [one for what, found in _questions(both).items() for one in frame.rated(what, found)]
    drawn = intervals([one.resampled for one in rated], len(both), resamples, seed)
    figures = tuple(one.figure(people, found) for one, found in zip(rated, drawn, strict=True))
    return Agreement(figures, len(both), alone, people)


def ratings(reviewed: Iterable[Reviewed], what: str, kind: str = ALL) -> list[Rating]:
    """The units behind one figure, those with differing ratings first."""
    both = sorted((r for r in reviewed if len(r.sheets) >= 2), key=lambda one: one.request)
    of_kinds = _questions(both)[what]
    found = of_kinds[kind] if kind else [one for part in of_kinds.values() for one in part]
    return sorted(found, key=lambda one: (one.agreed, -one.rated))


def of_requests(reviewed: Iterable[Reviewed]) -> dict[str, OfRequest]:
    """For each request, the share of its pairs of ratings that agree, over everything that somebody
    marked (presence, value and materiality taken as one) and the mark of ambiguity.
    """
    return {one.request: _of_request(one) for one in reviewed}


def _of_request(one: Reviewed) -> OfRequest:
    if len(one.sheets) < 2:
        return OfRequest(None, ONE_REVIEWER)
    rows: list[tuple[Any, ...]] = []
    kinds: dict[str, tuple[int, int]] = {}

    def count(kind: str, labels: tuple[Any, ...]) -> None:
        agreed, of = kinds.get(kind, (0, 0))
        kinds[kind] = (agreed + (len(set(labels)) == 1), of + 1)
        rows.append(labels)

    for unit in _units(one):
        said = zip(unit.sides, unit.says, strict=True)
        count(unit.kind, tuple(s and (says, s.materiality) or "absent" for s, says in said))
    count(AMBIGUITY, tuple(terms.ambiguity.unresolved for _name, terms in one.sheets))
    share = of_codes.percent_agreement(codes_of(rows, len(one.sheets))[0])
    return OfRequest(share.value, share.reason, len(one.sheets), kinds)


# ---------------------------------------------------------------- units


OfKinds = Mapping[str, Sequence[Rating]]


def _units(one: Reviewed) -> list[Unit]:
    return align_all([terms.constraints for _name, terms in one.sheets])


def _questions(both: Sequence[Reviewed]) -> dict[str, OfKinds]:
    """The ratings of every question, kind by kind; the ambiguity of a request is of no kind."""
    present: dict[str, list[Rating]] = {kind: [] for kind in KINDS}
    ambiguity = []
    for one in both:
        names = tuple(name for name, _terms in one.sheets)
        of_kind: dict[str, list[Unit]] = {}
        for unit in _units(one):
            of_kind.setdefault(unit.kind, []).append(unit)
        nobody = (0,) * len(names)
        for kind, found in present.items():
            if kind not in of_kind:
                found.append(Rating(one.request, kind, names, nobody))
                continue
            for unit in of_kind[kind]:
                seen = tuple([int(side is not None) for side in unit.sides])
                found.append(Rating(one.request, kind, names, seen, unit))
        marks = tuple(int(terms.ambiguity.unresolved) for _name, terms in one.sheets)
        ambiguity.append(Rating(one.request, ALL, names, marks))
    marked = {kind: [r for r in found if r.unit] for kind, found in present.items()}
    return {
        PRESENCE: present,
        VALUE: _labelled(marked, lambda unit: unit.says),
        MATERIALITY: _labelled(marked, _weights),
        AMBIGUITY: {ALL: ambiguity},
    }


def _labelled(marked: OfKinds, labels: Callable[[Unit], tuple[Any, ...]]) -> OfKinds:
    return {
        kind: [
            Rating(r.request, kind, r.reviewers, labels(r.unit), r.unit) for r in found if r.unit
        ]
        for kind, found in marked.items()
    }


_NUMBERED = {weight: number for number, weight in enumerate(MATERIALITIES)}


def _weights(unit: Unit) -> tuple[int | None, ...]:
    """The materiality that each reviewer gave, numbered."""
    return tuple([None if side is None else _NUMBERED[side.materiality] for side in unit.sides])


# ---------------------------------------------------------------- one figure


@dataclass(frozen=True)
class _Frame:
    """What all tables of codes share: rows are numbered by request; columns are the places of
    reviewers in a request, or the two people where there are only two.
    """

    number: Mapping[str, int]
    width: int
    people: tuple[str, ...]

    @classmethod
    def of(cls, both: Sequence[Reviewed]) -> "_Frame":
        return cls(
            {one.request: n for n, one in enumerate(both)},
            max(len(one.sheets) for one in both),
            tuple(sorted({name for one in both for name, _terms in one.sheets})),
        )

    def rated(self, what: str, of_kinds: OfKinds) -> "Iterator[_Rated]":
        """The ratings of a question as numbers, kind by kind and over all."""
        found = [rating for part in of_kinds.values() for rating in part]
        codes, categories = self._codes(what, found)
        of_request = np.array([self.number[rating.request] for rating in found], dtype=np.int64)
        whole = _Rated(what, ALL, codes, categories, of_request)
        start = 0
        for kind, part in of_kinds.items():
            rows = slice(start, start := start + len(part))
            if kind:
                yield whole.part(kind, rows)
        yield whole

    def _codes(self, what: str, found: Sequence[Rating]) -> tuple[Codes, list[Any]]:
        rows = [self._row(rating) for rating in found]
        if what not in OFFERED:
            return codes_of(rows, self.width)
        said = np.array(rows, dtype=np.float64).reshape(len(rows), self.width)  # None becomes NaN
        return np.where(np.isnan(said), -1, said).astype(np.int64), list(OFFERED[what])

    def _row(self, rating: Rating) -> Sequence[Any]:
        labels = rating.labels
        if len(self.people) == 2:
            if rating.reviewers == self.people:
                return labels
            said = dict(zip(rating.reviewers, labels, strict=True))
            return [said.get(name) for name in self.people]
        missing = self.width - len(labels)
        return labels + (None,) * missing if missing else labels


@dataclass(frozen=True)
class _Rated:
    """The ratings of one question as numbers."""

    what: str
    kind: str
    codes: Codes
    categories: list[Any]
    of_request: Codes

    def part(self, kind: str, rows: slice) -> "_Rated":
        """The ratings of one kind; open values are numbered anew."""
        codes, categories = self.codes[rows], self.categories
        if not self.offered:
            used, numbered = np.unique(codes, return_inverse=True)
            gap = int(len(used) > 0 and used[0] < 0)
            codes = numbered.reshape(codes.shape) - gap
            categories = [categories[n] for n in used[gap:]]
        return _Rated(self.what, kind, codes, categories, self.of_request[rows])

    @property
    def offered(self) -> int | None:
        return len(OFFERED[self.what]) if self.what in OFFERED else None

    @property
    def resampled(self) -> Resampled:
        return Resampled(self.codes, self.of_request, len(self.categories), self.offered)

    def figure(self, people: Sequence[str], drawn: dict[str, Interval]) -> Figure:
        two = len(people) == 2
        found = {
            "raw": of_codes.percent_agreement(self.codes),
            "alpha": of_codes.krippendorff_alpha(self.codes),
            "ac1": of_codes.gwet_ac1(self.codes, self.offered),
            "kappa": of_codes.cohen_kappa(self.codes) if two else Coefficient(None, NOT_TWO),
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
            ratings=int(rated.sum()),
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
