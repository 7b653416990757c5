"""judge.jsonl: one rewrite against one contract a line, judged without a project. Pure."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from contracts.checking import faults_of_terms
from contracts.terms import ContractTerms
from evaluation.records import REWRITE_KINDS, RequestText, Rewrite
from evaluation.scoring.preservation import judge_rewrite


class BrokenLine(Exception):
    """A line that cannot be judged; `str()` is a sentence."""


def judge_lines(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Any] | BrokenLine]]:
    """Yield (row, judgements or why not) for every line that is not blank; rows count from 1."""
    for row, line in enumerate(lines, start=1):
        text = line.lstrip("\ufeff").strip() if row == 1 else line.strip()
        if not text:
            continue
        try:
            yield row, judge_line(text)
        except BrokenLine as fault:
            yield row, fault


def judge_line(text: str) -> dict[str, Any]:
    """Return `{"id", "judgements", "added"}` for one line; raise BrokenLine if it is unsound."""
    try:
        data = json.loads(text)
    except ValueError as fault:
        raise BrokenLine(f"this is not JSON: {fault}.") from fault
    if not isinstance(data, dict):
        raise BrokenLine("the line must be an object with id, request, contract and rewrite.")
    for name in ("request", "contract", "rewrite"):
        if not isinstance(data.get(name), dict):
            raise BrokenLine(f"“{name}” must be an object.")
    request, rewrite = _request(data), _rewrite(data["rewrite"])
    contract = _contract(data["contract"], request)
    return {"id": data.get("id"), **judge_rewrite(request, contract, rewrite).to_json()}


def _request(data: Mapping[str, Any]) -> RequestText:
    given = data["request"]
    if not isinstance(given.get("text"), str) or not given["text"].strip():
        raise BrokenLine("“request.text” must be a text that is not blank.")
    turns = given.get("turns") or []
    sound = isinstance(turns, list) and all(
        isinstance(t, dict) and isinstance(t.get("role"), str) and isinstance(t.get("text"), str)
        for t in turns
    )
    if not sound:
        raise BrokenLine("“request.turns” must be a list of objects with role and text.")
    return RequestText.from_json({"id": str(data.get("id", "")), **given, "turns": turns})


def _contract(given: Mapping[str, Any], request: RequestText) -> ContractTerms:
    try:
        terms = ContractTerms.from_json(given)
        faults = faults_of_terms(terms, request.texts)
    except (KeyError, TypeError, AttributeError, ValueError) as fault:
        raise BrokenLine(
            "“contract.constraints” must be objects with id, kind, materiality, value and, if they"
            f" mark words, span ({type(fault).__name__}: {fault})."
        ) from fault
    if faults:
        raise BrokenLine(" ".join(faults))
    return terms


def _rewrite(given: Mapping[str, Any]) -> Rewrite:
    if given.get("kind") not in REWRITE_KINDS:
        raise BrokenLine(f"“rewrite.kind” must be one of {', '.join(REWRITE_KINDS)}.")
    queries = given.get("queries") or []
    if not isinstance(queries, list) or not all(isinstance(query, str) for query in queries):
        raise BrokenLine("“rewrite.queries” must be a list of texts.")
    if not isinstance(given.get("filters") or {}, dict):
        raise BrokenLine("“rewrite.filters” must be an object.")
    if not isinstance(given.get("clarification"), str | None):
        raise BrokenLine("“rewrite.clarification” must be a text or null.")
    return Rewrite.from_json(given)
