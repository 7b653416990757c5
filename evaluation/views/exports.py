from collections.abc import Iterator
from contextlib import closing

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from evaluation.models import Run
from evaluation.reports.exports.forms import FORMS, Form
from evaluation.reports.protocol.voiding import void_said
from evaluation.views.runs import finished_run


@require_safe
def run_exports(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The files of a finished run, each with what it is for, and how to compute one again."""
    project, run = finished_run(request, slug, number)
    context = {
        "project": project,
        "run": run,
        "files": [(name, form, form.filename(run)) for name, form in FORMS.items()],
        "report": FORMS["json"].filename(run),
        "void_said": void_said(run),
    }
    return render(request, "evaluation/exports.html", context)


@require_safe
def run_export(request: HttpRequest, slug: str, number: int, form: str) -> HttpResponseBase:
    """One of the files as a download that is never whole in memory."""
    _project, run = finished_run(request, slug, number)
    known = FORMS.get(form)
    if known is None:
        raise Http404(_("There is no such file."))
    response = StreamingHttpResponse(
        _bytes(known, run, translation.get_language()), content_type=known.content_type
    )
    response["Content-Disposition"] = content_disposition_header(True, known.filename(run))
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _bytes(form: Form, run: Run, language: str | None) -> Iterator[bytes]:
    """The file in the reader's language, which is no longer active once the view has returned."""
    with closing(form.pieces(run)) as pieces:
        while True:
            with translation.override(language):
                piece = next(pieces, None)
            if piece is None:
                return
            yield piece.encode("utf-8", "replace")
