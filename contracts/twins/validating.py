"""Are two requests twins? A pair differs in one decisive qualifier and in nothing else. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from contracts.checking import faults_of_terms
from contracts.comparing import comparable, folded
from contracts.terms import ConstraintTerms, ContractTerms
from contracts.values import Say, validate_value

FAMILY_NAMES = (
    "date", "organisation", "direction", "status", "aggregation", "referent", "unresolved",
)  # fmt: skip
# The families that can flip a constraint of a kind; whose source is asked is no family's matter.
KINDS: Mapping[str, tuple[str, ...]] = {
    "referent": ("organisation", "referent", "unresolved"),
    "time": ("date",),
    "quantity": ("aggregation", "direction"),
    "polarity": ("direction",),
    "status": ("status",),
    "comparison": ("direction",),
    "evidence": (),
}


def _(words: str) -> str:
    """Mark words for the catalogues; whoever shows them translates them."""
    return words


@dataclass(frozen=True, slots=True)
class Side:
    """One request of a pair."""

    texts: tuple[str, ...]  # the turns, the current text last
    terms: ContractTerms
    answers: tuple[str, ...] = ()
    evidence: frozenset[str] = frozenset()  # ids of the documents that the request requires


@dataclass(frozen=True, slots=True)
class PairFault:
    """Why two requests are no pair. `code` is stable; `sentence` says what to do, in English, and
    `told` in another language; an excusable fault may stand when the person states why.
    """

    code: str
    sentence: str
    excusable: bool
    said: str = ""  # the sentence with the places that `given` fills
    given: Mapping[str, Any] = field(default_factory=dict)

    def told(self, say: Say = str) -> str:
        """Return the sentence, translated by `say`."""
        return say(self.said) % self.given


# What each fault says, and whether a stated reason excuses it.
_FAULTS: Mapping[str, tuple[str, bool]] = {
    "unknown_family": (
        _("“%(family)s” is no family of twins: choose one of %(families)s."), False),
    "same_texts": (
        _("Both requests have the same words: change the words that carry the difference."), False),
    "constraint_missing": (
        _("Constraint %(id)s is not in both contracts: keep its id in the twin."), False),
    "not_critical": (
        _("Constraint %(id)s is not critical in both contracts: a pair turns on a critical one."),
        False),
    "same_demand": (
        _("Both contracts demand the same of %(id)s: change its value in the twin."), False),
    "differs_elsewhere": (
        _("The contracts differ in %(ids)s too: a pair differs in one constraint. Make these equal,"
          " or make a pair for each."), False),
    "ambiguity_differs": (
        _("One request is to be clarified and the other is not: make both answerable, or choose the"
          " family “unresolved”."), False),
    "twin_terms": (_("The twin's contract does not fit its words: %(fault)s"), False),
    "not_unresolved": (
        _("In the family “unresolved” exactly one request is to be clarified: mark the twin as"
          " unresolved, with its readings."), False),
    "too_few_readings": (
        _("The unresolved request has %(count)s readings: give the two or more that are equally"
          " plausible."), False),
    "not_the_referent": (
        _("In the family “unresolved” the pair turns on a referent: choose that constraint, not"
          " %(id)s."), False),
    "family_does_not_fit": (
        _("The family “%(family)s” does not flip a constraint of the kind “%(kind)s”: choose"
          " another family, or say why it fits."), True),
    "evidence_missing": (
        _("A request has no required documents: name them, or say why there are none."), True),
    "same_evidence": (
        _("Both requests require the same documents, so retrieval cannot tell them apart: name what"
          " each alone requires, or say why it is the same."), True),
    "answers_missing": (_("A request has no answer: give one, or say why there is none."), True),
    "same_answers": (
        _("Both requests have the same answers: give the twin its own, or say why they are the"
          " same."), True),
}  # fmt: skip


def _fault(code: str, **given: Any) -> PairFault:
    said, excusable = _FAULTS[code]
    return PairFault(code, said % given, excusable, said, given)


# ---------------------------------------------------------------- what differs


def differing(base: ContractTerms, twin: ContractTerms) -> tuple[str, ...]:
    """Return the ids of the constraints that differ, in the order of the base, then of the twin: by
    kind, materiality and typed value, or because one contract lacks them. Spans and admissible
    wordings never count.
    """
    sides = [{one.id: _demand(one) for one in terms.constraints} for terms in (base, twin)]
    ids = dict.fromkeys([*sides[0], *sides[1]])
    return tuple(one for one in ids if sides[0].get(one) != sides[1].get(one))


def _demand(constraint: ConstraintTerms) -> tuple[Any, ...]:
    sound = not validate_value(constraint.kind, constraint.value)
    value = comparable(constraint.kind, constraint.value) if sound else dict(constraint.value)
    return constraint.kind, constraint.materiality, value


# ---------------------------------------------------------------- faults of a pair


def faults_of_pair(family: str, constraint: str, base: Side, twin: Side) -> tuple[PairFault, ...]:
    """Return why base and twin are no pair of a family that turns on a constraint (its id), the
    faults that nothing excuses first; empty when they are one.
    """
    found = [*_of_words(base, twin), *_of_demands(family, constraint, base.terms, twin.terms)]
    found += [*_of_family(family, constraint, base.terms, twin.terms), *_of_scoring(base, twin)]
    return tuple(sorted(found, key=lambda fault: fault.excusable))


def _of_words(base: Side, twin: Side) -> list[PairFault]:
    found = [_fault("same_texts")] if base.texts == twin.texts else []
    faults = faults_of_terms(twin.terms, twin.texts)
    return found + [_fault("twin_terms", fault=fault) for fault in faults]


def _named(terms: ContractTerms, constraint: str) -> ConstraintTerms | None:
    return next((one for one in terms.constraints if one.id == constraint), None)


def _of_demands(
    family: str, constraint: str, base: ContractTerms, twin: ContractTerms
) -> list[PairFault]:
    """The contracts differ in exactly the named constraint, and it is critical in both."""
    sides = [_named(terms, constraint) for terms in (base, twin)]
    ids = differing(base, twin)
    others = [one for one in ids if one != constraint]
    found = [_fault("differs_elsewhere", ids=", ".join(others))] if others else []
    if None in sides:
        return [_fault("constraint_missing", id=constraint), *found]
    if not all(side and side.critical for side in sides):
        found.append(_fault("not_critical", id=constraint))
    if constraint not in ids:
        found.append(_fault("same_demand", id=constraint))
    if family != "unresolved" and base.ambiguity.unresolved != twin.ambiguity.unresolved:
        found.append(_fault("ambiguity_differs"))
    return found


def _of_family(
    family: str, constraint: str, base: ContractTerms, twin: ContractTerms
) -> list[PairFault]:
    if family not in FAMILY_NAMES:
        return [_fault("unknown_family", family=family, families=", ".join(FAMILY_NAMES))]
    named = _named(base, constraint)
    if family == "unresolved":
        return _of_unresolved(named, base, twin)
    if named and family not in KINDS.get(named.kind, ()):
        return [_fault("family_does_not_fit", family=family, kind=named.kind)]
    return []


def _of_unresolved(
    named: ConstraintTerms | None, base: ContractTerms, twin: ContractTerms
) -> list[PairFault]:
    marked = [terms.ambiguity for terms in (base, twin) if terms.ambiguity.unresolved]
    found = []
    if len(marked) != 1:
        found.append(_fault("not_unresolved"))
    elif (count := len(set(map(folded, marked[0].readings)))) < 2:
        found.append(_fault("too_few_readings", count=count))
    if named and named.kind != "referent":
        found.append(_fault("not_the_referent", id=named.id))
    return found


def _of_scoring(base: Side, twin: Side) -> list[PairFault]:
    """Answers and evidence, by which the sides are told apart; a side to be clarified has none."""
    asked = [side for side in (base, twin) if not side.terms.ambiguity.unresolved]
    found = []
    if not all(side.evidence for side in asked):
        found.append(_fault("evidence_missing"))
    elif len(asked) == 2 and base.evidence == twin.evidence:
        found.append(_fault("same_evidence"))
    answers = [set(filter(None, map(folded, side.answers))) for side in asked]
    if not all(answers):
        found.append(_fault("answers_missing"))
    elif len(answers) == 2 and answers[0] == answers[1]:
        found.append(_fault("same_answers"))
    return found
