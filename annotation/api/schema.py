"""The OpenAPI description, from the same declarations that the checks use. No rows stand in it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.urls import get_script_prefix
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    inline_serializer,
)
from drf_spectacular.views import SpectacularJSONAPIView
from rest_framework import serializers

from annotation.api.problems import MEDIA_TYPE

if TYPE_CHECKING:
    from annotation.api.operations import Operation

_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="A text of your own, new for each write. Sent again with the same body within 24 "
    "hours it gets the same answer, and nothing is done twice.",
)
_READING = (400, 401, 403, 404)
_WRITING = (*_READING, 409, 413, 415, 422)
_SAID = {
    400: "Not well formed: an unknown filter or field, a wrong type, a broken body.",
    401: "Nobody was recognised.",
    403: "The person, or the token, may not do this.",
    404: "There is nothing here, or it is not yours to see.",
    409: "A stale draft, the same file on its way, or the first request with this key at work.",
    413: "The body is too large.",
    415: "Only the named kind of body is read.",
    422: "Refused, with the reason in a sentence.",
    429: "Too many at once: wait as long as Retry-After says.",
    507: "The server has no room.",
}


class ProblemShown(serializers.Serializer[Any]):
    """A refusal (RFC 9457)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    errors = serializers.ListField(  # type: ignore[assignment] # a field, not the faults found
        child=serializers.DictField()
    )


class StaleShown(ProblemShown):
    """A refusal; of a stale draft with both versions."""

    mine = serializers.DictField(required=False)
    theirs = serializers.DictField(required=False)


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "annotation.api.authentication.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of the page /account/tokens/.",
        }


class SchemaView(SpectacularJSONAPIView):
    """The description of the API, for whoever is logged in or has a token."""


def described(declared: "Operation") -> Callable[[Any], Any]:
    """Return the decorator that puts an operation into the schema."""
    writes = declared.verb not in ("GET", "HEAD")
    parameters: list[Any] = [declared.query] if declared.query().fields else []
    return extend_schema(
        operation_id=declared.name,
        parameters=[*parameters, *([_KEY] if writes else [])],
        request=_request(declared),
        responses={
            **_successes(declared),
            **_refusals((*(_WRITING if writes else _READING), *declared.refusals)),
        },
        tags=[declared.act_of.__module__.rpartition(".")[2]],
        extensions={"x-scope": declared.scope},
    )


def only_ours(endpoints: list[Any]) -> list[Any]:
    """Only addresses below /api/; a hook of drf-spectacular."""
    return [endpoint for endpoint in endpoints if endpoint[0].startswith("/api/")]


def finished(result: dict[str, Any], generator: Any, request: Any, public: bool) -> Any:
    """Say that bodies take no other fields, and under which path the site is served; a hook of
    drf-spectacular.
    """
    schemas = result.get("components", {}).get("schemas", {})
    for name, schema in schemas.items():
        if name.endswith("Sent"):
            schema["additionalProperties"] = False
    prefix = get_script_prefix().rstrip("/")
    if request is not None and prefix:
        result["servers"] = [{"url": prefix}]
    return result


def _request(declared: "Operation") -> Any:
    if declared.body is None:
        return None
    return {"multipart/form-data" if declared.form else "application/json": declared.body}


def _successes(declared: "Operation") -> dict[Any, Any]:
    answer: Any = declared.answer
    if declared.paged and answer is not None:
        name = f"{answer.__name__.removesuffix('Shown')}Page"
        answer = inline_serializer(
            name,
            {
                "next": serializers.URLField(allow_null=True),
                "previous": serializers.URLField(allow_null=True),
                "results": answer(many=True),
            },
        )
    if declared.file:
        kinds = (content_type.partition(";")[0] for content_type in declared.file)
        return {(declared.status, kind): OpenApiTypes.BINARY for kind in kinds}
    found: dict[Any, Any] = {declared.status: answer or OpenApiResponse(description="Done.")}
    for status, said in declared.also.items():
        empty = status == 204
        found[status] = OpenApiResponse(None if empty else answer, description=said)
    return found


def _refusals(statuses: tuple[int, ...]) -> dict[Any, Any]:
    return {
        (status, MEDIA_TYPE): OpenApiResponse(
            StaleShown if status == 409 else ProblemShown, description=_SAID[status]
        )
        for status in statuses
    }
