"""What the matrix says of its rows and choices, in words."""

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from evaluation.reports.figures import grouped
from evaluation.reports.matrix.rows import (
    ALL,
    ANY_LOST,
    BY_CLASS,
    BY_KIND,
    BY_MATERIALITY,
    BY_REQUEST,
    BY_STAGE,
    DISCORDANT,
    GAINED,
    LOST_FIRST,
    NEAR_MISSED,
    NEWLY_LOST,
    OPEN,
    RowsFound,
)
from evaluation.reports.matrix.search_words import LONGEST_WORD, MOST_WORDS, is_cut

Choices = Sequence[tuple[str, str | Promise]]

LOST_CHOICES: Choices = (
    (ANY_LOST, gettext_lazy("lost")),
    (NEWLY_LOST, gettext_lazy("lost, but kept by the original")),
    (GAINED, gettext_lazy("kept, but lost by the original")),
    (DISCORDANT, gettext_lazy("discordant: kept by one of arm and original, lost by the other")),
    (OPEN, gettext_lazy("open")),
    (NEAR_MISSED, gettext_lazy("near misses: a twin's evidence came instead")),
    (ALL, gettext_lazy("all")),
)
SORTS: Choices = (
    (LOST_FIRST, gettext_lazy("requests that lost something first")),
    (BY_REQUEST, gettext_lazy("request")),
    (BY_CLASS, gettext_lazy("class")),
    (BY_KIND, gettext_lazy("kind")),
    (BY_MATERIALITY, gettext_lazy("critical first")),
    (BY_STAGE, gettext_lazy("first lost, early stages first")),
)


def found_sentence(found: RowsFound) -> str:
    """How many rows there are, of how many requests, and of what: "12 of 3,020 constraints". What
    is of unresolved requests is not scored, and counted apart, so that it agrees with the scores.
    """
    named = {"n": grouped(len(found.ids)), "requests": _requests(found.requests)}
    if found.not_scored and not found.found_not_scored:
        return _scored(found, named)
    said = ngettext(
        "%(n)s of %(total)s constraint, in %(requests)s",
        "%(n)s of %(total)s constraints, in %(requests)s",
        found.total,
    ) % {**named, "total": grouped(found.total)}
    if not found.found_not_scored:
        return said
    apart = ngettext(
        "%(n)s of them, of an unresolved request, is not scored",
        "%(n)s of them, of unresolved requests, are not scored",
        found.found_not_scored,
    ) % {"n": grouped(found.found_not_scored)}
    return f"{said} ({apart})"


def cut_sentence(query: str) -> str:
    """What of a long query is not looked for; empty where all of it is."""
    if not is_cut(query):
        return ""
    return _(
        "Looked for are the first %(words)d words, and the first %(letters)d letters of each."
    ) % {"words": MOST_WORDS, "letters": LONGEST_WORD}


def _scored(found: RowsFound, named: dict[str, str]) -> str:
    scored = found.total - found.not_scored
    said = ngettext(
        "%(n)s of %(total)s scored constraint, in %(requests)s",
        "%(n)s of %(total)s scored constraints, in %(requests)s",
        scored,
    ) % {**named, "total": grouped(scored)}
    apart = ngettext(
        "%(n)s of unresolved requests is not scored",
        "%(n)s of unresolved requests are not scored",
        found.not_scored,
    ) % {"n": grouped(found.not_scored)}
    return f"{said} ({apart})"


def _requests(n: int) -> str:
    return ngettext("%(n)s request", "%(n)s requests", n) % {"n": grouped(n)}


def without_sentence(found: RowsFound) -> str:
    """How many requests fit and have no row; empty if all have."""
    if not found.without_of:
        return ""
    said = ngettext(
        "%(n)s more request fits and has no constraint to show:",
        "%(n)s more requests fit and have no constraint to show:",
        found.without_of,
    ) % {"n": grouped(found.without_of)}
    if found.without_of > len(found.without):
        return _("%(said)s the first %(n)s are") % {"said": said, "n": len(found.without)}
    return said
