"""Words of a file that nobody has checked yet, made safe to show. No Django here."""

import re

MAX_FILENAME = 255
_PATH = re.compile(r"[/\\]")


def visible(text: str, limit: int = 80) -> str:
    """Return at most `limit` characters of the text, with everything that is invisible, steers a
    terminal or cannot be encoded written as an escape such as \\u202e.
    """
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    if cut.isprintable():
        return cut
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)


def quoted(value: object) -> str:
    """Return a value as a message quotes it: short, visible, in quotation marks."""
    return f"“{visible(str(value))}”"


def kept_filename(name: str) -> str:
    """Return the name under which a file is remembered: the last part of a path, without control
    and direction characters, at most 255 characters with its ending.

    It is only ever shown; nothing is opened or stored under it.
    """
    last = _PATH.split(name)[-1]
    clean = "".join(c if c.isprintable() else "_" for c in last).strip()
    if clean in ("", ".", ".."):
        return "file"
    if len(clean) <= MAX_FILENAME:
        return clean
    stem, dot, ending = clean.rpartition(".")
    if not dot or len(ending) > 10:
        return clean[:MAX_FILENAME]
    return stem[: MAX_FILENAME - len(ending) - 1] + dot + ending
