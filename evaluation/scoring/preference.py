"""Which side's evidence a ranking prefers, for the two rankings of a twin pair.

The rule is NevIR's (Weller, Lawrie and Van Durme, "NevIR: Negation in Neural Information
Retrieval", EACL 2024): a pair counts only if both rankings prefer their own document; a tie is no
preference. Who prefers by chance is right on one side in 50 % and on both in 25 %.
"""

from collections.abc import Set
from dataclasses import dataclass

from evaluation.scoring.outcomes import CaseOutcome

CHANCE_BOTH = 0.25


@dataclass(frozen=True, slots=True)
class Preference:
    """`base_first`, `twin_first`: that side ranks a document that only it requires above every one
    that only the other requires; both None unless either side requires such a document. `evidence`
    is the component of the pair (R21), None without required evidence on both sides. `same_first`:
    both rankings begin with the same document; None when one is empty. `tied` says that an own
    document has no better score than the other side's.
    """

    evidence: bool | None
    base_first: bool | None = None
    twin_first: bool | None = None
    same_first: bool | None = None
    tied: bool = False


def preference(base: CaseOutcome, twin: CaseOutcome) -> Preference:
    """Compare the rankings of two sides under one arm; a side that is unresolved has none to
    compare.

    Sides that require the same documents need only find one. Where one side's documents are all
    required by the other too, it can only be asked to rank one above what the other alone requires.
    """
    if base.unresolved or twin.unresolved:
        return Preference(None)
    same = base.ranked_ids[0] == twin.ranked_ids[0] if base.ranked_ids and twin.ranked_ids else None
    mine = {document for item in base.own_evidence for document in item}
    theirs = {document for item in twin.own_evidence for document in item}
    if not mine or not theirs:
        return Preference(None, same_first=same)
    if mine == theirs:
        found = all(mine & set(side.ranked_ids) for side in (base, twin))
        return Preference(found, same_first=same)
    sides = (
        (base, (mine - theirs) or mine, theirs - mine),
        (twin, (theirs - mine) or theirs, mine - theirs),
    )
    first, second = (prefers(*side) for side in sides)
    comparable = bool(mine - theirs and theirs - mine)
    return Preference(
        evidence=first and second,
        base_first=first if comparable else None,
        twin_first=second if comparable else None,
        same_first=same,
        tied=any(_tied(*side) for side in sides),
    )


def prefers(outcome: CaseOutcome, own: Set[str], foreign: Set[str]) -> bool:
    """Return whether an own document is ranked above every foreign one; a tie, or no own document
    in the ranking, is False.
    """
    place = _first(outcome, own)
    if place is None:
        return False
    groups = outcome.tie_groups or range(len(outcome.ranked_ids))
    return not any(
        document in foreign and (at < place or groups[at] == groups[place])
        for at, document in enumerate(outcome.ranked_ids)
    )


def _tied(outcome: CaseOutcome, own: Set[str], foreign: Set[str]) -> bool:
    mine, theirs = _first(outcome, own), _first(outcome, foreign)
    if mine is None or theirs is None or not outcome.tie_groups:
        return False
    return outcome.tie_groups[mine] == outcome.tie_groups[theirs]


def _first(outcome: CaseOutcome, documents: Set[str]) -> int | None:
    return next((at for at, key in enumerate(outcome.ranked_ids) if key in documents), None)
