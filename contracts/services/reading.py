"""A sheet that a program sends: the constraints of contracts.jsonl, read into a draft, or refused
with the place of every fault.

A draft may be unfinished, as on the page: values may lack fields; what stands there must have the
right shape and its words must lie inside the request. Sealing asks for the rest.
"""

from collections.abc import Mapping
from typing import Any

from annotation.importing.fields import id_fault
from annotation.importing.showing import quoted
from annotation.models import Seat
from annotation.services.reading import DraftFault, Unreadable
from contracts.importing.rows import MAX_CONSTRAINTS, MAX_KEY
from contracts.terms import KINDS, MATERIALITIES, ContractTerms
from contracts.values import FIELDS, complete_value

_PARTS = ("constraints", "ambiguity", "admissible_rewrites")
_OF_CONSTRAINT = ("id", "kind", "materiality", "span", "value", "admissible")
_OF_SPAN = ("turn", "start", "end")
_OF_AMBIGUITY = ("unresolved", "readings")


def read_sheet(seat: Seat, sent: Any) -> dict[str, Any]:
    """Return the draft that was sent for this seat; raise Unreadable with every fault."""
    found = _Reading(seat.request.texts)
    draft = found.draft(sent)
    if found.faults:
        raise Unreadable(found.faults)
    return ContractTerms.from_json(draft).to_json()


class _Reading:
    """One draft being read: faults are collected, each with its JSON pointer."""

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts
        self.faults: list[DraftFault] = []

    def fault(self, pointer: str, code: str, message: str) -> None:
        self.faults.append(DraftFault(pointer, code, message))

    def draft(self, sent: Any) -> dict[str, Any]:
        if not self._object(sent, "", _PARTS):
            return {}
        constraints = sent.get("constraints", [])
        if not isinstance(constraints, list):
            self.fault("/constraints", "not_a_list", "expected a list of constraints.")
            constraints = []
        if len(constraints) > MAX_CONSTRAINTS:
            sentence = f"{len(constraints):,} constraints; at most {MAX_CONSTRAINTS} are kept."
            self.fault("/constraints", "too_long", sentence)
            constraints = []
        read = [self._constraint(c, f"/constraints/{n}") for n, c in enumerate(constraints)]
        self._once([c.get("id") for c in read])
        return {
            "constraints": read,
            "ambiguity": self._ambiguity(sent.get("ambiguity")),
            "admissible_rewrites": self._texts(
                sent.get("admissible_rewrites"), "/admissible_rewrites"
            ),
        }

    def _constraint(self, sent: Any, at: str) -> dict[str, Any]:
        if not self._object(sent, at, _OF_CONSTRAINT):
            return {}
        key, kind = sent.get("id"), sent.get("kind")
        wrong = id_fault(key, longest=MAX_KEY) if isinstance(key, str) else "“id” must be a text."
        if wrong:
            self.fault(f"{at}/id", "bad_id", wrong)
        self._one_of(kind, KINDS, f"{at}/kind")
        materiality = sent.get("materiality", "critical")
        self._one_of(materiality, MATERIALITIES, f"{at}/materiality")
        return {
            "id": key,
            "kind": kind,
            "materiality": materiality,
            "span": self._span(sent.get("span"), f"{at}/span"),
            "value": self._value(kind, sent.get("value"), f"{at}/value"),
            "admissible": self._texts(sent.get("admissible"), f"{at}/admissible"),
        }

    def _value(self, kind: Any, sent: Any, at: str) -> dict[str, Any]:
        """The typed fields: what is missing may be filled in later, what stands there must fit."""
        fields = FIELDS.get(kind) if isinstance(kind, str) else None
        if fields is None or not self._object(sent, at, tuple(fields)):
            return {}
        fitting = True
        for name, value in sent.items():
            field = fields[name]
            wrong = None if value is None and field.nullable else field.check(value)
            if wrong:
                self.fault(f"{at}/{name}", "bad_value", f"{quoted(value)} does not fit: {wrong}.")
                fitting = False
        return complete_value(str(kind), sent) if fitting else {}

    def _span(self, sent: Any, at: str) -> dict[str, int] | None:
        if sent is None or not self._object(sent, at, _OF_SPAN):
            return None
        numbers = [sent.get(part) for part in _OF_SPAN]
        if not all(isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in numbers):
            sentence = "turn, start and end must be whole numbers from 0; offsets are code points."
            self.fault(at, "bad_span", sentence)
            return None
        turn, start, end = (int(n or 0) for n in numbers)
        if turn >= len(self.texts):
            sentence = f"the request has {len(self.texts)} turns, counted from 0, no turn {turn}."
            self.fault(f"{at}/turn", "outside", sentence)
        elif not start < end <= len(self.texts[turn]):
            sentence = (
                f"{start}–{end} lies outside turn {turn} ({len(self.texts[turn])} characters)."
            )
            self.fault(at, "outside", sentence)
        elif not self.texts[turn][start:end].strip():
            self.fault(at, "blank", "only blanks are marked: mark words.")
        return {"turn": turn, "start": start, "end": end}

    def _ambiguity(self, sent: Any) -> dict[str, Any]:
        at = "/ambiguity"
        if sent is None or not self._object(sent, at, _OF_AMBIGUITY):
            return {"unresolved": False, "readings": []}
        unresolved = sent.get("unresolved", False)
        if not isinstance(unresolved, bool):
            self.fault(f"{at}/unresolved", "not_a_flag", "expected true or false.")
        readings = self._texts(sent.get("readings"), f"{at}/readings")
        return {"unresolved": unresolved is True, "readings": readings}

    def _object(self, sent: Any, at: str, parts: tuple[str, ...]) -> bool:
        if not isinstance(sent, Mapping):
            self.fault(at, "not_an_object", "expected an object {…}.")
            return False
        unknown = [name for name in sent if name not in parts]
        for name in unknown:
            sentence = f"{quoted(name)} is unknown here; allowed are {', '.join(parts)}."
            self.fault(f"{at}/{_escaped(str(name))}", "unknown_field", sentence)
        return not unknown

    def _one_of(self, sent: Any, allowed: tuple[str, ...], at: str) -> None:
        if not isinstance(sent, str) or sent not in allowed:
            sentence = f"must be one of {', '.join(allowed)}, not {quoted(sent)}."
            self.fault(at, "unknown_value", sentence)

    def _texts(self, sent: Any, at: str) -> list[str]:
        if sent is None:
            return []
        if isinstance(sent, list) and all(isinstance(t, str) and t.strip() for t in sent):
            return list(sent)
        self.fault(at, "not_a_list", "expected a list of texts, none of them empty.")
        return []

    def _once(self, keys: list[Any]) -> None:
        for position, key in enumerate(keys):
            if isinstance(key, str) and key in keys[:position]:
                sentence = f"the id {quoted(key)} stands twice."
                self.fault(f"/constraints/{position}/id", "repeated_id", sentence)


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
