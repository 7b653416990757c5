"""A rewrite of several sub-queries, query by query: what each would keep if it were the only one,
and what it found. What counts is their union, as it was judged in the run.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.functional import Promise

from contracts.terms import ContractTerms
from contracts.word_diff import Piece
from evaluation.records import RequestText, Rewrite
from evaluation.reports.case.hits import HitShown
from evaluation.reports.case.marks import MarkedPiece, Quote, marked_pieces
from evaluation.reports.matrix.shown import WORDS
from evaluation.scoring.preservation import judge_rewrite

MOST = 12  # sub-queries that are judged one by one


@dataclass(frozen=True, slots=True)
class QueryJudged:
    """What one sub-query alone does to one constraint, which is `number` in the contract."""

    number: int
    phrase: str
    outcome: str
    word: str | Promise
    quote: str
    why: str


@dataclass(frozen=True, slots=True)
class QueryShown:
    """One sub-query: its words with the quotes marked, its judgements, the hits it found."""

    number: int
    pieces: tuple[MarkedPiece, ...]
    judged: tuple[QueryJudged, ...]
    hits: tuple[HitShown, ...]


def query_by_query(
    request: RequestText,
    contract: ContractTerms,
    rewrite: Rewrite,
    *,
    phrases: Mapping[str, str],
    differences: Sequence[Sequence[Piece]],
    hits: Sequence[HitShown],
    searched: Sequence[str],
) -> tuple[QueryShown, ...]:
    """Judge each sub-query alone, with the filters that every one is searched with, by the judge's
    rules (a model or a person judges the whole only). Nothing for a rewrite of one query.

    `phrases` says each constraint in words, by its id; `differences` has the pieces of each query,
    `searched` what was sent where that is not simply the queries.
    """
    if len(rewrite.queries) < 2 or not contract.constraints:
        return ()
    found = []
    shown = list(zip(rewrite.queries, differences, strict=True))[:MOST]
    for at, (query, pieces) in enumerate(shown):
        alone = judge_rewrite(request, contract, replace(rewrite, queries=(query,)))
        judged = tuple(
            QueryJudged(n, phrases[j.constraint], j.judgement, WORDS[j.judgement], j.quote, j.why)
            for n, j in enumerate(alone.judgements, start=1)
        )
        quotes = [
            Quote(one.number, constraint.kind, one.quote, one.outcome)
            for one, constraint in zip(judged, contract.constraints, strict=True)
            if one.quote
        ]
        sent = searched.index(query) if query in searched else at
        mine = tuple(hit for hit in hits if sent in hit.queries)
        found.append(QueryShown(at + 1, marked_pieces(pieces, quotes), judged, mine))
    return tuple(found)
