"""A team's own search over HTTP, over the frozen corpus: what it returns is taken as it comes.

It is posted `{"queries": [...], "k": 5, "filters": {...}}` and answers `{"hits": [{"id", "score",
"query"}]}`, best first. The service applies the filters, before it ranks; ids are the corpus's.
"""

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evaluation.outbound import Outbound, OutboundError, check_url, origin
from evaluation.records import Hit
from evaluation.registry import PartError
from evaluation.retrieval.base import Retriever, register
from evaluation.retrieval.store import CorpusSource, open_documents

URL = "INTACT_SEARCH_URL"
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class HttpParameters:
    """Which service, and how long it may take.

    `url`: its address; empty takes the one in INTACT_SEARCH_URL. No key belongs into it.
    `revision`: your name for what is served there. It is frozen with the Conditions: give a new one
    when the search changes, since from here nothing else shows that.
    `deadline_s`: the most seconds for one search.
    """

    url: str = ""
    revision: str = ""
    deadline_s: float = 10.0

    def __post_init__(self) -> None:
        if not 0.1 <= self.deadline_s <= 120:
            raise ValueError(f"deadline_s must lie between 0.1 and 120, not {self.deadline_s}.")
        try:
            if self.url:
                check_url(self.url)
        except OutboundError as fault:
            raise ValueError(str(fault)) from fault


@register("http", version="1")
class HttpRetriever(Retriever):
    """Your own search. A document that the frozen corpus lacks is a fault of the search.

    A search that fails leaves its case failed, with the reason, and never scored.

    Only public addresses are called, and those that the administrator lists in
    INTACT_OUTBOUND_HOSTS; a key comes from INTACT_OUTBOUND_KEYS.

    Source: our own.
    """

    Parameters = HttpParameters
    parameters: HttpParameters

    def __init__(self, parameters: HttpParameters, source: CorpusSource) -> None:
        url = parameters.url or os.environ.get(URL, "").strip()
        if not url:
            raise PartError(
                f'The retriever "http" has no address: give one as its url, or set {URL}.'
            )
        super().__init__(replace(parameters, url=url), source)
        try:
            self._outbound = Outbound.from_environment(os.environ, url)
            self._outbound.check(url)
        except OutboundError as fault:
            raise PartError(str(fault)) from fault
        self._ids = frozenset(open_documents(source).ids)

    def search(
        self, queries: Sequence[str], *, k: int, filters: Mapping[str, Any] | None = None
    ) -> list[Hit]:
        """Ask the service. Raises OutboundError when it does not answer, or with anything else
        than up to `k` hits of the frozen corpus.
        """
        if k < 1:
            raise PartError(f"A search needs k of at least 1, not {k}.")
        body = {"queries": list(queries), "k": k, "filters": dict(filters or {})}
        try:
            answer = self._outbound.post_json(
                self.parameters.url, body, deadline_s=self.parameters.deadline_s
            )
        except OutboundError as fault:
            if fault.kind in ("address", "key"):  # no case can be searched, so no case fails
                raise PartError(str(fault)) from fault
            raise
        rows = answer.get("hits") if isinstance(answer, dict) else None
        if not isinstance(rows, list):
            raise self._fault('sent no list under "hits"')
        if len(rows) > k:
            raise self._fault(f"sent {len(rows)} hits where {k} were asked for")
        hits = [self._hit(row, rank, len(queries)) for rank, row in enumerate(rows, start=1)]
        self._check_ids(hits)
        return hits

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "corpus": self.source.sha256}

    def _hit(self, row: object, rank: int, queries: int) -> Hit:
        if not isinstance(row, dict) or not isinstance(row.get("id"), str):
            raise self._fault(f"sent a hit {rank} without an id that is a text")
        score, query = row.get("score"), row.get("query", 0)
        if isinstance(score, bool) or not isinstance(score, int | float) or not _finite(score):
            raise self._fault(f"sent a hit {rank} whose score is no number")
        if isinstance(query, bool) or not isinstance(query, int) or not 0 <= query < queries:
            raise self._fault(
                f"sent a hit {rank} whose query is none of the {queries} sent (they count from 0)"
            )
        return Hit(row["id"], rank, float(score), query)

    def _check_ids(self, hits: Sequence[Hit]) -> None:
        unknown = [hit.id for hit in hits if hit.id not in self._ids]
        if unknown:
            shown = ", ".join(f'"{_short(key)}"' for key in unknown[:_SHOWN])
            more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
            raise self._fault(f"found what the frozen corpus does not have: {shown}{more}")
        seen: set[str] = set()
        for hit in hits:
            if hit.id in seen:
                raise self._fault(f'sent the document "{hit.id}" twice')
            seen.add(hit.id)

    def _fault(self, what: str) -> OutboundError:
        return OutboundError(f"service {origin(self.parameters.url)} {what}", kind="invalid")


def _finite(score: float) -> bool:
    try:
        return math.isfinite(score)
    except OverflowError:  # a whole number beyond the largest float
        return False


def _short(key: str) -> str:
    printable = "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in key
    )
    return printable if len(printable) <= 80 else f"{printable[:79]}…"
