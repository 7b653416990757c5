"""The history of a draft, for its own author: every saved change, and what it changed."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_safe

from annotation.access import open_project
from annotation.changes import Change, changes
from annotation.desk import WORK_KINDS
from annotation.models import Revision, Seat
from annotation.views.acting import seat_of

# What a save is called, by the name of its address; each app adds its own acts.
SAID: dict[str, str] = {
    "seat-undo": gettext_noop("undid a change"),
    "seat-redo": gettext_noop("took an undo back"),
    "seat-keep": gettext_noop("chose one of two versions"),
}


UNTOLD = ("id", "span")  # of a whole item: its id stands before it, its words in its value


@dataclass(frozen=True)
class ChangeShown:
    where: str
    old: str
    new: str


@dataclass(frozen=True)
class StepShown:
    """One saved version; `aside` is what a stale page wanted, which is not in force."""

    version: int
    at: datetime
    act: str
    changes: list[ChangeShown]
    aside: int | None


@require_safe
def seat_history(request: HttpRequest, slug: str, seat_id: UUID) -> HttpResponse:
    """Every change of the reader's own draft, the newest first."""
    project = open_project(request, slug, "annotate")
    seat = seat_of(request, project, seat_id)
    page = reverse(WORK_KINDS[seat.kind].page, args=[slug, seat.public_id])
    context = {
        "project": project,
        "seat": seat,
        "steps": list(_steps(seat))[::-1],
        "page": page,
    }
    return render(request, "desk/history.html", context)


def _steps(seat: Seat) -> Iterator[StepShown]:
    drafts: dict[int, dict[str, Any]] = {0: {}}
    for revision in seat.revisions.order_by("pk"):
        base = revision.version if revision.aside else revision.version - 1
        found = changes(drafts.get(base, {}), revision.draft)
        if not revision.aside:
            drafts[revision.version] = revision.draft
        yield StepShown(
            version=revision.version,
            at=revision.at,
            act=_act(revision),
            changes=[shown for shown in map(_shown, found) if shown.old != shown.new],
            aside=revision.pk if revision.aside else None,
        )


def _act(revision: Revision) -> str:
    return _(SAID[revision.act]) if revision.act in SAID else revision.act


def _shown(change: Change) -> ChangeShown:
    """A change in words: its place without the names of what only holds other things."""
    where = [part for part in change.path if part not in ("constraints", "value")]
    return ChangeShown(
        " · ".join(part.replace("_", " ") for part in where), said(change.old), said(change.new)
    )


def said(value: Any) -> str:
    """A value of a draft in words; empty where there is nothing."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, dict):
        told = {name: part for name, part in value.items() if name not in UNTOLD and part}
        parts = ((name.replace("_", " "), said(part)) for name, part in told.items())
        return ", ".join(f"{name} {words}" for name, words in parts if words)
    if isinstance(value, list):
        return "; ".join(said(part) for part in value)
    return str(value)
