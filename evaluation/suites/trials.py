"""Which rows a run has: every pipeline on every wording, each once, however many sets have it."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evaluation.robustness.conditions import CONDITIONS, wordings
from evaluation.robustness.study import CLEAN, VariedSet


@dataclass(frozen=True, slots=True)
class Trial:
    """One row: a pipeline, a request, and the names of the wordings that are shown and searched."""

    request: str
    pipeline: str
    shown: str
    searched: str

    @property
    def key(self) -> str:
        """What the row is called within its request; at most 120 characters."""
        return f"{self.pipeline}|{self.shown}|{self.searched}"


def wording_of(text: str, own: str) -> str:
    """Return the name of a wording of a request whose own text is `own`. Equal texts have equal
    names, so that nested sets share their rows.
    """
    return CLEAN if text == own else hashlib.sha256(text.encode()).hexdigest()[:16]


def parts_of_key(key: str) -> tuple[str, str, str]:
    """Return the pipeline, the wording shown and the wording searched of a row's key."""
    pipeline, shown, searched = key.rsplit("|", 2)
    return pipeline, shown, searched


def trials_of(
    sets: Sequence[VariedSet], pipelines: Sequence[str], *, four_conditions: bool
) -> list[Trial]:
    """Return the rows in the order in which they are computed: request by request, so that what an
    unfinished run has is whole for the requests that it came to.
    """
    wanted: dict[str, dict[tuple[str, str], None]] = {}
    for one in sets:
        for item in one.items:
            pairs = wanted.setdefault(item.request, {(CLEAN, CLEAN): None})
            if item.corrupted:
                pairs[item.wording, item.wording] = None
                if four_conditions:
                    pairs.update(dict.fromkeys(wordings(name, item) for name in CONDITIONS))
    return [
        Trial(request, pipeline, shown, searched)
        for request, pairs in wanted.items()
        for pipeline in pipelines
        for shown, searched in pairs
    ]


def missing(trials: Iterable[Trial], there: Mapping[str, frozenset[str]]) -> list[Trial]:
    """Return the trials whose key is not among those `there`, by request."""
    return [t for t in trials if t.key not in there.get(t.request, frozenset())]
