"""Short ways to write a request, one constraint and a rewrite, and to read the judgement."""

from dataclasses import dataclass, field
from typing import Any

from contracts.terms import ConstraintTerms, ContractTerms, Span
from evaluation.records import (
    ConstraintJudgement,
    JudgedRewrite,
    RequestText,
    Rewrite,
    Turn,
)
from evaluation.scoring.preservation import judge_rewrite


@dataclass(frozen=True)
class Asked:
    """A request with one constraint, whose words are `words` of the current text (or None)."""

    text: str
    kind: str
    value: dict[str, Any]
    words: str | None = None
    turns: tuple[str, ...] = ()
    admissible: tuple[str, ...] = ()
    reference_date: str | None = None
    filters: dict[str, Any] = field(default_factory=dict)

    @property
    def constraint(self) -> ConstraintTerms:
        span = None
        if self.words:
            start = self.text.index(self.words)
            span = Span(len(self.turns), start, start + len(self.words))
        return ConstraintTerms("c1", self.kind, "critical", self.value, span, self.admissible)

    @property
    def request(self) -> RequestText:
        turns = tuple(Turn("user", text) for text in self.turns)
        return RequestText("r1", self.text, turns, self.reference_date)

    def judge(self, *queries: str, filters: dict[str, Any] | None = None) -> ConstraintJudgement:
        return self.judge_all(*queries, filters=filters).judgements[0]

    def judge_all(
        self, *queries: str, filters: dict[str, Any] | None = None, kind: str = "standalone"
    ) -> JudgedRewrite:
        contract = ContractTerms((self.constraint,))
        return judge_rewrite(self.request, contract, Rewrite(kind, queries, filters or {}))

    def label(self, *queries: str, filters: dict[str, Any] | None = None) -> str:
        return self.judge(*queries, filters=filters).judgement


def time(
    relation: str, start: str | None = None, end: str | None = None, **more: Any
) -> dict[str, Any]:
    return {"relation": relation, "start": start, "end": end, "calendar": "calendar", **more}


def amount(operator: str, value: float, **more: Any) -> dict[str, Any]:
    empty = {"high": None, "unit": None, "currency": None, "aggregation": None}
    return {"operator": operator, "value": value, **empty, **more}
