"""One operation of the API: declared in one place, and from that its checks, its answer and its
line in the schema.

An operation says its verb, the scope that a token needs, the act that its person needs in the
project, the filters and the body that it reads, and what it answers. Its function is called with a
`Call` when all of that holds; it calls one service and returns what is to be shown.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast
from uuid import UUID, uuid5

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.access import open_project
from annotation.api.fields import Filters, PageFilters, Sent, Shown
from annotation.api.idempotency import fingerprint_of, key_of, once
from annotation.api.pagination import Page, page_of
from annotation.api.parsing import StrictJSONParser
from annotation.api.problems import Problem, answer_problem, flattened
from annotation.api.schema import described
from annotation.models import ApiToken, Person, Project
from annotation.services import drafts

WRITES = ("POST", "PUT", "PATCH", "DELETE")
_DRAFT_KEYS = UUID("5a3f0a1e-3a55-4c57-9d5b-4d6f0f6c2f11")  # any fixed one: makes UUIDs of keys


class Nothing(Sent):
    """An empty body."""


@dataclass(frozen=True)
class Call:
    """A request that passed every check: who asks and what they sent."""

    http: Request
    person: Person
    query: dict[str, Any]
    body: dict[str, Any]
    key: str = ""
    fingerprint: str = ""
    within: Project | None = None

    @property
    def project(self) -> Project:
        """The project of an operation that declared an act."""
        if self.within is None:
            raise LookupError("This operation declares no act, so it has no project.")
        return self.within

    def sent(self, act: str) -> drafts.Sent:
        """Which draft the program read, and the key of this save, as a page would say it."""
        key = uuid5(_DRAFT_KEYS, self.key) if self.key else None
        return drafts.Sent(self.body["version"], key, self.fingerprint, act)

    def page(self, rows: Any, *order: str, newest: bool = False) -> Page:
        return page_of(self.http, self.query, rows, *order, newest=newest)


@dataclass(frozen=True)
class Answer:
    """What is shown with a status other than the operation's own; None shows nothing."""

    shown: Any
    status: int


@dataclass(frozen=True)
class Operation:
    verb: str
    act_of: Callable[..., Any]
    scope: str
    act: str | None = None
    query: type[Filters] = Filters
    body: type[Sent] | None = None
    answer: type[Shown] | None = None
    paged: bool = False
    status: int = 200
    also: dict[int, str] = field(default_factory=dict)  # further statuses, and what they mean
    form: bool = False
    refusals: tuple[int, ...] = ()  # further refusals that it may answer
    file: tuple[str, ...] = ()  # the kinds of content of a file that is answered

    @property
    def name(self) -> str:
        return self.act_of.__name__


def operation(
    verb: str, *, scope: str, **declared: Any
) -> Callable[[Callable[..., Any]], Operation]:
    """Make an operation of a function: `@operation("GET", scope="read", answer=ProjectShown)`."""

    def make(act_of: Callable[..., Any]) -> Operation:
        if declared.get("paged"):
            declared.setdefault("query", PageFilters)
        return Operation(verb, act_of, scope, **declared)

    return make


class Resource(APIView):
    """The view of one address; its operations were declared with `operation`."""

    http_method_names = ["get", "head", "post", "put", "patch", "delete"]
    operations: ClassVar[dict[str, Operation]] = {}

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        patch_vary_headers(response, ["Authorization"])
        return super().finalize_response(request, response, *args, **kwargs)

    def answered(self, declared: Operation, request: Request, kwargs: dict[str, Any]) -> Any:
        _scope_holds(request, declared.scope)
        if declared.verb not in WRITES:
            return _done(declared, request, kwargs, "", "")
        key, fingerprint = key_of(request), fingerprint_of(request)
        return once(
            person=cast(Person, request.user),
            key=key,
            fingerprint=fingerprint,
            act=lambda: self._told(declared, request, kwargs, key, fingerprint),
        )

    def _told(
        self, declared: Operation, request: Request, kwargs: Any, key: str, fingerprint: str
    ) -> Response:
        """The answer, a refusal included: both are what the key stands for."""
        try:
            return _done(declared, request, kwargs, key, fingerprint)
        except Exception as refusal:
            response = answer_problem(refusal, {})
            if response is None:
                raise
            return response


def resource(*operations: Operation) -> Callable[..., HttpResponseBase]:
    """Return the view of one address from its operations, one for each verb."""
    members: dict[str, Any] = {"operations": {o.verb: o for o in operations}}
    if any(o.form for o in operations):
        members["parser_classes"] = [MultiPartParser]
    else:
        members["parser_classes"] = [StrictJSONParser]
    for declared in operations:
        members[declared.verb.lower()] = _method(declared)
    return type("Resource", (Resource,), members).as_view()  # type: ignore[attr-defined, no-any-return]


def _method(declared: Operation) -> Callable[..., Any]:
    def method(self: Resource, request: Request, **kwargs: Any) -> Any:
        return self.answered(declared, request, kwargs)

    method.__name__, method.__doc__ = declared.verb.lower(), declared.act_of.__doc__
    described(declared)(method)
    return method


def _scope_holds(request: Request, scope: str) -> None:
    """A session may do what its person may; a token only what its scopes say besides."""
    if isinstance(request.auth, ApiToken) and scope not in request.auth.scopes:
        raise Problem(
            403,
            _("This token may not do that: it lacks the scope “%(scope)s”.") % {"scope": scope},
            kind="scope-missing",
        )


def _done(
    declared: Operation, request: Request, kwargs: dict[str, Any], key: str, fingerprint: str
) -> Response:
    query, body = _filters(declared, request), _body(declared, request)
    rest = dict(kwargs)
    project = None
    if declared.act is not None:
        project = open_project(cast(HttpRequest, request), rest.pop("slug"), declared.act)
    call = Call(request, cast(Person, request.user), query, body, key, fingerprint, project)
    found = declared.act_of(call, **rest)
    if isinstance(found, HttpResponseBase):
        return cast(Response, found)
    answer = found if isinstance(found, Answer) else Answer(found, declared.status)
    return Response(_shown(declared, answer.shown), status=answer.status)


def _filters(declared: Operation, request: Request) -> dict[str, Any]:
    sent = request.query_params
    errors = [
        {"parameter": name, "code": "repeated", "message": _("Give it once.")}
        for name, values in sent.lists()
        if len(values) > 1
    ]
    read = declared.query(data=sent.dict())
    if not read.is_valid():
        faults = exceptions.ValidationError(read.errors).get_full_details()
        errors += [
            {"parameter": pointer.lstrip("/"), "code": code, "message": message}
            for pointer, code, message in flattened(faults)
        ]
    if errors:
        unknown = any(error["code"] == "unknown_filter" for error in errors)
        said = _("unknown filter") if unknown else _("a filter cannot be read")
        detail = f"{said}: " + ", ".join(sorted({error["parameter"] for error in errors}))
        raise Problem(400, detail, kind="unknown-filter" if unknown else "", errors=errors)
    return dict(read.validated_data)


def _body(declared: Operation, request: Request) -> dict[str, Any]:
    if declared.verb not in WRITES:
        return {}
    read = (declared.body or Nothing)(data=request.data)
    read.is_valid(raise_exception=True)
    return dict(read.validated_data)


def _shown(declared: Operation, found: Any) -> Any:
    if found is None or declared.answer is None:
        return None
    if isinstance(found, Page):
        results = declared.answer(found.results, many=True).data
        return {"next": found.next, "previous": found.previous, "results": results}
    return declared.answer(found).data


class Nowhere(APIView):
    """Every address below /api/ that is none: 401 to nobody, 404 to everybody else."""

    schema: Any = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise Http404
