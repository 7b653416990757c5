"""A LanguageTool server of the administrator's, over HTTP, as a grammar checker.

Only its categories of grammar count; its spelling rules, which take rare names for errors, do not.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from evaluation.registry import PartError
from evaluation.variations.grammar_checker import Dialect, Finding

if TYPE_CHECKING:  # the client brings its HTTP library, which most parts never need
    from evaluation.outbound import Outbound

URL = "INTACT_LANGUAGETOOL_URL"
CATEGORIES = frozenset({"GRAMMAR", "AGREEMENT"})
LANGUAGES: Mapping[Dialect, str] = {
    "american": "en-US",
    "british": "en-GB",
    "australian": "en-AU",
    "canadian": "en-CA",
    "indian": "en-GB",
}
MAX_REPLY_BYTES = 1_000_000
DEADLINE_S = 20.0


@dataclass(frozen=True, slots=True)
class Opinion:
    """What LanguageTool says of a text: its findings in grammar, and its version."""

    findings: tuple[Finding, ...]
    version: str


def address() -> str:
    """Return where texts are checked; raise PartError when INTACT_LANGUAGETOOL_URL is not set."""
    url = os.environ.get(URL, "").strip().rstrip("/")
    if not url:
        raise PartError(
            f"The checker LanguageTool needs the address of its server: set {URL}, up to and with "
            '/v2, or set the parameter checker to "harper".'
        )
    return f"{url}/check"


def check_address() -> str:
    """Return the address; raise PartError for one that may never be called. Nothing is sent."""
    from evaluation.outbound import OutboundError

    url = address()
    try:
        _client(url, *_administrators()).check(url)
    except OutboundError as fault:
        raise PartError(f"LanguageTool cannot be called: {fault}") from fault
    return url


def opinion(text: str, *, dialect: Dialect = "american") -> Opinion:
    """Return what the server finds wrong with the grammar of a text; spelling never counts.

    Raises PartError when no server is set or it may not be called, and an OutboundError (a
    sentence) when it does not answer or answers anything else than LanguageTool does.
    """
    from evaluation.outbound import RETRIES, OutboundError, origin

    url = check_address()
    reply = _client(url, *_administrators()).post_json(
        url,
        {"text": text, "language": LANGUAGES[dialect]},
        deadline_s=DEADLINE_S,
        max_bytes=MAX_REPLY_BYTES,
        retries=RETRIES,
        form=True,
    )
    try:
        return read_opinion(reply.body, text)
    except ValueError as fault:
        reply.refuse()
        raise OutboundError(f"LanguageTool at {origin(url)} {fault}.", kind="invalid") from fault


def read_opinion(body: Any, text: str) -> Opinion:
    """Return the findings of a reply to `text`; raise ValueError (a sentence without its subject)
    for anything that LanguageTool does not send. Its offsets count UTF-16 units.
    """
    if not isinstance(body, dict) or not isinstance(body.get("matches"), list):
        raise ValueError('sent no list under "matches"; is its address one of LanguageTool?')
    software = body.get("software")
    version = software.get("version") if isinstance(software, dict) else None
    if not isinstance(version, str) or not version:
        raise ValueError("did not say which version it is")
    places = _code_points(text)
    found = [
        _finding(match, number, places, text)
        for number, match in enumerate(body["matches"], start=1)
    ]
    return Opinion(tuple(one for one in found if one is not None), version)


def _finding(match: Any, number: int, places: Mapping[int, int], text: str) -> Finding | None:
    rule = match.get("rule") if isinstance(match, dict) else None
    category = rule.get("category") if isinstance(rule, dict) else None
    if not isinstance(rule, dict) or not isinstance(category, dict):
        raise ValueError(f"sent a match {number} without a rule and its category")
    name, kind, message = rule.get("id"), category.get("id"), match.get("message")
    if not (isinstance(name, str) and isinstance(kind, str) and isinstance(message, str)):
        raise ValueError(f"sent a match {number} whose rule, category or message is no text")
    offset, length = match.get("offset"), match.get("length")
    if not all(isinstance(n, int) and not isinstance(n, bool) for n in (offset, length)):
        raise ValueError(f"sent a match {number} whose place is no whole number")
    if offset not in places or offset + length not in places or length < 0:
        raise ValueError(f"sent a match {number} that lies outside the text")
    if kind not in CATEGORIES or rule.get("issueType") == "misspelling":
        return None
    start, end = places[offset], places[offset + length]
    return Finding(name, kind, text[start:end], start, end, message)


def _code_points(text: str) -> dict[int, int]:
    """Return for each offset in UTF-16 units at which a letter begins, or the text ends, that in
    code points.
    """
    found, units = {0: 0}, 0
    for place, letter in enumerate(text, start=1):
        units += 2 if ord(letter) > 0xFFFF else 1
        found[units] = place
    return found


def _administrators() -> tuple[str, str]:
    from evaluation.outbound import HOSTS, KEYS

    return os.environ.get(HOSTS, ""), os.environ.get(KEYS, "")


@lru_cache(maxsize=4)
def _client(url: str, hosts: str, keys: str) -> "Outbound":
    """Return one client for an address, so that its connections are kept."""
    from evaluation.outbound import HOSTS, KEYS, Outbound

    return Outbound.from_environment({HOSTS: hosts, KEYS: keys}, url)
