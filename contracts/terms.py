"""What a contract says, as plain values: no database, no clock. The shapes of contracts.jsonl.

A `ContractTerms` is the approved (or drafted) statement of what one request asks. The Django model
`contracts.models.Contract` stores its canonical JSON; the engine and the judge only ever see these
values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.canonical import content_hash

KINDS = ("referent", "time", "quantity", "polarity", "status", "comparison", "evidence")
MATERIALITIES = ("critical", "minor")


@dataclass(frozen=True, slots=True)
class Span:
    """Words of the request: turn counts from 0 (the current text is the last turn), offsets are
    code points.
    """

    turn: int
    start: int
    end: int

    def to_json(self) -> dict[str, int]:
        return {"turn": self.turn, "start": self.start, "end": self.end}


def _texts(value: Any) -> tuple[str, ...]:
    """A list of texts as a tuple; anything else is a fault, never taken letter by letter."""
    if value is None:
        return ()
    if not isinstance(value, list | tuple) or not all(isinstance(text, str) for text in value):
        raise ValueError("expected a list of texts for the other wordings or readings.")
    return tuple(value)


@dataclass(frozen=True, slots=True)
class ConstraintTerms:
    """One thing the request demands. `value` has the fields of its kind (`contracts.values`)."""

    id: str
    kind: str
    materiality: str
    value: Mapping[str, Any]
    span: Span | None = None
    admissible: tuple[str, ...] = ()

    @property
    def critical(self) -> bool:
        return self.materiality == "critical"

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "kind": self.kind,
            "materiality": self.materiality,
            "span": self.span.to_json() if self.span else None,
            "value": dict(self.value),
            "admissible": list(self.admissible),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "ConstraintTerms":
        span = data.get("span")
        return cls(
            id=data["id"],
            kind=data["kind"],
            materiality=data["materiality"],
            value=dict(data["value"]),
            span=Span(span["turn"], span["start"], span["end"]) if span else None,
            admissible=_texts(data.get("admissible")),
        )


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """The mark that the right behaviour is to clarify, with the admissible readings."""

    unresolved: bool = False
    readings: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"unresolved": self.unresolved, "readings": list(self.readings)}


@dataclass(frozen=True, slots=True)
class ContractTerms:
    """Everything that a contract demands of whatever answers the request."""

    constraints: tuple[ConstraintTerms, ...] = ()
    ambiguity: Ambiguity = field(default_factory=Ambiguity)
    admissible_rewrites: tuple[str, ...] = ()

    @property
    def critical(self) -> tuple[ConstraintTerms, ...]:
        return tuple(c for c in self.constraints if c.critical)

    def to_json(self) -> dict[str, Any]:
        return {
            "constraints": [c.to_json() for c in self.constraints],
            "ambiguity": self.ambiguity.to_json(),
            "admissible_rewrites": list(self.admissible_rewrites),
        }

    @property
    def sha256(self) -> str:
        """The hash over canonical JSON that identifies these terms."""
        return content_hash(self.to_json())

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "ContractTerms":
        ambiguity: Mapping[str, Any] = data.get("ambiguity") or {}
        constraints: Sequence[Mapping[str, Any]] = data.get("constraints") or ()
        return cls(
            constraints=tuple(ConstraintTerms.from_json(c) for c in constraints),
            ambiguity=Ambiguity(
                bool(ambiguity.get("unresolved", False)), _texts(ambiguity.get("readings"))
            ),
            admissible_rewrites=_texts(data.get("admissible_rewrites")),
        )
