"""An exported ledger.jsonl proves itself: pure, without a database."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.canonical import content_hash

RENAMED = "person.erased"  # after one, earlier entries show another name than was hashed


class FileFault(Exception):
    """The first entry at which the file does not hold, and why, in a sentence."""


@dataclass(frozen=True)
class Checked:
    """`recomputed` of `entries` had all that their hash is taken over: none of a file under
    pseudonyms has. `head` is the hash of the last entry, or nothing.
    """

    entries: int
    recomputed: int
    head: str


def check_file(lines: Iterable[str], expected: str | None = None) -> Checked:
    """Walk the file's chain. Raises FileFault at the first entry that does not hold, or where the
    hash `expected` is not in the file.

    In a file with an erasure, entries that name the erased show another name than was hashed: one
    whose hash does not fit is then counted as not worked out, and only its place in the chain is
    checked.
    """
    entries = [_entry(line, n) for n, line in enumerate(lines, start=1) if line.strip()]
    return check_entries(entries, expected)


def check_entries(entries: Sequence[Mapping[str, Any]], expected: str | None = None) -> Checked:
    """Walk the chain of the entries of a file, as `check_file` does."""
    erased = any(entry["kind"] == RENAMED for entry in entries)
    previous, recomputed = "", 0
    for expected_number, entry in enumerate(entries, start=1):
        if entry["sequence"] != expected_number:
            found = entry["sequence"]
            raise FileFault(f"entry {expected_number} is missing; the next is {found}.")
        if entry["previous_hash"] != previous:
            raise FileFault(f"entry {expected_number} does not follow the entry before it.")
        previous = entry["hash"]
        if entry.get("project_id") is None:
            continue
        if _hash(entry) == entry["hash"]:
            recomputed += 1
        elif not erased:
            raise FileFault(
                f"entry {expected_number} ({entry['kind']}) was changed after it was written."
            )
    if expected and expected not in {entry["hash"] for entry in entries}:
        raise FileFault("the entry that you expect is missing.")
    return Checked(len(entries), recomputed, previous)


def _entry(line: str, number: int) -> dict[str, Any]:
    try:
        entry = json.loads(line)
        if isinstance(entry, dict) and {"sequence", "kind", "previous_hash", "hash"} <= set(entry):
            return entry
    except (ValueError, RecursionError):
        pass
    raise FileFault(f"line {number} is no entry of a ledger.")


def _hash(entry: Mapping[str, Any]) -> str:
    return content_hash(
        {
            "project": entry["project_id"],
            "sequence": entry["sequence"],
            "kind": entry["kind"],
            "subject": entry.get("subject"),
            "content": entry.get("content"),
            "actor": entry.get("actor_id"),
            "at": entry.get("at"),
            "previous_hash": entry["previous_hash"],
        }
    )
