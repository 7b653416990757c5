from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import open_project, reader
from annotation.exporting.kinds import EXPORT_KINDS, ExportKind, Wanted
from annotation.permissions import may
from annotation.services.exports import Export, begin_export, may_export, wanted
from annotation.services.projects import Refused

GROUPS = (
    ("back", _("Files that can be imported again")),
    ("table", _("Tables for statistics")),
    ("record", _("Records")),
)


@dataclass(frozen=True)
class _Shown:
    """One kind of file as the page lists it."""

    kind: ExportKind
    rows: int
    address: str


@require_safe
def exports(request: HttpRequest, slug: str) -> HttpResponse:
    """Every file that the reader may have: what it is for, its rows and columns."""
    project = open_project(request, slug, "export")
    person = reader(request)
    kinds = [
        kind
        for kind in EXPORT_KINDS.values()
        if may_export(person, project, kind, named=False).allowed
    ]
    shown = _shown(kinds, wanted(project, reader=person), "export")
    context = {
        "project": project,
        "groups": [
            (label, [row for row in shown if row.kind.group == group]) for group, label in GROUPS
        ],
        "some": any(row.rows for row in shown if row.kind.group != "record"),
        "annotates": may(person, "annotate", project).allowed,
        "may_name": may(person, "export_named", project).allowed,
    }
    return render(request, "annotation/exports.html", context)


@require_safe
def exports_mine(request: HttpRequest, slug: str) -> HttpResponse:
    """The reader's own work as files, and nobody else's."""
    project = open_project(request, slug, "see_project")
    kinds = [kind for kind in EXPORT_KINDS.values() if kind.for_own]
    shown = _shown(kinds, wanted(project, reader(request)), "export-mine")
    context = {
        "project": project,
        "groups": [(_("What I sealed"), shown)],
        "some": any(row.rows for row in shown),
        "mine": True,
    }
    return render(request, "annotation/exports.html", context)


@require_POST
def export(request: HttpRequest, slug: str, kind: str) -> HttpResponseBase:
    """Send one file with everybody's rows."""
    return _sent(request, slug, kind, act="export")


@require_POST
def export_mine(request: HttpRequest, slug: str, kind: str) -> HttpResponseBase:
    """Send one file with the reader's own rows."""
    return _sent(request, slug, kind, act="see_project", own=True)


def _sent(
    request: HttpRequest, slug: str, kind: str, *, act: str, own: bool = False
) -> HttpResponseBase:
    project = open_project(request, slug, act)
    known = EXPORT_KINDS.get(kind)
    if known is None or (own and not known.for_own):
        raise Http404("There is no such file.")
    try:
        file = begin_export(
            actor=reader(request),
            project=project,
            kind_name=kind,
            form=request.POST.get("format", ""),
            named=bool(request.POST.get("named")),
            own=own,
        )
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("exports-mine" if own else "exports", slug)
    return streamed(file)


def streamed(file: Export) -> StreamingHttpResponse:
    """The file as a download that is never whole in memory."""
    response = StreamingHttpResponse(file.pieces(), content_type=file.content_type)
    response["Content-Disposition"] = content_disposition_header(True, file.filename)
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _shown(kinds: Iterable[ExportKind], about: Wanted, page: str) -> list[_Shown]:
    return [_Shown(kind, kind.count(about), page) for kind in kinds]
