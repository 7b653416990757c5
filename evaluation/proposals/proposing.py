"""Constraints for a request that has no contract. Pure: equal texts give equal proposals.

A proposal is certain only if its value is plain and the judge finds it in the request itself: what
it cannot find there it cannot miss in a rewrite.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Any

from contracts.prefill import first_value
from contracts.suggestions import ANALYSED
from contracts.terms import ConstraintTerms, ContractTerms, Span
from contracts.values import complete_value, validate_value
from evaluation.proposals.candidates import Candidate, find_candidates, parsed_english
from evaluation.proposals.unresolved import REMEMBERED
from evaluation.records import RequestText, Rewrite
from evaluation.scoring.preservation import judge_constraints, lexicon
from evaluation.scoring.preservation.quantities.aggregations import aggregations
from evaluation.scoring.preservation.text import read_text

MOST = 50  # proposals of one request
# Kinds whose value can be certain; a source is proposed too and decides nothing.
CERTAIN = ("referent", "time", "quantity", "polarity", "status", "comparison")
NOT_PLAIN = "The words do not say its value plainly."
NOT_TOLD = "The conversation does not say plainly whom or what this means."
NOT_FOUND = "The judge does not find it in the request's own words."


@dataclass(frozen=True, slots=True)
class Proposal:
    """Words that may be a constraint. `terms` is None where they leave the value open, and `why`
    says so; `certain` ones may decide.
    """

    id: str
    kind: str
    words: str
    terms: ConstraintTerms | None
    certain: bool
    why: str = ""


def propose(request: RequestText) -> tuple[Proposal, ...]:
    """Return what the current text of a request may demand, in the order of the text, at most MOST.

    Names, comparisons, negations, states and sources are found in English; dates and amounts in
    other languages too. Earlier turns only tell whom a pronoun means. Waits until the language
    model is loaded (`contracts.language.load`), once a process. What was found is remembered for
    the last REMEMBERED requests: several rewrites of one are asked about, perhaps under other ids.
    """
    return _propose(replace(request, id=""))


@lru_cache(maxsize=REMEMBERED)
def _propose(request: RequestText) -> tuple[Proposal, ...]:
    found = find_candidates(request.texts)[:MOST]
    proposals = [_proposal(f"p{n}", one, request) for n, one in enumerate(found, 1)]
    return tuple(_checked(_with_aggregation(proposals, request), request))


def contract_of(proposals: Sequence[Proposal]) -> ContractTerms:
    """Return the proposals whose value is known as a contract: certain ones critical."""
    return ContractTerms(tuple(one.terms for one in proposals if one.terms))


_DAYS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday".split()
)
_EXCEEDS = re.compile(r"(?i)\b(?:exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|top(?:s|ped)?)\s+$")


def _proposal(key: str, one: Candidate, request: RequestText) -> Proposal:
    words = request.text[one.start : one.end]
    value = one.value or _value(one, words, request)
    if not value or validate_value(one.kind, value):
        why = NOT_TOLD if one.kind == "referent" else NOT_PLAIN
        return Proposal(key, one.kind, words, None, False, why)
    certain = one.kind in CERTAIN
    if one.kind == "referent" and one.value is None:
        certain = _is_a_name(value, one, request)
    elif one.kind == "polarity" and value.get("mode") == "negate":
        certain = not _talks(request.text[:ANALYSED], one)
    terms = ConstraintTerms(
        id=key,
        kind=one.kind,
        materiality="critical" if certain else "minor",
        value=complete_value(one.kind, value),
        span=Span(len(request.turns), one.start, one.end),
    )
    return Proposal(key, one.kind, words, terms, certain)


def _value(one: Candidate, words: str, request: RequestText) -> Mapping[str, Any]:
    today = _day(request.reference_date)
    value = first_value(one.kind, words, request_texts=request.texts, reference_date=today)
    exceeds = one.kind == "quantity" and value.get("operator") == "="
    if exceeds and _EXCEEDS.search(request.text[: one.start]):
        return {**value, "operator": ">"}
    return value


def _is_a_name(value: Mapping[str, Any], one: Candidate, request: RequestText) -> bool:
    """Whether a referent is named: with a capital that is not only that of a sentence's start."""
    name = str(value["name"])
    if value.get("from_turn") is not None:
        return any(word[:1].isupper() for word in name.split())
    words = [word.text for word in read_text(name).words]
    if not words or set(words) <= _DAYS | lexicon.words("months"):
        return False
    before = request.text[: one.start].rstrip()
    opens = not before or before[-1] in ".?!:"
    capitals = sum(word[:1].isupper() for word in name.split())
    return capitals > opens or bool(capitals and re.search(r"\d|[A-Z]{2}", name))


def _talks(text: str, one: Candidate) -> bool:
    """Whether a negation says something about the talk and not of what is looked for: its subject
    is "I", "you", "it" or "that".
    """
    parsed = parsed_english(text)
    tokens = parsed.tokens if parsed else ()
    heads = {t.head for t in tokens if t.dep == "neg" and one.start <= t.start < one.end}
    subjects = [t for t in tokens if t.head in heads and t.dep in ("nsubj", "nsubjpass")]
    return any(t.tag in ("PRP", "DT") for t in subjects)


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


def _with_aggregation(proposals: Sequence[Proposal], request: RequestText) -> list[Proposal]:
    """The one amount of a text gets the one aggregation that the text says: "2 GWh … a year"."""
    said = set(aggregations(read_text(request.text[:ANALYSED])))
    amounts = [one.terms for one in proposals if one.kind == "quantity" and one.terms]
    if len(said) != 1 or len(amounts) != 1 or amounts[0].value.get("aggregation"):
        return list(proposals)
    value = {**amounts[0].value, "aggregation": said.pop()}
    if validate_value("quantity", value):
        return list(proposals)
    fuller = replace(amounts[0], value=value)
    return [replace(p, terms=fuller) if p.terms is amounts[0] else p for p in proposals]


def _checked(proposals: Sequence[Proposal], request: RequestText) -> Iterator[Proposal]:
    """Each certain one only if the judge finds it in the request itself. Names that an earlier turn
    says are not there by their nature.
    """
    contract = contract_of(proposals)
    itself = Rewrite("unchanged", (request.text[:ANALYSED],))
    judged = judge_constraints(request, contract, itself)
    stated = {one.constraint for one in judged if one.judgement == "stated"}
    for one in proposals:
        earlier = bool(one.terms and one.terms.value.get("from_turn") is not None)
        if one.terms is None or not one.certain or earlier or one.id in stated:
            yield one
        else:
            minor = replace(one.terms, materiality="minor")
            yield replace(one, certain=False, terms=minor, why=NOT_FOUND)
