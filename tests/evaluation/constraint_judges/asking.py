"""A case with two constraints that the matchers leave unsure, put to a scripted endpoint."""

import json
from collections.abc import Sequence
from typing import Any

from contracts.terms import ContractTerms
from evaluation.constraint_judges import build_constraint_judge
from evaluation.generation.client import ChatClient
from evaluation.records import ConstraintJudgement, RequestText, Rewrite
from tests.evaluation.generation.fake_endpoint import Reply, fake_endpoint, says

TEXT = "What revenue did its parent Alder Foods report for fiscal year 2022, excluding rent?"
REQUEST = RequestText.from_json(
    {
        "id": "a",
        "turns": [{"role": "user", "text": "Tell me about Lark Bakery."}],
        "text": TEXT,
        "reference_date": "2024-05-01",
    }
)


def _constraint(key: str, kind: str, words: str, value: dict[str, Any]) -> dict[str, Any]:
    start = TEXT.index(words)
    span = {"turn": 1, "start": start, "end": start + len(words)}
    return {
        "id": key,
        "kind": kind,
        "materiality": "critical",
        "span": span,
        "value": value,
        "admissible": ["Alder Group"] if kind == "referent" else [],
    }


NAMED = {"name": "Alder Foods", "aliases": ["Alder"], "from_turn": None, "unresolved": False}
YEAR = {"relation": "on", "start": "2022", "end": "2022", "calendar": "fiscal"}
CONTRACT = ContractTerms.from_json(
    {
        "constraints": [
            _constraint("c1", "referent", "Alder Foods", NAMED),
            _constraint("c2", "time", "fiscal year 2022", YEAR),
            _constraint("c3", "polarity", "excluding rent", {"mode": "exclude", "target": "rent"}),
        ]
    }
)
REWRITE = Rewrite("standalone", ("AF  revenue about 2022 excluding rent",), {"country": "Norway"})


def said(key: str, **changed: Any) -> dict[str, Any]:
    """One entry of a reply: stated, with the words of the rewrite that could stand for it."""
    quote = {"c1": "AF revenue", "c2": "about 2022", "c3": "excluding rent"}.get(key, "")
    right = {"constraint": key, "judgement": "stated", "quote": quote, "why": "It says so."}
    return {**right, **changed}


def reply(*entries: dict[str, Any]) -> str:
    return json.dumps({"judgements": list(entries)})


def matched(*judgements: str) -> tuple[ConstraintJudgement, ...]:
    """What matchers say: the first two unsure and the last one dropped, or as given."""
    said_of = judgements or ("unsure", "unsure", "dropped")
    return tuple(
        ConstraintJudgement(one.id, said, f"matcher:{one.kind}/2", "AF", "It may be meant.")
        for one, said in zip(CONTRACT.constraints, said_of, strict=True)
    )


class Asked:
    """The judge before a scripted endpoint, and the bodies of the calls that it made."""

    def __init__(self, *script: Reply | str, model: str = "fake-1") -> None:
        self.script = [says(text) if isinstance(text, str) else text for text in script]
        self.model = model
        self.calls: list[dict[str, Any]] = []

    def settle(
        self,
        rewrite: Rewrite = REWRITE,
        rows: Sequence[ConstraintJudgement] = matched(),
        **parameters: Any,
    ) -> dict[str, ConstraintJudgement]:
        """Run it over what matchers said, by the constraints' ids; it uses up the whole script."""
        with fake_endpoint(*self.script) as endpoint:
            client = ChatClient(endpoint.base_url, "", self.model, pause=lambda _: None)
            judge = build_constraint_judge("endpoint", parameters, generator=client)
            try:
                rows = judge.settle(REQUEST, CONTRACT, rewrite, rows)
            finally:
                self.calls = [body for _path, _headers, body in endpoint.requests]
                assert endpoint.script == []
        return {row.constraint: row for row in rows}

    @property
    def told(self) -> dict[str, Any]:
        """The JSON that the first call put to the model."""
        text = self.calls[0]["messages"][-1]["content"]
        return json.loads(text.partition("\n\n")[2])
