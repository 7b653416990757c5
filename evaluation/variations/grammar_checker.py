"""Harper, an offline grammar checker for English. The only place that touches it.

Only findings about grammar count: a checker that takes rare names for misspellings would find an
error in every text that has one.
"""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal

from evaluation.registry import PartError

Dialect = Literal["american", "british", "australian", "canadian", "indian"]

# Harper's kinds that are about grammar, and its rules of articles, prepositions and numbers that
# are filed under other kinds. Spelling, capitals, style and punctuation are not among them.
KINDS = frozenset({"Agreement", "Grammar"})
RULES = frozenset(
    {
        "AnA",
        "DidPast",
        "MissingDeterminer",
        "MissingPreposition",
        "MostNumber",
        "PluralWrongWordOfPhrase",
        "SimplePastToPastParticiple",
        "WillNonLemma",
    }
)
LIBRARY = "harper-py"

_MISSING = (
    "The grammar checker Harper is not installed. Run `pip install -r requirements.txt`, or set "
    'the parameter checker to "none".'
)
_ONE_AT_A_TIME = threading.Lock()  # a Linter refuses a second thread, and each takes 150 MB


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a checker finds wrong: its rule, kind, words and place in code points."""

    rule: str
    kind: str
    words: str
    start: int
    end: int
    message: str


def findings(text: str, *, dialect: Dialect = "american") -> tuple[Finding, ...]:
    """Return what Harper finds wrong with the grammar of a text, in order; spelling never counts.

    Loading takes a second, once a dialect and process. Safe from several threads. Raises PartError
    when Harper is not installed.
    """
    with _ONE_AT_A_TIME, _no_prints():
        by_rule = _linter(dialect).organized_lints(text, language="plaintext")
    found = [
        Finding(
            rule=rule,
            kind=lint.lint_kind,
            words=lint.problem_text,
            start=lint.span.start,
            end=lint.span.end,
            message=lint.message,
        )
        for rule, lints in by_rule.items()
        for lint in lints
        if lint.lint_kind in KINDS or rule in RULES
    ]
    return tuple(sorted(found, key=lambda one: (one.start, one.end, one.rule)))


def library_version() -> str:
    """Return Harper's version as a second opinion is recorded with; raise PartError without it."""
    try:
        return version(LIBRARY)
    except PackageNotFoundError as missing:
        raise PartError(_MISSING) from missing


def _linter(dialect: Dialect) -> Any:
    try:
        return _loaded(dialect)
    except ImportError as missing:
        raise PartError(_MISSING) from missing


@cache
def _loaded(dialect: Dialect) -> Any:
    # Imported on use: it takes a second and 150 MB.
    import harper

    return harper.Linter(dialect=harper.Dialect[dialect.upper()])


@contextmanager
def _no_prints() -> Iterator[None]:
    """Send what Harper's own code prints to standard error: one of its rules writes a line to
    standard output, which a command's JSON would be broken by.
    """
    try:
        sys.stdout.flush()
        kept = os.dup(1)
    except (OSError, ValueError, AttributeError):  # a process without standard output
        yield
        return
    try:
        os.dup2(2, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
