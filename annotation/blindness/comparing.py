"""When are two answers the same? Pure: answers in, sentences about their differences out."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from difflib import unified_diff
from email.utils import parsedate_to_datetime

SHOWN_LINES = 4  # of a body's difference
_CSRF = re.compile(
    r"(csrf[^A-Za-z0-9]{0,3}[a-z]*[^A-Za-z0-9]{1,14}(?:value[^A-Za-z0-9]{1,8})?)[A-Za-z0-9]{64}",
    re.IGNORECASE,
)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?")
_HTTP_DATE = re.compile(r"[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT")
_CLOCK = re.compile(r"(?<![\d:T.])(\d\d):(\d\d)(?::(\d\d))?(?![\d:])")
_AN_HOUR = 3600  # longer than a probe of one person takes
# Cookies whose value is drawn anew, so that only their being there can tell anything.
_DRAWN = ("csrftoken", "sessionid", "__Host-sessionid", "__Host-csrftoken")


@dataclass(frozen=True)
class Answer:
    """Everything that somebody at the other end could measure, but the clock. What it is made of is
    kept beside, and not compared: `tables` that its statements name, and which parameters of the
    query and which headers were looked up ("*" is every parameter).
    """

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    cookies: Mapping[str, str] = field(default_factory=dict)
    body: str = ""
    queries: int = 0
    tables: frozenset[str] = frozenset()
    looked_up: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Masks:
    """What differs between any two answers: `known` ids existed before, `since` is when it began.

    A moment before `since` is data and is compared; a later one is the clock. An id that is not
    known was drawn by the call itself.
    """

    known: frozenset[str]
    since: datetime

    def masked(self, text: str) -> str:
        text = _CSRF.sub(r"\1<token>", text)
        text = _UUID.sub(lambda m: m[0] if m[0] in self.known else "<new id>", text)
        text = _HTTP_DATE.sub(self._http_date, _MOMENT.sub(self._moment, text))
        return _CLOCK.sub(self._clock, text)

    def _moment(self, found: re.Match[str]) -> str:
        try:
            at = datetime.fromisoformat(found[0].replace("Z", "+00:00"))
        except ValueError:
            return found[0]
        if at.tzinfo is None:
            at = at.replace(tzinfo=self.since.tzinfo)
        return "<now>" if at >= self.since - timedelta(seconds=1) else found[0]

    def _http_date(self, found: re.Match[str]) -> str:
        try:
            at = parsedate_to_datetime(found[0])
        except ValueError:
            return found[0]
        return "<now>" if at >= self.since - timedelta(seconds=1) else found[0]

    def _clock(self, found: re.Match[str]) -> str:
        """A time of day without its date: the clock if it lies within an hour of the beginning."""
        hour, minute, second = (int(part or 0) for part in found.groups())
        begun = self.since.hour * 3600 + self.since.minute * 60
        begun += self.since.second - 1 if found[3] else 0
        since = (hour * 3600 + minute * 60 + second - begun) % 86_400
        return "<clock>" if since <= _AN_HOUR else found[0]


def cookie_shown(name: str, value: str, attributes: Mapping[str, str]) -> str:
    """A cookie as it is compared: its value unless it is drawn, and its attributes but the date."""
    kept = sorted((k, str(v)) for k, v in attributes.items() if v and k != "expires")
    return f"{'<drawn>' if name in _DRAWN else value} {kept}"


def differences(one: Answer, other: Answer, masks: Masks) -> list[str]:
    """What tells the two answers apart, each in a few words; empty when nothing does."""
    found = []
    if one.status != other.status:
        found.append(f"status: {one.status} / {other.status}")
    found += _named("header", dict(one.headers), dict(other.headers), masks)
    found += _named("cookie", one.cookies, other.cookies, masks)
    if one.queries != other.queries:
        found.append(f"queries: {one.queries} / {other.queries}")
    mine, theirs = masks.masked(one.body), masks.masked(other.body)
    if mine != theirs:
        lines = unified_diff(mine.splitlines(), theirs.splitlines(), n=0, lineterm="")
        changed = [line[:300] for line in lines if not line.startswith(("---", "+++", "@@"))]
        found.append("body: " + " ⏎ ".join(changed[:SHOWN_LINES]))
    return found


def _named(
    what: str, one: Mapping[str, str], other: Mapping[str, str], masks: Masks
) -> Collection[str]:
    return [
        f"{what} {name}: {one.get(name, '(none)')} / {other.get(name, '(none)')}"
        for name in sorted({*one, *other})
        if masks.masked(one.get(name, "\0")) != masks.masked(other.get(name, "\0"))
    ]
