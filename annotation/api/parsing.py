"""What comes in and what goes out: JSON that can be stored as it stands, whatever Accept says."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import JSONParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from annotation.importing.json_rows import parse_cell


class StrictJSONParser(JSONParser):
    """JSON as strict as in the files: no NaN, no repeated keys, no NUL, bounded depth and sizes."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            return parse_cell(stream.read().decode("utf-8"))
        except UnicodeDecodeError as fault:
            raise ParseError("The body is not UTF-8.") from fault
        except ValueError as fault:
            raise ParseError(f"The body cannot be read: {fault}") from fault


class AlwaysJSON(BaseContentNegotiation):
    """The one renderer answers, whatever the Accept header asks for: never a page."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        content_type = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == content_type), None)

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type
