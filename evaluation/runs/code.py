"""Which code computes a result: a hash over the source files that decide it."""

import hashlib
from functools import cache
from pathlib import Path

from django.conf import settings

# Rooms whose code or word lists can change a number; pages and commands cannot.
ROOMS = (
    "annotation/canonical.py",
    "contracts/coefficients.py",
    "contracts/phrases.py",
    "contracts/terms.py",
    "contracts/values.py",
    "evaluation/constraint_judges",
    "evaluation/generation",
    "evaluation/pipelines",
    "evaluation/readers",
    "evaluation/records.py",
    "evaluation/registry.py",
    "evaluation/retrieval",
    "evaluation/rewriters",
    "evaluation/robustness",
    "evaluation/runs",
    "evaluation/scoring",
    "evaluation/statistics",
    "evaluation/suites",
    "evaluation/support",
    "evaluation/team_service.py",
    "evaluation/training",
    "evaluation/variations",
)
SUFFIXES = (".py", ".txt")


@cache
def code_sha256() -> str:
    """Return the SHA-256 over path and content of every source file that decides results."""
    root = Path(settings.BASE_DIR)
    found = hashlib.sha256()
    for room in ROOMS:
        place = root / room
        files = sorted(place.rglob("*")) if place.is_dir() else [place]
        for file in files:
            if file.suffix in SUFFIXES:
                found.update(f"{file.relative_to(root).as_posix()}\0".encode())
                found.update(file.read_bytes() + b"\0")
    return found.hexdigest()
