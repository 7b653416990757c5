"""Expansion controls: texts that add vocabulary, keep the contract and must pass (R22).

They test the judge, not an arm: a control that is called incomplete is a false rejection.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contracts.terms import ContractTerms
from evaluation.records import LOST, JudgedRewrite, RequestText, Rewrite
from evaluation.scoring.bounded import Bounded
from evaluation.scoring.preservation import judge_rewrite
from evaluation.statistics import Estimate, wilson

NONE = "The run has no control, so false rejections are not measured."


@dataclass(frozen=True, slots=True)
class TextJudged:
    """One text of a control: accepted with open judgements counted as lost (`worst`) and as kept
    (`best`), and why not.
    """

    text: str
    worst: bool
    best: bool
    why: str


@dataclass(frozen=True, slots=True)
class ControlResult:
    """One control; it passes when every one of its texts is accepted."""

    id: str
    request: str
    request_class: str
    texts: tuple[TextJudged, ...]

    @property
    def worst(self) -> bool:
        return all(text.worst for text in self.texts)

    @property
    def best(self) -> bool:
        return all(text.best for text in self.texts)

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "request": self.request,
            "request_class": self.request_class,
            "worst": self.worst,
            "best": self.best,
            "texts": [
                {"text": t.text, "worst": t.worst, "best": t.best, "why": t.why} for t in self.texts
            ],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "ControlResult":
        """Return the result that `to_json` wrote; its two ends follow from its texts."""
        texts = tuple(TextJudged(**text) for text in data["texts"])
        return cls(data["id"], data["request"], data["request_class"], texts)


def judge_control(
    key: str,
    request: RequestText,
    request_class: str,
    contract: ContractTerms,
    accepts: Sequence[str],
) -> ControlResult:
    """Judge every text of a control as an expansion of its request, against the contract."""
    texts = []
    for text in accepts:
        judged = judge_rewrite(request, contract, Rewrite("expansion", (text,)))
        texts.append(_text(text, contract, judged))
    return ControlResult(key, request.id, request_class, tuple(texts))


def false_rejection_rate(controls: Iterable[ControlResult], *, level: float = 0.95) -> Bounded:
    """Return the share of controls that are wrongly found incomplete (lower is better), with
    Wilson's interval. `worst` counts those that an open judgement may still reject as rejected.
    """
    rows = list(controls)
    still_open = sum(row.worst != row.best for row in rows)
    if not rows:
        return Bounded(Estimate.undefined(NONE), Estimate.undefined(NONE))
    worst, best = (sum(not getattr(row, end) for row in rows) for end in ("worst", "best"))
    return Bounded(
        wilson(worst, len(rows), level=level), wilson(best, len(rows), level=level), still_open
    )


def _text(text: str, contract: ContractTerms, judged: JudgedRewrite) -> TextJudged:
    critical = {c.id for c in contract.constraints if c.materiality == "critical"}
    kinds = {c.kind for c in contract.constraints if c.id in critical}
    mine = [j for j in judged.judgements if j.constraint in critical]
    lost = [f"{j.judgement} {j.constraint}: {j.why}" for j in mine if j.judgement in LOST]
    added = [f"added {a.kind} “{a.quote}”: {a.why}" for a in judged.added if a.kind in kinds]
    still_open = [f"open {j.constraint}: {j.why}" for j in mine if j.judgement == "unsure"]
    rejected = bool(lost or added)
    return TextJudged(
        text, not (rejected or still_open), not rejected, " ".join((*lost, *added, *still_open))
    )
