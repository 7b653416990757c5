"""What a rewrite restricts that the request does not.

Such restrictions count as alterations beside the ratio of kept constraints (acceptance protocol,
R25). The text of an expansion or of a hypothetical passage adds vocabulary and details, and is not
searched; its filters are. An addition of a critical kind makes a request incomplete, so every rule
stays silent where it is in doubt.
"""

from collections.abc import Callable, Iterator, Sequence

from evaluation.records import KEPT, Addition, ConstraintJudgement
from evaluation.scoring.preservation.additions import (
    amounts,
    contrasts,
    exclusions,
    fields,
    names,
    sources,
    statuses,
    times,
)  # fmt: skip
from evaluation.scoring.preservation.additions.known import Known
from evaluation.scoring.preservation.finding import Reading

_LOOSE_KINDS = ("expansion", "hypothetical")
# In this order: what one rule has found is not found again by a later one.
_IN_QUERIES: tuple[tuple[str, Callable[[Reading, Known], Iterator[Addition]]], ...] = (
    ("time", times.in_queries),
    ("quantity", amounts.in_queries),
    ("comparison", contrasts.in_queries),
    ("polarity", exclusions.in_queries),
    ("evidence", sources.in_queries),
    ("status", statuses.in_queries),
    ("referent", names.in_queries),
)
# What may stand in the place of a constraint of another kind: a rival word for what was denied, a
# name for a compared set, a length of time for a date.
_ALSO_OPEN = {"status": ("polarity",), "referent": ("comparison",), "comparison": ("referent",)}


def find_additions(
    reading: Reading, judgements: Sequence[ConstraintJudgement]
) -> tuple[Addition, ...]:
    """Return at most one addition of each kind. What stands in a constraint's place is no
    addition, so a kind with an altered or undecided constraint is left alone."""
    kinds = {c.id: c.kind for c in reading.contract.constraints}
    open_kinds = {kinds[j.constraint] for j in judgements if j.judgement in ("altered", "unsure")}
    lost_kinds = {kinds[j.constraint] for j in judgements if j.judgement not in KEPT}
    known = Known(reading, kept=frozenset(kinds.values()) - lost_kinds)
    found: dict[str, Addition] = {}
    for item in fields.in_filters(reading, known):
        found.setdefault(item.kind, item)
    if reading.rewrite.kind not in _LOOSE_KINDS:
        for kind, search in _IN_QUERIES:
            if kind in found or open_kinds & {kind, *_ALSO_OPEN.get(kind, ())}:
                continue
            for item in search(reading, known):
                if not _inside(item, found):
                    found[kind] = item
                    break
    return tuple(found[kind] for kind, _ in _IN_QUERIES if kind in found and kind not in open_kinds)


def _inside(item: Addition, found: dict[str, Addition]) -> bool:
    return any(item.quote in other.quote for other in found.values())
