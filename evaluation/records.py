"""The plain values that pass through a run: request, rewrite, hits, answer, judgements. No Django
here.

Each has the shape of its line in the file formats (docs/formats.md), with `from_json` and
`to_json`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

REWRITE_KINDS = (
    "standalone",
    "expansion",
    "hypothetical",
    "subqueries",
    "clarification",
    "unchanged",
    "error",
)
# Kinds of rewrite that are made for the search alone and put to no reader.
ONLY_SEARCHES = ("expansion", "hypothetical")
JUDGEMENTS = ("stated", "filtered", "altered", "dropped", "unsure")
KEPT = ("stated", "filtered")
LOST = ("altered", "dropped")


@dataclass(frozen=True, slots=True)
class Turn:
    role: str
    text: str


@dataclass(frozen=True, slots=True)
class RequestText:
    """What a rewriter may see: the current text and the permitted turns, oldest first. No answers,
    no evidence.
    """

    id: str
    text: str
    turns: tuple[Turn, ...] = ()
    reference_date: str | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """Every turn's text in order, the current text last: what a span's `turn` counts."""
        return (*(turn.text for turn in self.turns), self.text)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "RequestText":
        return cls(
            id=data["id"],
            text=data["text"],
            turns=tuple(Turn(t["role"], t["text"]) for t in data.get("turns") or ()),
            reference_date=data.get("reference_date"),
        )


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What a rewriter emitted. `queries` holds every sub-query in order; kind "error" has none.

    `fell_back`: the rewriter failed and searched with the original instead; its kind is then
    "unchanged". `notes` say how it came about, JSON-able (what was corrected, why it fell back).
    Rows of rewrites that did not fall back, or have no notes, do not mention them.
    """

    kind: str
    queries: tuple[str, ...] = ()
    filters: Mapping[str, Any] = field(default_factory=dict)
    clarification: str | None = None
    latency_ms: float | None = None
    tokens: Mapping[str, int] | None = None
    cost_usd: float | None = None
    fell_back: bool = False
    notes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def asks(self) -> bool:
        return self.kind == "clarification" or bool(self.clarification)

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "queries": list(self.queries),
            "filters": dict(self.filters),
            "clarification": self.clarification,
            "latency_ms": self.latency_ms,
            "tokens": dict(self.tokens) if self.tokens else None,
            "cost_usd": self.cost_usd,
            **({"fell_back": True} if self.fell_back else {}),
            **({"notes": dict(self.notes)} if self.notes else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Rewrite":
        return cls(
            kind=data["kind"],
            queries=tuple(data.get("queries") or ()),
            filters=dict(data.get("filters") or {}),
            clarification=data.get("clarification"),
            latency_ms=data.get("latency_ms"),
            tokens=data.get("tokens"),
            cost_usd=data.get("cost_usd"),
            fell_back=data.get("fell_back") is True,
            notes=dict(data.get("notes") or {}),
        )


def question_of(rewrite: Rewrite, original: str) -> str:
    """Return the question that is put to the reader: the rewrite. What only searches (a passage
    made up, several wordings) is no question: there the `original` is.
    """
    question = original if rewrite.kind in ONLY_SEARCHES else ""
    return question or " ".join(rewrite.queries)


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a frozen corpus."""

    id: str
    title: str
    text: str
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """One list that a document stood in: of which query, at which rank (from 1). `by` names what
    made it where lists are fused, and is empty where they only take turns.
    """

    query: int
    rank: int
    by: str = ""

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"query": self.query, "rank": self.rank}
        return {**found, "by": self.by} if self.by else found

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Found":
        return cls(data["query"], data["rank"], data.get("by", ""))


@dataclass(frozen=True, slots=True)
class Hit:
    """One retrieved document. `rank` counts from 1 and is the order; `query` is the sub-query that
    it counts for. `found` names every list that it stood in, when there were several.
    """

    id: str
    rank: int
    score: float
    query: int = 0
    found: tuple[Found, ...] = ()

    def to_json(self) -> dict[str, Any]:
        hit = {"id": self.id, "rank": self.rank, "score": self.score, "query": self.query}
        return {**hit, "found": [f.to_json() for f in self.found]} if self.found else hit

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Hit":
        found = tuple(Found.from_json(f) for f in data.get("found") or ())
        return cls(data["id"], data["rank"], data["score"], data.get("query", 0), found)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a reader said. `text` is None when it abstained; `citations` are ids among the hits.

    `taken_from` is the sentence of the cited document that the answer is a part of, where the
    reader took it out of one. Rows without it, or without a cost, do not mention them.
    """

    text: str | None
    citations: tuple[str, ...] = ()
    latency_ms: float | None = None
    tokens: Mapping[str, int] | None = None
    cost_usd: float | None = None
    taken_from: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "answer": self.text,
            "citations": list(self.citations),
            "latency_ms": self.latency_ms,
            "tokens": dict(self.tokens) if self.tokens else None,
            **({"cost_usd": self.cost_usd} if self.cost_usd is not None else {}),
            **({"taken_from": self.taken_from} if self.taken_from else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Answer":
        return cls(
            data.get("answer"),
            tuple(data.get("citations") or ()),
            data.get("latency_ms"),
            data.get("tokens"),
            data.get("cost_usd"),
            data.get("taken_from", ""),
        )


@dataclass(frozen=True, slots=True)
class ConstraintJudgement:
    """What happened to one constraint in one rewrite, by whom, with the words that decided it."""

    constraint: str
    judgement: str
    by: str
    quote: str
    why: str

    def to_json(self) -> dict[str, str]:
        return {
            "constraint": self.constraint,
            "judgement": self.judgement,
            "by": self.by,
            "quote": self.quote,
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class Addition:
    """A restriction in the rewrite that the request does not have."""

    kind: str
    quote: str
    why: str

    def to_json(self) -> dict[str, str]:
        return {"kind": self.kind, "quote": self.quote, "why": self.why}


@dataclass(frozen=True, slots=True)
class JudgedRewrite:
    """One judgement per constraint of the contract, in its order, and what the rewrite added."""

    judgements: tuple[ConstraintJudgement, ...]
    added: tuple[Addition, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "judgements": [j.to_json() for j in self.judgements],
            "added": [a.to_json() for a in self.added],
        }
