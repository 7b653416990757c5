"""How many of the variations that two people looked at passed, and how far the two agree. Pure:
reviews in, figures out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from contracts import coefficients as of_codes
from contracts.coefficients import Coefficient, codes_of
from evaluation.statistics import Estimate, clopper_pearson

MEANING, CATEGORY = "meaning", "category"
QUESTIONS = (MEANING, CATEGORY)
ALL = ""  # every kind


def _(words: str) -> str:
    """Mark words for the catalogues."""
    return words


NOT_TWO = _("needs the same two reviewers throughout")


@dataclass(frozen=True, slots=True)
class Review:
    """What one person said of one item of a kind."""

    item: int
    kind: str
    person: int
    meaning: bool
    category: bool

    @property
    def passed(self) -> bool:
        return self.meaning and self.category


@dataclass(frozen=True, slots=True)
class Answers:
    """What two people each answered to one question about the same items: how many `items`, of how
    many both said yes, and the coefficients.
    """

    question: str
    items: int
    both_yes: int
    same: int
    raw: Coefficient
    kappa: Coefficient
    ac1: Coefficient
    alpha: Coefficient


@dataclass(frozen=True, slots=True)
class OfKind:
    """One kind: how many were drawn, and looked at by one and by two people; the share of the
    latter that both passed, with the exact interval; how far they agree.
    """

    kind: str
    drawn: int
    once: int
    twice: int
    passed: Estimate
    answers: tuple[Answers, ...]


@dataclass(frozen=True, slots=True)
class OfPerson:
    """How many of the items that a person looked at passed for them."""

    person: int
    passed: Estimate


def by_kind(drawn: Mapping[str, int], reviews: Iterable[Review]) -> tuple[OfKind, ...]:
    """The figures of every kind in `drawn`, which has how many were drawn of each; with several
    kinds, those over all of them come last.
    """
    said: dict[str, dict[int, list[Review]]] = {kind: {} for kind in drawn}
    for one in sorted(reviews, key=lambda one: (one.item, one.person)):
        said[one.kind].setdefault(one.item, []).append(one)
    found = [_of_kind(kind, drawn[kind], list(said[kind].values())) for kind in drawn]
    if len(drawn) > 1:
        every = [item for kind in said.values() for item in kind.values()]
        found.append(_of_kind(ALL, sum(drawn.values()), every))
    return tuple(found)


def by_person(reviews: Iterable[Review]) -> tuple[OfPerson, ...]:
    """The share that each person passed, by the person's number."""
    own: dict[int, list[bool]] = {}
    for one in reviews:
        own.setdefault(one.person, []).append(one.passed)
    return tuple(
        OfPerson(person, clopper_pearson(sum(said), len(said)))
        for person, said in sorted(own.items())
    )


def _of_kind(kind: str, drawn: int, items: Sequence[Sequence[Review]]) -> OfKind:
    two = [said for said in items if len(said) == 2]
    passed = sum(all(one.passed for one in said) for said in two)
    return OfKind(
        kind,
        drawn,
        once=sum(len(said) == 1 for said in items),
        twice=len(two),
        passed=clopper_pearson(passed, len(two)),
        answers=tuple(_answers(question, two) for question in QUESTIONS),
    )


def _answers(question: str, two: Sequence[Sequence[Review]]) -> Answers:
    rows = [tuple(bool(getattr(one, question)) for one in said) for said in two]
    codes, _categories = codes_of(rows, 2)
    people = {one.person for said in two for one in said}
    kappa = of_codes.cohen_kappa(codes) if len(people) <= 2 else Coefficient(None, NOT_TWO)
    return Answers(
        question,
        items=len(rows),
        both_yes=sum(all(row) for row in rows),
        same=sum(row[0] == row[1] for row in rows),
        raw=of_codes.percent_agreement(codes),
        kappa=kappa,
        ac1=of_codes.gwet_ac1(codes, 2),
        alpha=of_codes.krippendorff_alpha(codes),
    )
