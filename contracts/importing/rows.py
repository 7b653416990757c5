"""What the files of this app have in common: terms that must fit."""

from collections.abc import Mapping
from typing import Any

from annotation.importing.fields import Fields, id_fault
from annotation.importing.showing import quoted
from annotation.models import Request
from contracts.checking import faults_of_terms
from contracts.terms import KINDS, MATERIALITIES, ContractTerms

MAX_CONSTRAINTS = 200
MAX_KEY = 40  # characters of a constraint's id
_PARTS = ("id", "kind", "materiality", "span", "value", "admissible")
_SPAN = ("turn", "start", "end")


def read_terms(fields: Fields, request: Request | None) -> ContractTerms | None:
    """Read constraints, ambiguity and admissible rewrites; every fault goes to its column."""
    constraints = fields.objects("constraints")
    ambiguity = fields.object("ambiguity")
    admissible = fields.texts("admissible_rewrites") or []
    if constraints is None:
        fields.missing("constraints")
        return None
    if len(constraints) > MAX_CONSTRAINTS:
        sentence = f"{len(constraints):,} constraints; at most {MAX_CONSTRAINTS} are kept."
        fields.fault("constraints", "too_long", sentence)
        return None
    shaped = [_shaped(fields, n, constraint) for n, constraint in enumerate(constraints, start=1)]
    if not (_ambiguity_holds(fields, ambiguity) and all(shaped)):
        return None
    terms = ContractTerms.from_json(
        {"constraints": constraints, "ambiguity": ambiguity, "admissible_rewrites": admissible}
    )
    faults = faults_of_terms(terms, request.texts) if request else []
    for fault in faults:
        fields.fault("constraints", "bad_constraint", fault)
    return None if faults else terms


def _shaped(fields: Fields, position: int, constraint: Mapping[str, Any]) -> bool:
    key, kind, span = constraint.get("id"), constraint.get("kind"), constraint.get("span")
    named = f"constraint {position}"
    key_fault = id_fault(key, longest=MAX_KEY) if isinstance(key, str) else "“id” must be a text."
    faults = [key_fault] if key_fault else []
    if kind not in KINDS:
        faults.append(f"“kind” must be one of {', '.join(KINDS)}, not {quoted(kind)}.")
    if constraint.get("materiality") not in MATERIALITIES:
        faults.append(
            f"“materiality” must be one of {', '.join(MATERIALITIES)}, "
            f"not {quoted(constraint.get('materiality'))}."
        )
    if not isinstance(constraint.get("value"), dict):
        faults.append("“value” must be an object.")
    if span is not None and not _is_span(span):
        faults.append(
            "“span” must have turn, start and end as whole numbers from 0, start before end."
        )
    if not _are_texts(constraint.get("admissible")):
        faults.append("“admissible” must be a list of texts, none of them empty.")
    others = [quoted(name) for name in sorted(constraint.keys() - set(_PARTS))]
    if others:
        faults.append(f"{', '.join(others)} is unknown; allowed are {', '.join(_PARTS)}.")
    for message in faults:
        fields.fault("constraints", "bad_constraint", f"{named}: {message}")
    return not faults


def _is_span(span: object) -> bool:
    if not isinstance(span, dict) or set(span) != set(_SPAN):
        return False
    numbers = [span[part] for part in _SPAN]
    if not all(isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in numbers):
        return False
    return bool(span["start"] < span["end"])


def _are_texts(value: object) -> bool:
    if value is None:
        return True
    return isinstance(value, list) and all(isinstance(v, str) and v.strip() for v in value)


def _ambiguity_holds(fields: Fields, ambiguity: Mapping[str, Any]) -> bool:
    faults = []
    if not isinstance(ambiguity.get("unresolved", False), bool):
        faults.append(f"“unresolved” must be true or false, not {quoted(ambiguity['unresolved'])}.")
    if not _are_texts(ambiguity.get("readings")):
        faults.append("“readings” must be a list of texts, none of them empty.")
    for name in sorted(ambiguity.keys() - {"unresolved", "readings"}):
        faults.append(f"{quoted(name)} is unknown; allowed are unresolved, readings.")
    for message in faults:
        fields.fault("ambiguity", "bad_ambiguity", message)
    return not faults
