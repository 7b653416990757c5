"""How well a judge of rewrites does on cases whose right answers are known. Pure.

Every measure is a `Ratio`, so that no number is shown without its denominator. `unsure` is an
abstention: it lowers the coverage, it is never right, and it counts neither as a loss that was
found nor as a constraint that was kept.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from evaluation.records import JUDGEMENTS, KEPT, LOST

UNSURE = "unsure"
LABELS = tuple(label for label in JUDGEMENTS if label != UNSURE)


@dataclass(frozen=True, slots=True)
class JudgedConstraint:
    """One constraint of one case: what it is, the right label and the judge's."""

    case: str
    constraint: str
    kind: str
    phenomenon: str
    critical: bool
    expected: str
    said: str

    @property
    def wrong(self) -> bool:
        """Decided, and not as it should be; `unsure` is not wrong."""
        return self.said not in (UNSURE, self.expected)


@dataclass(frozen=True, slots=True)
class Ratio:
    """`part` of `whole`; the value of nothing out of nothing is None."""

    part: int
    whole: int

    @property
    def value(self) -> float | None:
        return self.part / self.whole if self.whole else None


@dataclass(frozen=True, slots=True)
class JudgeMeasures:
    """The measures of one group of constraints. Higher is better except for `false_alarm_rate`.

    `false_alarm_rate` and `preserved_recall` are over the constraints that the rewrite kept,
    `critical_loss_recall` over the critical ones that it lost. `macro_f1` is the mean F1 of the
    four labels, those left out that are neither expected nor given; None where that leaves none.
    """

    n: int
    accuracy: Ratio
    accuracy_decided: Ratio
    coverage: Ratio
    critical_loss_recall: Ratio
    preserved_recall: Ratio
    false_alarm_rate: Ratio
    macro_f1: float | None


@dataclass(frozen=True, slots=True)
class AdditionMeasures:
    """Added restrictions, matched by kind within a case; none is expected in a clean case.

    `f1` is twice the right ones over the expected and the listed ones together.
    """

    precision: Ratio
    recall: Ratio
    f1: Ratio
    false_alarm_rate: Ratio


def measure_judgements(judged: Iterable[JudgedConstraint]) -> JudgeMeasures:
    rows = list(judged)
    decided = [one for one in rows if one.said != UNSURE]
    right = sum(one.said == one.expected for one in rows)
    kept = [one for one in rows if one.expected in KEPT]
    lost = [one for one in rows if one.expected in LOST and one.critical]
    return JudgeMeasures(
        n=len(rows),
        accuracy=Ratio(right, len(rows)),
        accuracy_decided=Ratio(right, len(decided)),
        coverage=Ratio(len(decided), len(rows)),
        critical_loss_recall=Ratio(sum(one.said in LOST for one in lost), len(lost)),
        preserved_recall=Ratio(sum(one.said in KEPT for one in kept), len(kept)),
        false_alarm_rate=Ratio(sum(one.said in LOST for one in kept), len(kept)),
        macro_f1=_macro_f1(rows),
    )


def measure_additions(cases: Iterable[tuple[Sequence[str], Sequence[str]]]) -> AdditionMeasures:
    """Measure pairs of (kinds that were added, kinds that the judge lists), one pair a case."""
    right = wanted = listed = clean = alarmed = 0
    for expected, said in cases:
        asked, found = Counter(expected), Counter(said)
        right += (asked & found).total()
        wanted += asked.total()
        listed += found.total()
        if not asked:
            clean += 1
            alarmed += bool(found)
    return AdditionMeasures(
        precision=Ratio(right, listed),
        recall=Ratio(right, wanted),
        f1=Ratio(2 * right, wanted + listed),
        false_alarm_rate=Ratio(alarmed, clean),
    )


def grouped(
    judged: Iterable[JudgedConstraint], by: Callable[[JudgedConstraint], str]
) -> Mapping[str, list[JudgedConstraint]]:
    """Return the constraints by kind, phenomenon or whatever `by` gives, in its order."""
    groups: dict[str, list[JudgedConstraint]] = defaultdict(list)
    for one in judged:
        groups[by(one)].append(one)
    return dict(sorted(groups.items()))


def _macro_f1(rows: Sequence[JudgedConstraint]) -> float | None:
    scores = []
    for label in LABELS:
        right = sum(one.expected == one.said == label for one in rows)
        seen = sum(one.expected == label for one in rows) + sum(one.said == label for one in rows)
        if seen:
            scores.append(2 * right / seen)
    return sum(scores) / len(scores) if scores else None
