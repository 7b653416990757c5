"""Every address that the site serves, from the URL resolver itself, so that a new one is probed
without anybody remembering it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from typing import Any
from uuid import UUID

from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.exceptions import NoReverseMatch

from annotation.models import ImportJob, Person, Project, Seat

NOBODYS = UUID(int=1)  # an id that no row has
MOST = 4  # addresses of one route: own ids, others' ids, ids that nobody has
UNUSED: dict[str, Sequence[Any]] = {
    "IntConverter": (1, 2, 999_999_999),
    "UUIDConverter": (NOBODYS,),
    "SlugConverter": ("nothing", "general"),
    "StringConverter": ("nothing",),
    "KeyConverter": ("nothing",),
}


@dataclass(frozen=True)
class Route:
    """One named address: the whole pattern, and its arguments with their converters' names."""

    name: str
    pattern: str
    arguments: Mapping[str, str]

    @property
    def of_api(self) -> bool:
        return self.pattern.lstrip("^").startswith("api/")


Values = Callable[[Project, Person], Sequence[Any]]
ARGUMENTS: dict[str, Values] = {}


def register(**values: Values) -> None:
    """Say which values an argument may take in a project: what exists, the reader's own first.
    Called from the `ready` of the app that owns the rows.
    """
    ARGUMENTS.update(values)


@cache
def every_route() -> tuple[Route, ...]:
    """All routes by name. Raises ValueError for a pattern without a name: it could not be
    declared.
    """
    found = {}
    for pattern, arguments, last in _walk(get_resolver().url_patterns, "", {}):
        if not last.name:
            raise ValueError(f"The address {pattern} has no name.")
        found[last.name] = Route(last.name, pattern, arguments)
    return tuple(found.values())


def _walk(
    patterns: Sequence[URLPattern | URLResolver], prefix: str, arguments: Mapping[str, str]
) -> Iterator[tuple[str, Mapping[str, str], URLPattern]]:
    for pattern in patterns:
        own = getattr(pattern.pattern, "converters", {})
        named = {**arguments, **{name: type(c).__name__ for name, c in own.items()}}
        whole = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, whole, named)
        else:
            yield whole, named, pattern


def addresses(route: Route, project: Project, person: Person) -> list[str]:
    """The route with what the person has, with what others have, and with what nobody has."""
    if route.name == "api-nowhere":
        return ["/api/v1/nowhere/"]
    choices = [values_of(name, kind, project, person) for name, kind in route.arguments.items()]
    found = []
    for values in islice(product(*choices), MOST):
        try:
            found.append(
                reverse(route.name, kwargs=dict(zip(route.arguments, values, strict=True)))
            )
        except NoReverseMatch:  # a value of another route's argument with the same name
            continue
    return found


def values_of(name: str, converter: str, project: Project, person: Person) -> list[Any]:
    known = ARGUMENTS[name](project, person) if name in ARGUMENTS else ()
    if name == "slug":
        return list(known)
    return list(dict.fromkeys([*known, *UNUSED.get(converter, ("nothing",))]))


def _seats(project: Project, person: Person) -> list[Any]:
    seats = Seat.objects.filter(project=project).order_by("pk")
    own, others = seats.filter(holder=person), seats.exclude(holder=person)
    chosen = [*own.filter(state="held")[:1], *own.exclude(state="held")[:1], *others[:1]]
    return [seat.public_id for seat in chosen]


def _requests(project: Project, _person: Person) -> list[Any]:
    return list(project.requests.order_by("position").values_list("key", flat=True)[:2])


def _request_ids(project: Project, _person: Person) -> list[Any]:
    return list(project.requests.order_by("position").values_list("pk", flat=True)[:2])


def _jobs(project: Project, _person: Person) -> list[Any]:
    return list(ImportJob.objects.filter(project=project).values_list("public_id", flat=True)[:2])


def _people(project: Project, person: Person) -> list[Any]:
    others = project.memberships.current().exclude(person=person).order_by("pk")
    return [person.username, *others.values_list("person__username", flat=True)[:2]]


def _tokens(_project: Project, person: Person) -> list[Any]:
    return list(person.api_tokens.order_by("pk").values_list("pk", flat=True)[:1])


def _words(project: Project, _person: Person) -> list[Any]:
    return ["sheet", "sheets", "requests"]


register(
    slug=lambda project, _person: [project.slug],
    seat_id=_seats,
    key=_requests,
    request_id=_request_ids,
    job_id=_jobs,
    username=_people,
    kind=_words,
    token_id=_tokens,
)


def known_ids(project: Project) -> frozenset[str]:
    """The random ids that exist: an answer that holds another drew it itself."""
    jobs = ImportJob.objects.filter(project=project).values_list("public_id", flat=True)
    seats = Seat.objects.filter(project=project).values_list("public_id", flat=True)
    return frozenset(str(found) for found in (*seats, *jobs))
