"""Short ways to write a request with several constraints, and to read what was judged of each."""

from typing import Any, NamedTuple

from contracts.terms import ConstraintTerms, ContractTerms, Span
from evaluation.records import RequestText, Rewrite
from evaluation.scoring.preservation import judge_rewrite
from tests.evaluation.scoring.preservation.judging import amount, time


class Part(NamedTuple):
    """One constraint: kind, value, and its words in the request."""

    kind: str
    value: dict[str, Any]
    words: str


def status(words: str, *rivals: str) -> Part:
    return Part("status", {"value": words, "rivals": list(rivals)}, words)


def source(words: str) -> Part:
    return Part("evidence", {"source": words}, words)


def but(target: str, words: str, mode: str = "exclude") -> Part:
    return Part("polarity", {"mode": mode, "target": target}, words)


def number(words: str, operator: str, value: float, **more: Any) -> Part:
    return Part("quantity", amount(operator, value, **more), words)


def day(words: str, relation: str, start: str | None = None, end: str | None = None) -> Part:
    return Part("time", time(relation, start, end), words)


Asking = tuple[str, tuple[Part, ...]]
Case = tuple[Asking, tuple[str, ...], dict[str, Any], str]
# s stated, f filtered, a altered, d dropped: one letter for each constraint, in its order. A
# question mark is no label: the definitions leave it open, or the judge does not decide it yet.
LABELS = {"s": "stated", "f": "filtered", "a": "altered", "d": "dropped"}


def judged(asked: Asking, queries: tuple[str, ...], filters: dict[str, Any]) -> list[Any]:
    text, parts = asked
    constraints = []
    for at, part in enumerate(parts, 1):
        start = text.index(part.words)
        span = Span(0, start, start + len(part.words))
        constraints.append(ConstraintTerms(f"c{at}", part.kind, "critical", part.value, span))
    contract = ContractTerms(tuple(constraints))
    rewrite = Rewrite("standalone", queries, filters)
    return list(judge_rewrite(RequestText("r1", text), contract, rewrite).judgements)


def assert_labels(
    asked: Asking, queries: tuple[str, ...], filters: dict[str, Any], letters: str
) -> None:
    """Compare the judgements of all constraints with their letters."""
    found = [item.judgement for item in judged(asked, queries, filters)]
    wanted = [LABELS.get(letter, said) for letter, said in zip(letters, found, strict=True)]
    assert found == wanted
