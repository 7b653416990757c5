"""What the commands that train share: how they read their files and the weights of errors."""

from pathlib import Path

from django.core.management.base import CommandError


def read_bytes(file: Path) -> bytes:
    """Return what is in a file; what keeps it from being read is a CommandError."""
    try:
        return file.read_bytes()
    except OSError as fault:
        raise CommandError(f"{file} cannot be read: {fault.strerror}.") from fault


def read_mix(text: str) -> dict[str, int]:
    """Return the weights in `spelling:3,keyboard:1`; a kind without a number has the weight 1."""
    found: dict[str, int] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        kind, colon, weight = (one.strip() for one in part.partition(":"))
        if kind in found or (colon and not weight.isdecimal()):
            raise CommandError(
                f"--mix cannot be read at “{part}”: write kinds with whole weights, each kind once,"
                " such as spelling:3,keyboard:1."
            )
        found[kind] = int(weight) if colon else 1
    return found
