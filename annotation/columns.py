"""What other apps add to the pages of requests: columns of the list and sections of a request's
whole story.

The pages know no contract and no run: each app registers what it can say about a request.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise

from annotation.models import Person, Request


@dataclass(frozen=True)
class Column:
    """One more column of the list. `cells` gets one page of requests and returns a text for each
    primary key.
    """

    label: str | Promise
    cells: Callable[[Sequence[Request]], dict[int, str]]


@dataclass(frozen=True)
class Section:
    """One more part of a request's story. `context` returns what `template` needs, or None to show
    nothing.

    Sections stand beside answers and evidence: they are shown only to those who may see these, and
    the showing is recorded as an exposure. None shows what somebody may still retract.
    """

    label: str | Promise
    template: str
    context: Callable[[Person, Request], dict[str, Any] | None]


COLUMNS: list[Column] = []
SECTIONS: list[Section] = []


def register_column(
    label: str | Promise, cells: Callable[[Sequence[Request]], dict[int, str]]
) -> None:
    """Add a column to the list of requests; called from the `ready` of the app that owns it."""
    COLUMNS.append(Column(label, cells))


def register_section(
    label: str | Promise,
    template: str,
    context: Callable[[Person, Request], dict[str, Any] | None],
) -> None:
    """Add a section to the page of one request; called from the `ready` of the app that owns it."""
    SECTIONS.append(Section(label, template, context))
