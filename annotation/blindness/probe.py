"""The two-world test: every call that a person may make, answered in the world as it is and in one
that differs in a hidden fact; whatever differs between both answers is a leak.
"""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from django.core.handlers.base import BaseHandler
from django.utils import timezone

from annotation.blindness import asking, routes
from annotation.blindness.asking import FORM, JSON, Call, ask, undone, watched_writes
from annotation.blindness.comparing import Answer, Masks, differences
from annotation.blindness.watching import EVERYTHING, header
from annotation.models import Person, Project, Seat

READ = ("GET", "HEAD", "OPTIONS")
WRITE = ("POST", "PUT", "PATCH", "DELETE")
ACCEPTS = ("text/html", "application/json", "*/*")
# What a page or a list might be asked for; most is refused or left unread, in both worlds alike.
QUERIES = (
    "page=2", "limit=1", "offset=1", "state=held", "state=submitted", "kind=sheet",
    "kind=standalone", "class=follow-up", "q=the", "order=updated_at", "ordering=-updated_at",
    "sort=-sealed_at", "annotated_count=1", "has_disagreement=1", "label=time", "expand=all",
    "fields=annotations", "include=history", "arm=cand", "format=csv", "named=1", "open=1",
)  # fmt: skip
TRIES = 3  # a difference that does not come again was the clock
MOST = 200  # differences, after which nothing further is asked
EVERY_NAME = frozenset({EVERYTHING, header("Accept"), header("HX-Request")})
BATCH_SECONDS = 0.25  # of asking in one transaction, before the same is asked in the other world


@dataclass(frozen=True)
class Leak:
    """One call whose two answers differ, and what tells them apart."""

    fact: str
    call: Call
    found: tuple[str, ...]


@dataclass
class Found:
    """What a probe of one person came to: `calls` tried, of so many `routes`. Of them `read` looked
    at a table in which something was altered: these were asked in both worlds; the others cannot
    tell the worlds apart.
    """

    calls: int = 0
    read: int = 0
    routes: set[str] = field(default_factory=set)
    statuses: dict[int, int] = field(default_factory=dict)
    leaks: list[Leak] = field(default_factory=list)
    # Calls that differ from themselves within one world: nothing can be said of them.
    unsteady: list[Call] = field(default_factory=list)

    def add(self, pair: "Pair") -> None:
        self.calls += 1
        self.read += pair.other is not None
        self.routes.add(pair.call.route)
        status = pair.one.status
        self.statuses[status] = self.statuses.get(status, 0) + 1


def first_calls(project: Project, person: Person, only: Collection[str] = ()) -> Iterator[Call]:
    """Every route × address × verb, each as a browser asks; with `only`, of these routes alone."""
    for route in routes.every_route():
        if only and route.name not in only:
            continue
        for number, address in enumerate(routes.addresses(route, project, person)):
            for verb in READ if number == 0 else READ[:1]:
                yield Call(route.name, verb, address, headers={"Accept": "text/html"})
            yield from _writes(route, address, project, person, every_verb=number == 0)


def further_calls(call: Call, answer: Answer, *, sparing: bool = True) -> Iterator[Call]:
    """What else to ask of an address: the other Accepts and htmx; where it has something to show,
    each page, filter and order; where its answer can be kept, the question of a cache. A header or
    a parameter that nothing looked for changes no answer, and is not tried when `sparing`.
    """
    looked_up = answer.looked_up if sparing else EVERY_NAME
    if call.verb != "GET" or call.query or call.headers != {"Accept": "text/html"}:
        return
    if header("Accept") in looked_up:
        for accept in ACCEPTS[1:]:
            yield Call(call.route, "GET", call.address, headers={"Accept": accept})
    if header("HX-Request") in looked_up:
        htmx = {"Accept": "text/html", "HX-Request": "true"}
        yield Call(call.route, "GET", call.address, headers=htmx)
        again = {**htmx, "HX-History-Restore-Request": "true"}
        yield Call(call.route, "GET", call.address, headers=again)
    kept = dict(answer.headers)
    marks = {"ETag": "If-None-Match", "Last-Modified": "If-Modified-Since"}
    if asked := {marks[name]: kept[name] for name in marks if name in kept}:
        yield Call(call.route, "GET", call.address, headers=asked)
    if answer.status == HTTPStatus.OK:
        for query in QUERIES:
            if {query.partition("=")[0], EVERYTHING} & looked_up:
                yield Call(call.route, "GET", call.address, query, {"Accept": "*/*"})


def _writes(
    route: routes.Route, address: str, project: Project, person: Person, *, every_verb: bool
) -> Iterator[Call]:
    kind = JSON if route.of_api else FORM
    accept = {"Accept": JSON if route.of_api else "text/html"}
    for verb in WRITE if every_verb else WRITE[:1]:
        yield Call(route.name, verb, address, "", accept, {}, kind)
    form = _form(address, project, person)
    if route.of_api:
        yield Call(route.name, "POST", address, "", accept, {"version": form["version"]}, kind)
        return
    yield Call(route.name, "POST", address, "", {**accept, "HX-Request": "true"}, form)


def _form(address: str, project: Project, person: Person) -> dict[str, Any]:
    """The fields that the site's forms have, all in one: a page reads its own."""
    own = Seat.objects.filter(project=project, holder=person).order_by("pk")
    here = next((s for s in own if str(s.public_id) in address), None)
    return {
        "version": here.draft_version if here else 0,
        "seat": str(here.public_id) if here else "",
        "reason": "not my field",
        "text": "How did it end?",
        "unresolved": "on",
        "reading": "one",
        "kind": "sheet",
        "roles": "annotator",
        "name": project.name,
        "outcome": "stated",
        "take": "a",
        "all": "1",
    }


Alter = Callable[[], Any]


@dataclass(frozen=True)
class Probe:
    """A person whose calls are compared. `handler` is another than the site's own in tests of the
    probe itself. `sparing` leaves out what cannot tell: a second answer where nothing altered was
    read, a parameter or header that nothing looked up; without it everything is asked.
    """

    project: Project
    person: Person
    masks: Masks
    handler: BaseHandler | None = None
    sparing: bool = True

    def both(self, call: Call, alter: Alter | None) -> tuple[Answer, Answer]:
        """The answers in the world as it is and as it is after `alter`; nothing of it stays."""
        with undone():
            session = asking.logged_in(self.person)
            before = ask(call, session, self.handler)
            if alter:
                alter()
            return before, ask(call, session, self.handler)

    def batch(self, calls: Iterator[Call], alter: Alter, seconds: float) -> list["Pair"]:
        """Take calls for so many seconds, with all that follows from their answers, and ask each in
        both worlds. One transaction, which is rolled back.
        """
        with undone():
            session = asking.logged_in(self.person)
            before, began = list[tuple[Call, Answer]](), time.monotonic()
            for call in calls:
                before += self._with_further(call, session)
                if time.monotonic() - began > seconds:
                    break
            with watched_writes() as altered:
                alter()
            return self._again(before, session, altered)

    def _with_further(self, call: Call, session: str) -> list[tuple[Call, Answer]]:
        answer = ask(call, session, self.handler)
        further = further_calls(call, answer, sparing=self.sparing)
        return [(call, answer), *((one, ask(one, session, self.handler)) for one in further)]

    def _again(
        self, before: list[tuple[Call, Answer]], session: str, altered: Collection[str]
    ) -> list["Pair"]:
        """Ask once more whatever read a table that was altered."""
        return [
            Pair(call, one, ask(call, session, self.handler))
            if not self.sparing or one.tables.intersection(altered)
            else Pair(call, one, None)
            for call, one in before
        ]

    def is_steady(self, call: Call, alter: Alter | None) -> bool:
        """Whether the difference comes every time; without `alter`, whether one ever comes."""
        tries = TRIES - 1 if alter else 1
        return all(differences(*self.both(call, alter), self.masks) for _tried in range(tries))


@dataclass(frozen=True)
class Pair:
    """A call, its answer, and its answer in the other world; None where it read nothing of what was
    altered.
    """

    call: Call
    one: Answer
    other: Answer | None

    def told(self, masks: Masks) -> list[str]:
        return differences(self.one, self.other, masks) if self.other else []


Alterations = Sequence[tuple[str, Alter]]


def probe_of(
    project: Project,
    person: Person,
    handler: BaseHandler | None = None,
    *,
    sparing: bool = True,
) -> Probe:
    masks = Masks(routes.known_ids(project), timezone.now())
    return Probe(project, person, masks, handler, sparing)


def compare_worlds(
    probe: Probe,
    alterations: Alterations,
    only: Collection[str] = (),
    *,
    most: int = MOST,
    seconds: float = BATCH_SECONDS,
) -> Found:
    """Ask everything that the person may ask, with all facts altered at once; with `only`, of these
    routes alone. Whatever differs is asked again for each fact by its name. `seconds` of asking are
    one transaction: few where others wait for it.
    """
    found = Found()
    calls = first_calls(probe.project, probe.person, only)

    def alter() -> None:
        for _fact, one in alterations:
            one()

    while len(found.leaks) < most and (pairs := probe.batch(calls, alter, seconds)):
        for pair in pairs:
            found.add(pair)
            if len(found.leaks) < most and (told := pair.told(probe.masks)):
                _look_closer(probe, pair.call, told, alterations, alter, found)
    return found


def _look_closer(
    probe: Probe,
    call: Call,
    told: Sequence[str],
    alterations: Alterations,
    alter: Alter,
    found: Found,
) -> None:
    """A difference was seen once: is it one each time, and which fact tells?"""
    if not probe.is_steady(call, alter):
        return
    if probe.is_steady(call, None):
        found.unsteady.append(call)
        return
    facts = [name for name, one in alterations if differences(*probe.both(call, one), probe.masks)]
    found.leaks.append(Leak(", ".join(facts) or "together", call, tuple(told)))


def compare_after(probe: Probe, happens: Callable[[], Any], only: Collection[str] = ()) -> Found:
    """Ask everything, let something happen once, ask everything again: for worlds that are too
    long in the making to be made for each call. Nothing stays.
    """
    found = Found()
    with undone():
        session = asking.logged_in(probe.person)
        before: list[tuple[Call, Answer]] = []
        for call in list(first_calls(probe.project, probe.person, only)):
            before += probe._with_further(call, session)
        with watched_writes() as altered:
            happens()
        for pair in probe._again(before, session, altered):
            found.add(pair)
            if told := pair.told(probe.masks):
                found.leaks.append(Leak("happened", pair.call, tuple(told)))
    return found
