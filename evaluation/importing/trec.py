"""A TREC run: `query Q0 document rank score tag`, one retrieved document a line. No Django here.

The order is trec_eval's, which reads neither the order of the lines nor the ranks: score, then
document id, both descending (trec_eval 9.0, form_res_rels.c).
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from annotation.importing.fields import composed
from annotation.importing.json_rows import bad_byte
from annotation.importing.mapping import TREC_COLUMNS
from annotation.importing.problems import Problems
from annotation.importing.reading import lines_of
from annotation.importing.rows import MAX_ROWS, Row
from annotation.importing.showing import quoted

_RANK = re.compile(r"\d{1,9}", re.ASCII)
_SCORE = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d{1,3})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Hit:
    document: str
    score: float
    line: int


@dataclass
class _Query:
    line: int
    hits: list[_Hit] = field(default_factory=list)
    first: dict[str, int] = field(default_factory=dict)  # the line of each document


def trec_rows(data: bytes, problems: Problems) -> Iterator[Row]:
    """Yield a row of a logged run for every query: its hits in order, with ranks from 1, and the
    line of each. Faults are added with their line, ties as warnings.
    """
    queries: dict[str, _Query] = {}
    count = 0
    for number, raw in enumerate(lines_of(data), start=1):
        if not raw.strip():
            continue
        count += 1
        if count > MAX_ROWS:
            problems.add(number, "", "too_many_rows", f"over {MAX_ROWS:,} rows: split the file.")
            return
        _read(raw, number, queries, problems)
    if not count:
        problems.add(None, "", "empty", "the file has no rows.")
    for key, query in queries.items():
        yield _row(key, query, problems)


def _read(raw: bytes, number: int, queries: dict[str, _Query], problems: Problems) -> None:
    try:
        parts = raw.decode().split()
    except UnicodeDecodeError as fault:
        problems.add(number, "", "encoding", bad_byte(raw[fault.start]))
        return
    if b"\x00" in raw:
        problems.add(number, "", "nul", "the line holds a NUL character.")
        return
    if len(parts) != len(TREC_COLUMNS):
        sentence = f"{len(parts)} columns, a TREC run has 6: {' '.join(TREC_COLUMNS)}."
        problems.add(number, "", "column_count", sentence)
        return
    key, _q0, document, rank, score, _tag = parts
    if not _RANK.fullmatch(rank):
        sentence = f"the rank must be 0, 1, 2 …, not {quoted(rank)}."
        problems.add(number, "rank", "bad_rank", sentence)
    if not _SCORE.fullmatch(score) or not math.isfinite(float(score)):
        sentence = f"the score must be a number such as 9.1, not {quoted(score)}."
        problems.add(number, "score", "bad_score", sentence)
        return
    key, document = composed(key), composed(document)
    query = queries.setdefault(key, _Query(number))
    earlier = query.first.setdefault(document, number)
    if earlier != number:
        sentence = f"{quoted(document)} stands for {quoted(key)} on row {earlier} already."
        problems.add(number, "document", "duplicate_hit", sentence)
        return
    query.hits.append(_Hit(document, float(score), number))


def _row(key: str, query: _Query, problems: Problems) -> Row:
    # Sorted twice: the second sort keeps the order of the first among equal scores.
    hits = sorted(query.hits, key=lambda hit: hit.document, reverse=True)
    hits.sort(key=lambda hit: hit.score, reverse=True)
    if tied := len(hits) - len({hit.score for hit in hits}):
        problems.warn(
            query.line,
            "score",
            "tied_score",
            f"{quoted(key)}: {tied} of {len(hits)} scores equal another: the greater document id "
            "comes first, as in trec_eval.",
        )
    found = [
        {"id": hit.document, "rank": rank, "score": hit.score}
        for rank, hit in enumerate(hits, start=1)
    ]
    return Row(query.line, {"request": key, "hits": found}, lines=tuple(h.line for h in hits))
