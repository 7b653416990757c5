"""A team's own search over HTTP, over the frozen corpus: what it returns is taken as it comes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.outbound import MAX_BODY_BYTES, OutboundError, origin
from evaluation.records import Hit
from evaluation.registry import PartError
from evaluation.retrieval.base import Retriever, register
from evaluation.retrieval.store import CorpusSource, open_documents
from evaluation.team_service import ServiceParameters, ServicePart

URL = "INTACT_SEARCH_URL"
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class HttpParameters(ServiceParameters):
    """Which service, and how long it may take.

    `url`: its address; empty takes the one in INTACT_SEARCH_URL. No key belongs into it.
    """

    deadline_s: float = 10.0


@register("http", version="1")
class HttpRetriever(ServicePart, Retriever):
    """Your own search. A document that the frozen corpus lacks is a fault of the search.

    Posted is `{"queries": ["…"], "k": 5, "filters": {}}`: all queries of one rewrite, and its
    filters, which the search applies before it ranks. Back comes `{"hits": [{"id": "d17", "score":
    9.1, "query": 0}]}`, best first and at most `k`: ids of the imported corpus, each once; `query`
    says which of the queries found it, counted from 0, and may be left out. An empty list means
    that nothing was found.

    Anything else is a fault of the search, as is a status that is none of 200 to 299. A search that
    cannot be reached, fails (5xx) or asks for patience (408, 429) is asked again while `deadline_s`
    allows; in the end its case is left failed, with the reason, and never scored.

    Only public addresses are called, and those that the administrator lists in
    INTACT_OUTBOUND_HOSTS; a key comes from INTACT_OUTBOUND_KEYS.

    Source: our own.
    """

    Parameters = HttpParameters
    parameters: HttpParameters
    noun = "retriever"
    url_setting = URL
    max_bytes = MAX_BODY_BYTES

    def __init__(self, parameters: HttpParameters, source: CorpusSource) -> None:
        super().__init__(parameters, source)
        _ = self.client  # an address that can never be called is refused before a run
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
        reply = self.post(body)
        try:
            return self._hits(reply.body, k, len(queries))
        except OutboundError:
            reply.refuse()
            raise

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "corpus": self.source.sha256}

    def _hits(self, answer: object, k: int, queries: int) -> list[Hit]:
        rows = answer.get("hits") if isinstance(answer, dict) else None
        if not isinstance(rows, list):
            raise self._fault('sent no list under "hits"')
        if len(rows) > k:
            raise self._fault(f"sent {len(rows)} hits where {k} were asked for")
        hits = [self._hit(row, rank, queries) for rank, row in enumerate(rows, start=1)]
        self._check_ids(hits)
        return hits

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
        return OutboundError(f"service {origin(self.url)} {what}", kind="invalid")


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
