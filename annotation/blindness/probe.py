"""The two-world test: every call that a person may make, answered in the world as it is and in one
that differs in a hidden fact; whatever differs between both answers is a leak.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from django.core.handlers.base import BaseHandler
from django.utils import timezone

from annotation.blindness import asking, routes
from annotation.blindness.asking import FORM, JSON, Call, ask, undone
from annotation.blindness.comparing import Answer, Masks, differences
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


@dataclass(frozen=True)
class Leak:
    """One call whose two answers differ, and what tells them apart."""

    fact: str
    call: Call
    found: tuple[str, ...]


@dataclass
class Found:
    """What a probe of one person came to: `calls` tried in both worlds, of so many `routes`."""

    calls: int = 0
    routes: set[str] = field(default_factory=set)
    statuses: dict[int, int] = field(default_factory=dict)
    leaks: list[Leak] = field(default_factory=list)
    # Calls that differ from themselves within one world: nothing can be said of them.
    unsteady: list[Call] = field(default_factory=list)

    def count(self, call: Call, answer: Answer) -> None:
        self.calls += 1
        self.routes.add(call.route)
        self.statuses[answer.status] = self.statuses.get(answer.status, 0) + 1


def first_calls(project: Project, person: Person, only: Collection[str] = ()) -> Iterator[Call]:
    """Every route × address × verb, each as a browser asks; with `only`, of these routes alone."""
    for route in routes.every_route():
        if only and route.name not in only:
            continue
        for number, address in enumerate(routes.addresses(route, project, person)):
            for verb in READ if number == 0 else READ[:1]:
                yield Call(route.name, verb, address, headers={"Accept": "text/html"})
            yield from _writes(route, address, project, person, every_verb=number == 0)


def further_calls(call: Call, answer: Answer) -> Iterator[Call]:
    """What else to ask of an address: the other Accepts and htmx; where it has something to show,
    each page, filter and order; and where its answer can be kept, the question of a cache.
    """
    if call.verb != "GET" or call.query or call.headers != {"Accept": "text/html"}:
        return
    for accept in ACCEPTS[1:]:
        yield Call(call.route, "GET", call.address, headers={"Accept": accept})
    htmx = {"Accept": "text/html", "HX-Request": "true"}
    yield Call(call.route, "GET", call.address, headers=htmx)
    kept = dict(answer.headers)
    marks = {"ETag": "If-None-Match", "Last-Modified": "If-Modified-Since"}
    if asked := {marks[name]: kept[name] for name in marks if name in kept}:
        yield Call(call.route, "GET", call.address, headers=asked)
    if answer.status == HTTPStatus.OK:
        for query in QUERIES:
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
    probe itself.
    """

    project: Project
    person: Person
    masks: Masks
    handler: BaseHandler | None = None

    def both(self, call: Call, alter: Alter | None) -> tuple[Answer, Answer]:
        """The answers in the world as it is and as it is after `alter`; nothing of it stays."""
        with undone():
            session = asking.logged_in(self.person)
            before = ask(call, session, self.handler)
            if alter:
                alter()
            return before, ask(call, session, self.handler)

    def compare(self, call: Call, fact: str, alter: Alter, found: Found) -> Answer:
        """Ask in both worlds; a difference must come every time to be one."""
        told: list[str] = []
        for _tried in range(TRIES):
            before, after = self.both(call, alter)
            told = differences(before, after, self.masks)
            if not told:
                break
        found.count(call, before)
        if told and differences(*self.both(call, None), self.masks):
            found.unsteady.append(call)
        elif told:
            found.leaks.append(Leak(fact, call, tuple(told)))
        return before


def probe_of(project: Project, person: Person, handler: BaseHandler | None = None) -> Probe:
    return Probe(project, person, Masks(routes.known_ids(project), timezone.now()), handler)


def compare_worlds(
    probe: Probe, alterations: Iterable[tuple[str, Alter]], only: Collection[str] = ()
) -> Found:
    """Ask everything that the person may ask, for each alteration by its fact's name; with `only`,
    of these routes alone.
    """
    found = Found()
    asked = list(first_calls(probe.project, probe.person, only))
    for fact, alter in alterations:
        for call in asked:
            answer = probe.compare(call, fact, alter, found)
            for further in further_calls(call, answer):
                probe.compare(further, fact, alter, found)
    return found


def compare_after(probe: Probe, happens: Callable[[], Any], only: Collection[str] = ()) -> Found:
    """Ask everything, let something happen once, ask everything again: for worlds that are too
    long in the making to be made for each call. Nothing stays.
    """
    found = Found()
    with undone():
        session = asking.logged_in(probe.person)
        first = list(first_calls(probe.project, probe.person, only))
        before: list[tuple[Call, Answer]] = []
        for call in first:
            answer = ask(call, session, probe.handler)
            before.append((call, answer))
            for further in further_calls(call, answer):
                before.append((further, ask(further, session, probe.handler)))
        happens()
        for call, answer in before:
            found.count(call, answer)
            told = differences(answer, ask(call, session, probe.handler), probe.masks)
            if told:
                found.leaks.append(Leak("happened", call, tuple(told)))
    return found
