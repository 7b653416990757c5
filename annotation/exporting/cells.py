"""Cells of a CSV that no spreadsheet runs as a formula, and the way back. No Django here.

What begins with one of = + - @ TAB CR LF, also after blanks or quotation marks, gets one apostrophe
in front. A text that has an apostrophe there already gets another, so that exactly ours is removed
when the file comes back: `original(harmless(text)) == text` for every text.
"""

import json
import re
from typing import Any

_FORMULA = re.compile(r"[ '\"]*[=+\-@\t\r\n]")
_MARK = "'"


def harmless(text: str) -> str:
    """Return the cell as a spreadsheet may open it."""
    return f"{_MARK}{text}" if _FORMULA.match(text) else text


def original(cell: str) -> str:
    """Return what `harmless` was given: only its own apostrophe is taken away."""
    if cell.startswith(_MARK) and _FORMULA.match(cell, 1):
        return cell[1:]
    return cell


def cell_of(value: Any) -> str:
    """Return a value as one cell: nothing is empty, a flag is true or false, a list or an object is
    JSON.
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return harmless(value)
    return harmless(json.dumps(value, ensure_ascii=False, allow_nan=False))
