"""What the figures of a run over variation sets are computed from, as plain values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.robustness.measures import Gold, Scored

# The request's own words, wherever a wording is named.
CLEAN = "clean"
# The set of every request in its own words; no set that people make may be called so.
CLEAN_SET = "clean"
STANDARD = "standard"

# (pipeline, request, wording shown, wording searched)
RowKey = tuple[str, str, str, str]
# One value of a request.
Value = tuple[str, float]


@dataclass(frozen=True, slots=True)
class Item:
    """One request of a set. `kind` is empty for a clean one; `wording` is empty where a variation
    was wanted and none could stand.
    """

    request: str
    kind: str = ""
    wording: str = CLEAN

    @property
    def corrupted(self) -> bool:
        return bool(self.kind) and bool(self.wording)

    @property
    def without_variant(self) -> bool:
        return bool(self.kind) and not self.wording


@dataclass(frozen=True, slots=True)
class VariedSet:
    """A set: `rate` in [0, 1] as it was asked for, `family` names what else its recipe says, so
    that sets of one family lie on one curve.
    """

    name: str
    items: tuple[Item, ...]
    rate: float | None = None
    family: str = ""

    @property
    def usable(self) -> tuple[Item, ...]:
        """The items that have a text; the others are counted and never scored."""
        return tuple(item for item in self.items if not item.without_variant)

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(sorted({item.kind for item in self.items if item.kind}))


@dataclass(frozen=True, slots=True)
class Settings:
    """How intervals and tests are made. Holm's family: one measure of one comparison, over every
    pipeline and set.
    """

    level: float = 0.95
    resamples: int = 10_000
    seed: int = 0

    def to_json(self) -> dict[str, Any]:
        return {
            "level": self.level,
            "resamples": self.resamples,
            "seed": self.seed,
            "correction": "holm",
            "family": "one measure of one comparison, over every pipeline and set",
        }


@dataclass(frozen=True)
class Study:
    """All rows of a run, scored, with what they belong to."""

    golds: Mapping[str, Gold]
    sets: Sequence[VariedSet]
    pipelines: Sequence[str]
    rows: Mapping[RowKey, Scored]
    four_conditions: bool = False
    settings: Settings = Settings()

    @property
    def clean(self) -> VariedSet:
        """Every request of any set in its own words, in the order in which the sets name them."""
        keys = dict.fromkeys(item.request for one in self.sets for item in one.items)
        return VariedSet(CLEAN_SET, tuple(Item(key) for key in keys), 0.0)

    def row(
        self, pipeline: str, request: str, shown: str, searched: str | None = None
    ) -> Scored | None:
        return self.rows.get((pipeline, request, shown, shown if searched is None else searched))

    def clusters(self, values: Sequence[Value]) -> list[str]:
        return [self.golds[request].cluster for request, _ in values]
