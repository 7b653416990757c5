"""Twin pairs scored as one unit (protocol rules R20 and R21)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evaluation.records import KEPT
from evaluation.scoring.outcomes import CaseOutcome
from evaluation.scoring.preference import Preference, preference

COMPONENTS = ("rewrite", "evidence", "answer")
_STUDIED = ("id", "family", "base", "twin", "constraint")


@dataclass(frozen=True, slots=True)
class Twins:
    """Two requests that differ in one decisive qualifier, `constraint` (the same id in both
    contracts).

    `twins_in_base` is the judgement of the twin's constraint in the base's rewrite, `bases_in_twin`
    the other way round; None when this was not judged.
    """

    id: str
    family: str
    base: str
    twin: str
    constraint: str
    twins_in_base: str | None = None
    bases_in_twin: str | None = None

    def under(self, foreign: Mapping[str, Mapping[str, str]]) -> "Twins":
        """The pair with what one arm's rewrites say of the other side; `foreign` maps a request to
        its judgements of foreign constraints by the pair. What the matcher left unsure there counts
        as not judged: no person is asked about a constraint that the request does not have.
        """

        def said(request: str) -> str | None:
            judgement = foreign.get(request, {}).get(self.id)
            return None if judgement == "unsure" else judgement

        return replace(self, twins_in_base=said(self.base), bases_in_twin=said(self.twin))

    def to_json(self) -> dict[str, str]:
        """The pair as a study has it, under no arm."""
        return {name: getattr(self, name) for name in _STUDIED}

    @classmethod
    def from_json(cls, data: Mapping[str, str]) -> "Twins":
        return cls(**{name: data[name] for name in _STUDIED})


@dataclass(frozen=True, slots=True)
class PairResult:
    """One pair under one arm. Each component is True, False, or None when it does not apply or is
    open.

    `worst` and `best` are the pair's result with open judgements counted as lost and as kept; both
    None when a side was not assessed. `passed` is None unless they agree. `why` is a sentence.
    `base_first`, `twin_first` and `same_first` compare the two rankings (`preference.Preference`).
    """

    id: str
    family: str
    request_class: str
    arm: str
    base: str
    twin: str
    rewrite: bool | None
    evidence: bool | None
    answer: bool | None
    worst: bool | None
    best: bool | None
    why: str
    base_first: bool | None = None
    twin_first: bool | None = None
    same_first: bool | None = None

    @property
    def both_first(self) -> bool | None:
        """Both sides rank their own evidence above the other's; None where this is not defined."""
        if self.base_first is None or self.twin_first is None:
            return None
        return self.base_first and self.twin_first

    @property
    def assessed(self) -> bool:
        return self.worst is not None

    @property
    def passed(self) -> bool | None:
        return self.worst if self.worst == self.best else None

    def to_json(self) -> dict[str, Any]:
        names = ("id", "family", "request_class", "arm", "base", "twin", *COMPONENTS)
        later = ("worst", "best", "passed", "why", "base_first", "twin_first", "same_first")
        return {name: getattr(self, name) for name in (*names, *later)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "PairResult":
        """Return the result that `to_json` wrote; `passed` follows from the rest."""
        return cls(**{name: value for name, value in data.items() if name != "passed"})


def judge_pairs(
    pairs: Sequence[Twins],
    outcomes: Iterable[CaseOutcome],
    foreign: Mapping[str, Mapping[str, Mapping[str, str]]],
) -> list[PairResult]:
    """Judge every pair of which an arm has both sides, by arm; `foreign` maps an arm to what
    `Twins.under` reads.
    """
    sides = {side for pair in pairs for side in (pair.base, pair.twin)}
    by_arm: dict[str, dict[str, CaseOutcome]] = defaultdict(dict)
    for outcome in outcomes:
        if outcome.request in sides:
            by_arm[outcome.arm][outcome.request] = outcome
    return [
        judge_pair(pair.under(foreign.get(arm, {})), cases[pair.base], cases[pair.twin])
        for arm, cases in sorted(by_arm.items())
        for pair in pairs
        if pair.base in cases and pair.twin in cases
    ]


def judge_pair(twins: Twins, base: CaseOutcome, twin: CaseOutcome) -> PairResult:
    """Return whether rewrite, evidence and answer all differ as the two contracts do.

    Resolved pair: each side's rewrite keeps its own qualifier and not the other's; each side ranks
    a document that only it requires above every one that only the other requires (the NevIR rule of
    `preference`: right on both sides, a tie fails); each answer is correct for its own gold. The
    same queries and filters on both sides always fail, and so does the same ranking (unless
    both require the same documents) or the same answer. A side that is unresolved passes only by
    asking, a resolved one never by asking. A component without annotation (no required items, no
    gold) is None and is left out. Raises ValueError when the outcomes are not the two requests of
    the pair under one arm.
    """
    _require_sides(twins, base, twin)
    missing = [side for side in (base, twin) if not side.assessed]
    if missing:
        why = f"{missing[0].request} was not assessed: {missing[0].status}."
        return _result(twins, base, (None, None, None), (None, None), Preference(None), why)
    worst = _rewrite(twins, base, twin, open_as_kept=False)
    best = _rewrite(twins, base, twin, open_as_kept=True)
    ranked, answer = preference(base, twin), _answer(base, twin)
    later = [part for part in (ranked.evidence, answer) if part is not None]
    parts = (worst if worst == best else None, ranked.evidence, answer)
    ends = (worst and all(later), best and all(later))
    return _result(twins, base, parts, ends, ranked, _why(twins, base, twin, parts, ranked.tied))


def _require_sides(twins: Twins, base: CaseOutcome, twin: CaseOutcome) -> None:
    if (base.request, twin.request) != (twins.base, twins.twin) or base.arm != twin.arm:
        raise ValueError(
            f"Pair {twins.id!r} is {twins.base!r} and {twins.twin!r} under one arm, not"
            f" {base.request!r} under {base.arm!r} and {twin.request!r} under {twin.arm!r}."
        )


def _rewrite(twins: Twins, base: CaseOutcome, twin: CaseOutcome, *, open_as_kept: bool) -> bool:
    own = (_side(twins, base, open_as_kept), _side(twins, twin, open_as_kept))
    if not all(own):
        return False
    if base.unresolved or twin.unresolved:
        return True
    if _same_emitted(base, twin):
        return False
    foreign = (twins.twins_in_base, twins.bases_in_twin)
    # An open judgement of the other's qualifier is bad news when it turns out kept.
    return not any(j in KEPT or (j == "unsure" and not open_as_kept) for j in foreign)


def _side(twins: Twins, outcome: CaseOutcome, open_as_kept: bool) -> bool:
    if outcome.unresolved or outcome.asked:
        return outcome.unresolved and outcome.asked
    for judged in outcome.judgements:
        if judged.constraint == twins.constraint:
            return judged.kept or (judged.open and open_as_kept)
    raise ValueError(
        f"Pair {twins.id!r} turns on constraint {twins.constraint!r}, which has no judgement for"
        f" request {outcome.request!r}: judge it before scoring the pair."
    )


def _answer(base: CaseOutcome, twin: CaseOutcome) -> bool | None:
    sides = [side for side in (base, twin) if not side.unresolved]
    if not sides or any(side.answer_correct is None for side in sides):
        return None
    if len(sides) == 2 and _folded(base.answer_text) == _folded(twin.answer_text):
        return False
    return all(bool(side.answer_correct) for side in sides)


def _same_emitted(base: CaseOutcome, twin: CaseOutcome) -> bool:
    """Whether both sides search for the same: case and blanks apart."""
    queries = [[_folded(query) for query in side.query_texts] for side in (base, twin)]
    return queries[0] == queries[1] and base.filters == twin.filters


def _folded(text: str | None) -> str:
    return " ".join((text or "").lower().split())


def _why(
    twins: Twins,
    base: CaseOutcome,
    twin: CaseOutcome,
    parts: tuple[bool | None, ...],
    tied: bool,
) -> str:
    if not (base.unresolved or twin.unresolved) and _same_emitted(base, twin):
        return _same_rewrite(base, twin)
    failed = [name for name, part in zip(COMPONENTS, parts, strict=True) if part is False]
    if failed:
        sentence = f"The two sides do not differ as they should in: {', '.join(failed)}."
        tie = " The evidence of both has the same score, and a tie fails."
        return sentence + tie if tied and "evidence" in failed else sentence
    if parts[0] is None:
        return f"A judgement of constraint {twins.constraint} is open."
    absent = [n for n, part in zip(COMPONENTS, parts, strict=True) if part is None]
    note = f" Not applicable: {', '.join(absent)}." if absent else ""
    return f"Both sides differ as they should.{note}"


def _same_rewrite(base: CaseOutcome, twin: CaseOutcome) -> str:
    if base.asked and twin.asked:
        return "Both sides asked back, although both requests are resolved."
    if not base.query_texts:
        return "Neither side has a query."
    return "Both sides got the same rewrite."


def _result(
    twins: Twins,
    base: CaseOutcome,
    parts: tuple[bool | None, bool | None, bool | None],
    ends: tuple[bool | None, bool | None],
    ranked: Preference,
    why: str,
) -> PairResult:
    rewrite, evidence, answer = parts
    return PairResult(
        id=twins.id,
        family=twins.family,
        request_class=base.request_class,
        arm=base.arm,
        base=twins.base,
        twin=twins.twin,
        rewrite=rewrite,
        evidence=evidence,
        answer=answer,
        worst=ends[0],
        best=ends[1],
        why=why,
        base_first=ranked.base_first,
        twin_first=ranked.twin_first,
        same_first=ranked.same_first,
    )
