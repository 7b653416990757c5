"""What went wrong, as `application/problem+json` (RFC 9457): one shape for every refusal."""

import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.core.exceptions import (
    ObjectDoesNotExist,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response

from annotation.importing.problems import ImportRefused
from annotation.services.drafts import StaleDraft
from annotation.services.import_jobs import NoRoom, OnItsWay, TooManyUploads
from annotation.services.projects import Refused
from annotation.services.reading import Unreadable
from annotation.services.rewrites import Unanswered
from annotation.views import errors as pages
from annotation.warned import shown

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
HERE = "/api/"  # below the path under which the whole site is served
TYPES = {
    400: ("invalid-request", "The request is not well formed"),
    401: ("not-authenticated", "Nobody was recognised"),
    403: ("not-allowed", "This may not be done here"),
    404: ("not-found", "There is nothing here"),
    405: ("method-not-allowed", "This verb does nothing here"),
    409: ("conflict", "Something else happened meanwhile"),
    413: ("too-large", "The body is too large"),
    415: ("unsupported-media-type", "This kind of body is not read here"),
    422: ("refused", "The rules do not allow this"),
    429: ("too-many", "Too many requests"),
    507: ("no-room", "The server has no room"),
    500: ("fault", "A fault of ours"),
}


class Problem(Exception):
    """A refusal that only the API knows; `more` are further members of its JSON."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        kind: str = "",
        errors: Sequence[Mapping[str, Any]] = (),
        headers: Mapping[str, str] | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status, self.detail, self.kind = status, detail, kind
        self.errors, self.headers, self.more = list(errors), dict(headers or {}), dict(more or {})

    def to_json(self) -> dict[str, Any]:
        kind, title = TYPES.get(self.status, ("refused", "The request was refused"))
        return {
            "type": f"urn:intact:problem:{self.kind or kind}",
            "title": title,
            "status": self.status,
            "detail": self.detail,
            "errors": self.errors,
            **self.more,
        }


def answer_problem(exc: Exception, context: Mapping[str, Any]) -> Response | None:
    """Answer for an exception of a view; None for a fault of ours, which is logged and told by
    `server_error`.
    """
    problem = exc if isinstance(exc, Problem) else _problem_of(exc)
    if problem is None:
        return None
    return Response(
        problem.to_json(),
        status=problem.status,
        headers=problem.headers,
        content_type=MEDIA_TYPE,
    )


def _problem_of(exc: Exception) -> Problem | None:
    for kind, told in _TOLD.items():
        if isinstance(exc, kind):
            return told(exc)
    return None


def _not_found(exc: Any) -> Problem:
    """The same words for what does not exist and for what is somebody else's."""
    return Problem(404, _("There is nothing at this address, or it is not yours to see."))


def _stale(exc: StaleDraft) -> Problem:
    seat = exc.aside.seat
    seat.refresh_from_db()
    return Problem(
        409,
        _("The draft was changed elsewhere since this version: both are kept, choose."),
        kind="stale-draft",
        more={
            "mine": {"version": exc.aside.version, "draft": exc.aside.draft},
            "theirs": {"version": seat.draft_version, "draft": seat.draft},
        },
    )


def _refused(exc: Refused) -> Problem:
    lines = str(exc).splitlines() or [_("This is refused.")]
    errors = [{"pointer": "", "code": "refused", "message": line} for line in lines]
    return Problem(422, lines[0] if len(lines) == 1 else " ".join(lines), errors=errors)


def _unanswered(exc: Unanswered) -> Problem:
    """Each warning with the code that a draft names in `meant` to say that it is meant."""
    errors = [
        {"pointer": "/draft/meant", "code": warning.code, "message": str(shown(warning))}
        for warning in exc.warnings
    ]
    return Problem(422, " ".join(str(exc).splitlines()), kind="warnings", errors=errors)


def _on_its_way(exc: OnItsWay) -> Problem:
    return Problem(409, str(exc), kind="on-its-way", more={"job": str(exc.job.public_id)})


def _too_many_uploads(exc: TooManyUploads) -> Problem:
    return Problem(429, str(exc), headers={"Retry-After": "60"})


def _unreadable(exc: Unreadable) -> Problem:
    errors = [fault.to_json() for fault in exc.faults]
    return Problem(422, str(exc), kind="unreadable-draft", errors=errors)


def _file_refused(exc: ImportRefused) -> Problem:
    shown, total = exc.problems.to_json(), exc.problems.total
    detail = _("The file has %(count)d faults; nothing of it was written.") % {"count": total}
    return Problem(422, detail, kind="file-refused", errors=shown, more={"total": total})


def _invalid(exc: exceptions.ValidationError) -> Problem:
    errors = [
        {"pointer": pointer, "code": code, "message": message}
        for pointer, code, message in flattened(exc.get_full_details())
    ]
    return Problem(400, _("The body does not have the shape that is read here."), errors=errors)


def flattened(details: Any, pointer: str = "") -> list[tuple[str, str, str]]:
    """Return (JSON pointer, code, message) for every fault of a serializer."""
    if isinstance(details, Mapping) and set(details) == {"message", "code"}:
        return [(pointer, str(details["code"]), str(details["message"]))]
    if isinstance(details, Mapping):
        return [
            fault
            for name, part in details.items()
            for fault in flattened(
                part, pointer if name == "non_field_errors" else f"{pointer}/{escaped(str(name))}"
            )
        ]
    return [fault for part in details for fault in flattened(part, pointer)]


def escaped(name: str) -> str:
    """One step of a JSON pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")


def _unauthenticated(exc: Any) -> Problem:
    known = isinstance(exc, exceptions.AuthenticationFailed)
    detail = str(exc.detail) if known else _("Log in, or send a token: Authorization: Bearer …")
    headers = {"WWW-Authenticate": str(exc.auth_header)} if hasattr(exc, "auth_header") else {}
    return Problem(401, detail, headers=headers)


def _denied(exc: Any) -> Problem:
    return Problem(403, str(exc) or _("You may not do this here."))


def _wait(exc: exceptions.Throttled) -> Problem:
    wait = str(int(getattr(exc, "wait", None) or 1))
    detail = _("Too many requests: wait %(seconds)s seconds.") % {"seconds": wait}
    return Problem(429, detail, headers={"Retry-After": wait})


def _other(exc: exceptions.APIException) -> Problem:
    return Problem(exc.status_code, str(exc.detail))


_TOLD: dict[type[Exception], Callable[[Any], Problem]] = {
    StaleDraft: _stale,
    TooManyUploads: _too_many_uploads,
    NoRoom: lambda exc: Problem(507, str(exc)),
    Unreadable: _unreadable,
    ImportRefused: _file_refused,
    Unanswered: _unanswered,
    OnItsWay: _on_its_way,
    Refused: _refused,
    exceptions.ValidationError: _invalid,
    exceptions.NotAuthenticated: _unauthenticated,
    exceptions.AuthenticationFailed: _unauthenticated,
    exceptions.PermissionDenied: _denied,
    PermissionDenied: _denied,
    exceptions.Throttled: _wait,
    exceptions.NotFound: _not_found,
    Http404: _not_found,
    ObjectDoesNotExist: _not_found,
    exceptions.APIException: _other,
    RequestDataTooBig: lambda exc: Problem(413, _("The body is too large.")),
    SuspiciousOperation: lambda exc: Problem(400, _("The request cannot be read.")),
}


class ProblemsMiddleware:
    """Below /api/, refusals that Django itself words as a page leave as problems too."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        status = response.status_code
        if status < 400 or not request.path_info.startswith(HERE):
            return response
        if "json" in response.get("Content-Type", ""):
            return response
        detail = _("There is nothing at this address, or it is not yours to see.")
        problem = Problem(status, detail if status == 404 else _("The request cannot be read."))
        return _as_response(problem, response.headers)


def server_error(request: HttpRequest) -> HttpResponse:
    """A fault of ours: a page, or below /api/ a problem, with the number under which the log has
    the whole story.
    """
    if not request.path_info.startswith(HERE):
        return pages.server_error(request)
    number = secrets.token_hex(4)
    logger.exception("fault %s on %s", number, request.path)
    detail = _("This is a fault of ours. The log has it under %(number)s.") % {"number": number}
    return _as_response(Problem(500, detail, more={"number": number}), {})


def _as_response(problem: Problem, headers: Mapping[str, str]) -> HttpResponse:
    response = JsonResponse(problem.to_json(), status=problem.status, content_type=MEDIA_TYPE)
    for name in ("Allow", "Retry-After", "Vary", "Cache-Control"):
        if name in headers:
            response[name] = headers[name]
    return response
