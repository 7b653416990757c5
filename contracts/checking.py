"""Do these terms fit these words? Sentences for whoever wrote them, on the page and in a file
alike. Pure.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from contracts.terms import KINDS, MATERIALITIES, ConstraintTerms, ContractTerms
from contracts.values import ValueFault, validate_value, value_faults

_PRONOUNS = frozenset(
    (
        *"i me my you your he him his she her hers it its we us our ours they them their theirs "
        "this that these those who whom whose which one ones both each such".split(),
        *("the former", "the latter", "the same", "the one", "the ones"),
    )
)


@dataclass(frozen=True, slots=True)
class TermsFault:
    """One fault of terms: the constraint's id (empty: of the terms as a whole), and the fault of a
    field of its value or else a sentence.
    """

    key: str
    fault: ValueFault | str

    def __str__(self) -> str:
        return f"{self.key}: {self.fault}" if self.key else str(self.fault)


def _(words: str) -> str:
    """Mark words for the catalogues; whoever shows them translates them."""
    return words


def faults_of_terms(terms: ContractTerms, texts: Sequence[str]) -> list[str]:
    """Return every fault of the terms against the request's turns (current text last); empty when
    they fit.
    """
    return [str(fault) for fault in terms_faults(terms, texts)]


def terms_faults(terms: ContractTerms, texts: Sequence[str]) -> list[TermsFault]:
    """Return the faults of `faults_of_terms` with the constraint and the field of each."""
    found = []
    ids = [c.id for c in terms.constraints]
    for repeated in sorted({i for i in ids if ids.count(i) > 1}):
        found.append(TermsFault("", f"the constraint id “{repeated}” stands twice."))
    for constraint in terms.constraints:
        found += [TermsFault(constraint.id, f) for f in constraint_faults(constraint, texts)]
    if not terms.constraints and not terms.ambiguity.unresolved:
        sentence = _(
            "there is no constraint: mark what the request asks, or mark it as unresolved."
        )
        found.append(TermsFault("", sentence))
    return found


def faults_of_constraint(constraint: ConstraintTerms, texts: Sequence[str]) -> list[str]:
    """Return the faults of one constraint; empty when it fits the words."""
    return [str(fault) for fault in constraint_faults(constraint, texts)]


def constraint_faults(constraint: ConstraintTerms, texts: Sequence[str]) -> list[ValueFault | str]:
    """Return the faults of one constraint, those of its value with their fields."""
    if constraint.kind not in KINDS:
        return [f"“{constraint.kind}” is not a kind of constraint: use one of {', '.join(KINDS)}."]
    found: list[ValueFault | str] = []
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
    found += _admissible_faults(constraint.admissible)
    if isinstance(constraint.value, dict):
        return found + value_faults(constraint.kind, constraint.value)
    return found + validate_value(constraint.kind, constraint.value)


def _admissible_faults(admissible: object) -> list[str]:
    """The forms come from files too, where nothing but this check says that they are texts."""
    if isinstance(admissible, list | tuple) and all(
        isinstance(form, str) and form.strip() for form in admissible
    ):
        return []
    return ["admissible must be a list of texts that are not empty: write the forms, or []."]


def unnamed_referents(terms: ContractTerms) -> list[TermsFault]:
    """Return a fault for each referent whose name is a pronoun and that is not marked unresolved:
    a person can say what it stands for, or that nobody can tell.
    """
    return [
        TermsFault(
            c.id,
            ValueFault(
                "name",
                _(
                    "is “%(name)s”; name what it stands for, or say that nobody can tell which one "
                    "is meant."
                ),
                given={"name": c.value["name"]},
            ),
        )
        for c in terms.constraints
        if c.kind == "referent"
        and not c.value.get("unresolved")
        and _is_pronoun(c.value.get("name"))
    ]


def _is_pronoun(name: object) -> bool:
    return isinstance(name, str) and " ".join(name.casefold().split()) in _PRONOUNS
