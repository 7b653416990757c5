"""What a file says of the sealing elsewhere: when, and which warnings its author meant."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from annotation.importing.fields import Fields

COLUMN = "sealed_at"
MAX_WARNINGS = 50
_CLOCKS_DIFFER = timedelta(days=1)
_WARNING = {"code", "words", "meant"}


def sealed_elsewhere(fields: Fields) -> datetime | None:
    """The time in the column `sealed_at`; None when the file says none. One that lies ahead is a
    fault.
    """
    sealed_at = fields.moment(COLUMN)
    if sealed_at and sealed_at > timezone.now() + _CLOCKS_DIFFER:
        fields.fault(COLUMN, "bad_time", "the time of sealing lies in the future.")
    return sealed_at


def meant_warnings(fields: Fields) -> list[dict[str, Any]]:
    """The live checks that its author answered with "I mean it", as the row keeps them."""
    warnings = fields.objects("warnings") or []
    if len(warnings) <= MAX_WARNINGS and all(_is_warning(warning) for warning in warnings):
        return warnings
    fields.fault(
        "warnings",
        "bad_warning",
        'expected warnings that were meant: {"code": "…", "words": ["…"], "meant": true}.',
    )
    return []


def _is_warning(warning: Mapping[str, Any]) -> bool:
    code, words = warning.get("code"), warning.get("words")
    return (
        set(warning) == _WARNING
        and isinstance(code, str)
        and 0 < len(code) <= 40
        and isinstance(words, list)
        and all(isinstance(word, str) for word in words)
        and warning["meant"] is True
    )
