"""The shape of bodies and filters: JSON's own types, and nothing that nobody asked for."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.importing.json_rows import Fault, parse_cell
from annotation.importing.reading import MAX_CELL

MAX_INTEGER = 2**31 - 1


class Text(serializers.CharField):
    """A JSON text; numbers and the rest are no texts."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("trim_whitespace", False)
        options.setdefault("max_length", MAX_CELL)
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    """A JSON whole number from 0."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("min_value", 0)
        options.setdefault("max_value", MAX_INTEGER)
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return int(data)


class Flag(serializers.BooleanField):
    """JSON's true or false."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Choice(serializers.ChoiceField):
    """One of a few texts, written exactly so."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid_choice", input=data)
        return super().to_internal_value(data)


class Anything(serializers.DictField):
    """A JSON object whose parts are read elsewhere."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("not_a_dict", input_type=type(data).__name__)
        return dict(data)


@extend_schema_field(OpenApiTypes.BINARY)
class Upload(serializers.FileField):
    """A file of a form."""


@extend_schema_field(OpenApiTypes.STR)
class JSONText(serializers.CharField):
    """A field of a form that holds a JSON object."""

    def to_internal_value(self, data: Any) -> Any:
        try:
            found = parse_cell(super().to_internal_value(data))
        except Fault as fault:
            raise serializers.ValidationError(str(fault), "broken_json") from fault
        if not isinstance(found, dict):
            raise serializers.ValidationError("expected an object {…}.", "not_an_object")
        return found


class Sent(serializers.Serializer[Any]):
    """What somebody sends. A field that is not declared is refused, never passed on."""

    unknown_code = "unknown_field"
    unknown = "is not a field of this body; its fields are: {known}."

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            self._refuse_unknown(data)
        return super().to_internal_value(data)

    def _refuse_unknown(self, data: Mapping[str, Any]) -> None:
        known = ", ".join(self.fields) or "none"
        faults = {
            name: [
                serializers.ErrorDetail(
                    f"“{name}” " + self.unknown.format(known=known), self.unknown_code
                )
            ]
            for name in data
            if name not in self.fields
        }
        if faults:
            raise serializers.ValidationError(faults)


class Filters(Sent):
    """What may stand behind the question mark: an exact list, so that no address walks through
    relations.
    """

    unknown_code = "unknown_filter"
    unknown = "is an unknown filter; the filters here are: {known}."


class PageFilters(Filters):
    """The filters of every list."""

    cursor = serializers.CharField(
        required=False, max_length=500, help_text="From `next` or `previous` of an answer."
    )
    limit = serializers.IntegerField(required=False, min_value=1, max_value=200, default=50)


class Shown(serializers.Serializer[Any]):
    """What is answered: these fields and no others."""
