"""Who judged the constraints of a run, how often the judge was found wrong where people checked it,
and how well two people agree. Pure: values in, values out.

An audit is a drawn sample of the judge's sure judgements that people judge again without knowing
it. What is estimated is the share of all sure judgements of a kind that are wrong.
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from annotation.canonical import content_hash
from contracts.coefficients import Coefficient, codes_of, krippendorff_alpha, percent_agreement
from evaluation.records import KEPT, LOST
from evaluation.statistics import Estimate, clopper_pearson

MODEL = "model"  # what a model settled is audited as a kind of its own
ALL = "all"
WHO = ("matcher", MODEL, "person", "open")


def _(words: str) -> str:
    """Mark words for the catalogues."""
    return words


UNCHECKED = _("None of the drawn judgements has been checked by a person yet.")
NOT_DRAWN = _("No judgement was drawn to be checked.")
ONE_PERSON = _("One person judges each item, so no two people's words can be compared.")
NO_PAIR = _("No item was judged by two people yet.")
THIRD = _("Two people differ on an item that waits for a third: their words are not told yet.")

_MODEL_PREFIX = "model:"


@dataclass(frozen=True, slots=True)
class Sure:
    """A sure judgement of the judge's, as it may be drawn: `row` is its number, `by` who judged."""

    row: int
    request: str
    arm: str
    constraint: str
    kind: str
    by: str


@dataclass(frozen=True, slots=True)
class Item:
    """Everybody's word on one constraint of a resolved request under one arm.

    `label` and `by` are the judge's; `people` what people said, in their order, each "" while
    nothing is decided; `decided` the word of theirs that settles the matter, None where none does.
    `wanted`: the Protocol has people judge it, so the judge's label does not count. `drawn`: it is
    in the audit.
    """

    arm: str
    request_class: str
    kind: str
    label: str
    by: str
    people: Sequence[str] = ()
    decided: str | None = None
    wanted: bool = False
    drawn: bool = False

    @property
    def who(self) -> str:
        """One of `WHO`: whose word counts."""
        if self.decided is not None:
            return "person"
        if self.wanted or not is_sure(self.label):
            return "open"
        return MODEL if is_model(self.by) else "matcher"

    def to_json(self) -> dict[str, Any]:
        """The item as a case's row holds it, which says arm and class itself."""
        return {
            "kind": self.kind,
            "label": self.label,
            "by": self.by,
            "people": list(self.people),
            "decided": self.decided,
            "wanted": self.wanted,
            "drawn": self.drawn,
        }


@dataclass(frozen=True, slots=True)
class KindAudit:
    """The audit of one kind: of `population` sure judgements `drawn` were drawn, people `checked`
    so many of them; `wrong` have a person's word on the other side of kept and lost, `other_word`
    another word on the same side. `error` is wrong / checked with its exact one-sided upper bound.
    """

    population: int
    drawn: int
    checked: int
    wrong: int
    other_word: int
    error: Estimate

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "error": self.error.to_json()}


@dataclass(frozen=True, slots=True)
class JudgeAudit:
    """What a verdict on one class may rest on: how many of the class's `constraints` under the arm
    the judge `decided` itself, by kind, and the run's audit of each kind.
    """

    constraints: int
    decided: Mapping[str, int]
    kinds: Mapping[str, KindAudit]

    def to_json(self) -> dict[str, Any]:
        return {
            "constraints": self.constraints,
            "decided": dict(sorted(self.decided.items())),
            "kinds": {name: self.kinds[name].to_json() for name in sorted(self.kinds)},
        }


@dataclass
class Tally:
    """Counts over the items of a run. They are added one at a time and none is kept but the words
    of two people.
    """

    who: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)
    population: Counter[str] = field(default_factory=Counter)
    drawn: Counter[str] = field(default_factory=Counter)
    checked: Counter[tuple[str, str]] = field(default_factory=Counter)
    pairs: list[tuple[str, str]] = field(default_factory=list)
    untold: int = 0
    models: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, item: Item) -> None:
        """Count an item."""
        self.who[item.arm, item.request_class, item.kind, item.who] += 1
        # A third person is asked only where two differ: their word would bias the agreement.
        if len(item.people) >= 2 and all(item.people[:2]):
            self.pairs.append((item.people[0], item.people[1]))
        elif len(item.people) >= 2:
            self.untold += 1
        if not is_sure(item.label):
            return
        kind = stratum(item.kind, item.by)
        found = compared(item.label, item.decided)
        self.population[kind] += 1
        if item.drawn:
            self.drawn[kind] += 1
            self.checked[kind, found] += 1
        if kind == MODEL:
            model = self.models[item.by.removeprefix(_MODEL_PREFIX)]
            model["settled"] += 1
            model["checked"] += found != ""
            model["agreed"] += found in ("same", "other_word")

    def audit(self, level: float) -> dict[str, KindAudit]:
        """The audit of every kind of which there are sure judgements, or of which any was drawn;
        the bounds hold with confidence `level`.
        """
        kinds = sorted(self.population.keys() | self.drawn.keys())
        return {kind: self._audit_of([kind], level) for kind in kinds}

    def judge_audit(self, arm: str, request_class: str, level: float) -> JudgeAudit:
        """What the judge decided in one class under one arm, with the audit of those kinds."""
        decided: Counter[str] = Counter()
        constraints = 0
        for (of_arm, of_class, kind, who), count in self.who.items():
            if (of_arm, of_class) == (arm, request_class):
                constraints += count
                if who in ("matcher", MODEL):
                    decided[MODEL if who == MODEL else kind] += count
        kinds = {kind: self._audit_of([kind], level) for kind in decided}
        return JudgeAudit(constraints, dict(decided), kinds)

    def to_json(self, level: float, *, judges: int) -> dict[str, Any]:
        """Everything as the result of a run keeps it (docs/formats.md)."""
        audit = self.audit(level)
        return {
            "level": level,
            "by": self._by(),
            "audit": {
                **{kind: found.to_json() for kind, found in audit.items()},
                ALL: self._audit_of(sorted(audit), level).to_json(),
            },
            "agreement": self._agreement(judges),
            "model": {
                name: {key: counts[key] for key in ("settled", "checked", "agreed")}
                for name, counts in sorted(self.models.items())
            },
        }

    def _agreement(self, judges: int) -> dict[str, Any]:
        """Two people's agreement; none while a pair of words is not told, since those that are told
        agree more often than all.
        """
        if self.untold:
            return agreement((), why=THIRD)
        return agreement(self.pairs, why=ONE_PERSON if judges == 1 else NO_PAIR)

    def _by(self) -> dict[str, dict[str, dict[str, int]]]:
        found: dict[str, dict[str, dict[str, int]]] = {}
        for (arm, _class, kind, who), count in sorted(self.who.items()):
            counts = found.setdefault(arm, {}).setdefault(kind, dict.fromkeys(WHO, 0))
            counts[who] += count
        return found

    def _audit_of(self, kinds: Sequence[str], level: float) -> KindAudit:
        count = {
            found: sum(self.checked[kind, found] for kind in kinds)
            for found in ("same", "other_word", "wrong")
        }
        drawn = sum(self.drawn[kind] for kind in kinds)
        checked = sum(count.values())
        return KindAudit(
            population=sum(self.population[kind] for kind in kinds),
            drawn=drawn,
            checked=checked,
            wrong=count["wrong"],
            other_word=count["other_word"],
            error=error_rate(count["wrong"], checked, drawn, level=level),
        )


def draw(rows: Iterable[Sure], *, per_kind: int, seed: int) -> list[int]:
    """Return the rows to be checked: of each kind the first `per_kind` in the order of the hash of
    seed, request, arm and constraint (all, where there are fewer), by their numbers.

    Equal rows in any order give an equal draw. Never more than `per_kind` a kind are held.
    """
    if per_kind <= 0:
        return []
    heaps: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for row in rows:
        heap = heaps[stratum(row.kind, row.by)]
        # Negative, so that the last of those that are held stands first and is let go.
        entry = (-_place(row, seed), row.row)
        if len(heap) < per_kind:
            heapq.heappush(heap, entry)
        else:
            heapq.heappushpop(heap, entry)
    return sorted(row for heap in heaps.values() for _place, row in heap)


def error_rate(wrong: int, checked: int, drawn: int, *, level: float) -> Estimate:
    """Return wrong / checked with the exact one-sided upper bound (Clopper and Pearson 1934) at
    `level`; without a checked one no value, and why.
    """
    if not checked:
        return Estimate.undefined(UNCHECKED if drawn else NOT_DRAWN)
    return clopper_pearson(wrong, checked, level=level, side="upper")


def agreement(pairs: Sequence[tuple[str, str]], *, why: str = NO_PAIR) -> dict[str, Any]:
    """Return how well two people agree on the items that both judged: how many `items`, in how many
    they said the `same` word and in how many words on the `same_side` of kept and lost, the share
    of the same words (`raw`) and Krippendorff's `alpha` (nominal). What is undefined has no value
    and a reason; without items that is `why`.
    """
    nothing = {"value": None, "reason": why}
    codes, _words = codes_of(pairs, 2)
    return {
        "items": len(pairs),
        "same": sum(one == other for one, other in pairs),
        "same_side": sum((one in KEPT) == (other in KEPT) for one, other in pairs),
        "raw": _coefficient(percent_agreement(codes)) if pairs else nothing,
        "alpha": _coefficient(krippendorff_alpha(codes)) if pairs else nothing,
    }


def compared(label: str, decided: str | None) -> str:
    """Return what a person's word says of the judge's: "same", "other_word" on the same side of
    kept and lost, "wrong" on the other; "" where no person decided.
    """
    if decided is None or not is_sure(decided):
        return ""
    if decided == label:
        return "same"
    return "other_word" if (decided in KEPT) == (label in KEPT) else "wrong"


def stratum(kind: str, by: str) -> str:
    """Return the kind as which a judgement is audited: the constraint's, or "model"."""
    return MODEL if is_model(by) else kind


def is_sure(label: str) -> bool:
    return label in KEPT or label in LOST


def is_model(by: str) -> bool:
    return by.startswith(_MODEL_PREFIX)


def _place(row: Sure, seed: int) -> int:
    return int(content_hash([seed, row.request, row.arm, row.constraint]), 16)


def _coefficient(found: Coefficient) -> dict[str, Any]:
    return {"value": found.value, "reason": found.reason}
