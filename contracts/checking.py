"""Do these terms fit these words? Sentences for whoever wrote them, on the page and in a file
alike. Pure.
"""

from collections.abc import Sequence

from contracts.terms import KINDS, MATERIALITIES, ConstraintTerms, ContractTerms
from contracts.values import validate_value


def faults_of_terms(terms: ContractTerms, texts: Sequence[str]) -> list[str]:
    """Return every fault of the terms against the request's turns (current text last); empty when
    they fit.
    """
    found = []
    ids = [c.id for c in terms.constraints]
    for repeated in sorted({i for i in ids if ids.count(i) > 1}):
        found.append(f"the constraint id “{repeated}” stands twice.")
    for constraint in terms.constraints:
        found += [f"{constraint.id}: {fault}" for fault in faults_of_constraint(constraint, texts)]
    if not terms.constraints and not terms.ambiguity.unresolved:
        found.append(
            "there is no constraint: mark what the request asks, or mark it as unresolved."
        )
    return found


def faults_of_constraint(constraint: ConstraintTerms, texts: Sequence[str]) -> list[str]:
    """Return the faults of one constraint; empty when it fits the words."""
    if constraint.kind not in KINDS:
        return [f"“{constraint.kind}” is not a kind of constraint: use one of {', '.join(KINDS)}."]
    found = []
    if constraint.materiality not in MATERIALITIES:
        found.append(f"materiality must be critical or minor, not “{constraint.materiality}”.")
    span = constraint.span
    if span is not None:
        if not 0 <= span.turn < len(texts):
            found.append(f"the span names turn {span.turn}; the request has {len(texts)}.")
        elif not 0 <= span.start < span.end <= len(texts[span.turn]):
            found.append(
                f"the span {span.start}–{span.end} lies outside turn {span.turn} "
                f"({len(texts[span.turn])} characters)."
            )
    return found + validate_value(constraint.kind, constraint.value)
