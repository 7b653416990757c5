"""What the stage rows of a case say, in words: what was searched, what found a document, what an
answer cites, what each stage took. Knows no model: built from the rows' JSON.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from evaluation.models import StageResult
from evaluation.readers.sentences import split_sentences
from evaluation.records import Document, Hit
from evaluation.reports.figures import dollars, grouped, milliseconds

Content = Mapping[str, Any]
Stage = StageResult.Stage

STATUS_WORDS: Mapping[str, str | Promise] = {
    "rate_limited": gettext_lazy("turned away by its service (rate limit)"),
    "timed_out": gettext_lazy("too slow: no answer within its time"),
    "truncated": gettext_lazy("the answer was cut or could not be read"),
    "provider_error": gettext_lazy("its service failed"),
    "judge_error": gettext_lazy("its judge failed"),
    "not_run": gettext_lazy("not run"),
}
_AROUND = 1  # sentences shown before and after the one that an answer was taken from
_MOST_CITED = 600  # characters of a cited document that are shown where no sentence is known


@dataclass(frozen=True, slots=True)
class Searched:
    """One query that was sent to the search; `added`: the retriever added the original request."""

    number: int
    text: str
    added: bool


@dataclass(frozen=True, slots=True)
class Cited:
    """One document that an answer cites. `rank` is that of its hit, None if it was not retrieved.

    `sentence` is the one that the answer was taken from, or that it is, with what stands `before`
    and `after` it; without one, `before` is how the document begins.
    """

    id: str
    title: str
    rank: int | None
    before: str
    sentence: str
    after: str


@dataclass(frozen=True, slots=True)
class Took:
    """What was measured of one stage, each as text with its unit."""

    stage: str
    parts: tuple[str, ...]


def searched(found: Content, queries: Sequence[str]) -> tuple[Searched, ...]:
    """Return what was sent to the search, where that is not simply the rewrite's queries."""
    sent = found.get("searched") or ()
    return tuple(
        Searched(number, text, text not in queries) for number, text in enumerate(sent, start=1)
    )


def found_by(hit: Content, sent: int, added: frozenset[int]) -> tuple[str, ...]:
    """Return, for each list that a hit stood in, of which query it was and at which rank.

    `sent` is how many queries were searched, `added` the numbers (from 0) of those that are the
    original request. A search with one query, fused by nothing, has nothing to tell.
    """
    lists = Hit.from_json(hit).found
    if not lists and sent > 1:
        return (_query(hit.get("query", 0), added),)
    return tuple(
        _("%(query)s, rank %(rank)d in %(by)s")
        % {"query": _query(one.query, added), "rank": one.rank, "by": one.by}
        if one.by
        else _("%(query)s, rank %(rank)d") % {"query": _query(one.query, added), "rank": one.rank}
        for one in lists
    )


def cited(
    answered: Content, hits: Sequence[Content], documents: Mapping[str, Document]
) -> tuple[Cited, ...]:
    """Return what the answer cites, in the answer's order, as the documents that they are."""
    ranks = {hit["id"]: int(hit["rank"]) for hit in hits}
    text = answered.get("taken_from") or answered.get("answer") or ""
    return tuple(
        _cited(key, ranks.get(key), documents.get(key), text)
        for key in answered.get("citations") or ()
    )


def took(stages: Mapping[str, Content]) -> tuple[Took, ...]:
    """Return what each stage took, in their order, without those of which nothing was measured."""
    rows = ((stage, _parts(stages[stage])) for stage in Stage.values if stage in stages)
    return tuple(Took(str(Stage(stage).label), parts) for stage, parts in rows if parts)


def took_in_all(outcome: Content) -> tuple[Took, ...]:
    """Return what the whole case took, as the scorecard counts it; nothing if nothing is known."""
    latency, cost = outcome.get("latency_ms"), outcome.get("cost")
    parts = [milliseconds(latency)] if latency is not None else []
    parts += [dollars(cost)] if cost is not None else []
    calls = outcome.get("calls")
    parts += _calls(None if calls is None else {"made": calls})
    return (Took(_("in all"), tuple(parts)),) if parts else ()


def _query(number: int, added: frozenset[int]) -> str:
    if number in added:
        return _("the original request")
    return _("query %(n)d") % {"n": number + 1}


def _cited(key: str, rank: int | None, document: Document | None, text: str) -> Cited:
    if document is None:
        return Cited(key, "", rank, "", "", "")
    sentences = split_sentences(document.text)
    wanted = " ".join(text.split())
    if wanted not in sentences:
        begins = " ".join(document.text.split())
        shown = begins if len(begins) <= _MOST_CITED else f"{begins[: _MOST_CITED - 1]}…"
        return Cited(key, document.title, rank, shown, "", "")
    at = sentences.index(wanted)
    before = sentences[max(0, at - _AROUND) : at]
    after = sentences[at + 1 : at + 1 + _AROUND]
    return Cited(key, document.title, rank, " ".join(before), wanted, " ".join(after))


def _parts(content: Content) -> tuple[str, ...]:
    latency, cost = content.get("latency_ms"), content.get("cost_usd")
    parts = [milliseconds(latency)] if latency is not None else []
    parts += _tokens(content.get("tokens") or {})
    parts += [dollars(cost)] if cost is not None else []
    return (*parts, *_calls(content.get("calls")))


def _tokens(counts: Mapping[str, int]) -> list[str]:
    known = {
        "in": gettext_lazy("%(n)s tokens in"),
        "out": gettext_lazy("%(n)s tokens out"),
    }
    return [
        str(known.get(side, gettext_lazy("%(n)s tokens (%(side)s)")))
        % {"n": grouped(count), "side": side}
        for side, count in counts.items()
    ]


def _calls(calls: Any) -> list[str]:
    """Calls are {"made", "shared"} of a run's own, and a plain number where a run was uploaded."""
    if isinstance(calls, int):
        calls = {"made": calls}
    if not calls or not any(calls.values()):
        return []
    made, shared = calls.get("made", 0), calls.get("shared", 0)
    found = [ngettext("%(n)d call", "%(n)d calls", made) % {"n": made}]
    if shared:
        found.append(
            ngettext(
                "%(n)d reply of an equal call taken over",
                "%(n)d replies of equal calls taken over",
                shared,
            )
            % {"n": shared}
        )
    return found
