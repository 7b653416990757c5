"""A team's own reader behind an address: question and passages are posted, an answer comes back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.readers.base import Passage, Reader, ReaderError, register
from evaluation.records import Answer
from evaluation.rewriters._replies import check_storable
from evaluation.team_service import (
    OwnError,
    ServiceParameters,
    ServicePart,
    cost_in,
    raw_of,
    tokens_in,
)

URL = "INTACT_READER_URL"

# With these the service did not get as far as the question: set up wrongly, unpaid or overloaded.
_NOT_REACHED = (401, 402, 403, 404, 405, 408, 429)
# With the others below 500 it judges the question: its own errors, which no second call would mend.
_ITS_OWN = frozenset(range(400, 500)) - frozenset(_NOT_REACHED)
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class HttpParameters(ServiceParameters):
    """Which service, and how long it may take.

    `url`: its address; empty takes the one in INTACT_READER_URL. No key belongs into it.
    """


@register("http", version="1")
class HttpReader(ServicePart, Reader):
    """A reader of your own, asked over HTTP for each question.

    Posted is `{"question", "passages": [{"id", "title", "text", "rank", "score"}]}`: the question
    as it was searched, and the passages within the run's budget, best first; without passages an
    empty list. Back comes `{"answer", "citations", "tokens", "cost_usd"}`: the answer as a text, or
    null when it abstains, and the ids of the passages that it rests on. Only `answer` must be
    there; other fields are left alone. What is posted names no request, so that arms which retrieve
    the same share the call.

    A reply that is none of that, a citation of a document that was not among the passages, and a
    status such as 400 or 422 are the reader's own errors and never an abstention. A service that
    cannot be reached, fails (5xx) or asks for patience (408, 429) is asked again while `deadline_s`
    allows; in the end, or when it is too slow, the case is left to be tried again.

    Only public addresses are called, and those that the administrator lists in
    INTACT_OUTBOUND_HOSTS; a key comes from INTACT_OUTBOUND_KEYS.
    """

    Parameters = HttpParameters
    parameters: HttpParameters
    noun = "reader"
    url_setting = URL

    def read(self, question: str, passages: Sequence[Passage]) -> Answer:
        try:
            reply = self.ask(sent(question, passages), its_own=_ITS_OWN)
        except OwnError as fault:
            raise ReaderError(str(fault)) from fault
        try:
            return read_reply(reply.body, passages, latency_ms=reply.latency_ms)
        except ValueError as fault:
            reply.refuse()
            own = ReaderError(str(fault), raw=raw_of(reply.body))
            own.latency_ms = reply.latency_ms
            raise own from fault


def sent(question: str, passages: Sequence[Passage]) -> dict[str, Any]:
    """Return what is posted: no class, no answers and no required evidence."""
    return {
        "question": question,
        "passages": [
            {
                "id": hit.id,
                "title": document.title,
                "text": document.text,
                "rank": hit.rank,
                "score": hit.score,
            }
            for hit, document in passages
        ],
    }


def read_reply(
    reply: Any, passages: Sequence[Passage], *, latency_ms: float | None = None
) -> Answer:
    """Return the answer in a service's reply; raise ValueError (a sentence) when there is none."""
    if not isinstance(reply, dict):
        raise ValueError("the service's reply is no JSON object")
    check_storable(reply)
    if "answer" not in reply:
        raise ValueError("the service's reply has no answer; null says that it abstained")
    text = reply["answer"]
    if text is not None and (not isinstance(text, str) or not text.strip()):
        raise ValueError(
            "answer of the service's reply is no text with words; null says that it abstained"
        )
    citations = _citations(reply, {hit.id for hit, _ in passages})
    return Answer(
        text=text.strip() if text is not None else None,
        citations=citations if text is not None else (),
        latency_ms=latency_ms,
        tokens=tokens_in(reply),
        cost_usd=cost_in(reply),
    )


def _citations(reply: dict[str, Any], known: set[str]) -> tuple[str, ...]:
    """Return the ids that the reply cites, each once, in its order."""
    given = reply.get("citations")
    given = [] if given is None else given
    if not isinstance(given, list) or not all(isinstance(key, str) for key in given):
        raise ValueError("citations of the service's reply are no list of ids")
    unknown = list(dict.fromkeys(key for key in given if key not in known))
    if unknown:
        shown = ", ".join(f"“{key[:80]}”" for key in unknown[:_SHOWN])
        more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
        raise ValueError(f"the service cites what was not among its passages: {shown}{more}")
    return tuple(dict.fromkeys(given))
