"""The files that came in, a file to bring, and the page of one import from upload to end."""

import csv
import io
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import open_project, reader
from annotation.exporting.cells import harmless
from annotation.fragments import wants_fragment
from annotation.import_forms import ChoicesForm, UploadForm
from annotation.importing.kinds import FILE_KINDS
from annotation.models import ImportJob, Project
from annotation.services import import_jobs
from annotation.services.projects import Refused
from annotation.views.import_shown import job_context, streamed

SHOWN_FILES = 20
FULL = 507


@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The files that came in and those on their way; a posted file begins an import."""
    project = open_project(request, slug, "import")
    person = reader(request)
    form = UploadForm(person, project, request.POST or None, request.FILES or None)
    if request.method != "POST":
        return _page(request, project, form)
    if not form.is_valid():
        return _page(request, project, form, 422)
    file = form.cleaned_data["file"]
    try:
        job = import_jobs.upload(
            actor=person,
            project=project,
            filename=file.name,
            stream=file,
            kind=form.cleaned_data["kind"],
            target=form.cleaned_data["arm"],
        )
        import_jobs.look(actor=person, job=job)
    except import_jobs.OnItsWay as found:
        messages.info(request, str(found))
        return redirect("import-job", slug, found.job.public_id)
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return _page(request, project, form, _status(refusal))
    return redirect("import-job", slug, job.public_id)


@require_http_methods(["GET", "HEAD", "POST"])
def import_job(request: HttpRequest, slug: str, job_id: UUID) -> HttpResponse:
    """One import: how its file is read, what a check found, how far it is, what came of it."""
    job = _own_job(request, slug, job_id)
    context = job_context(job)
    if request.method != "POST" or "form" not in context:
        return _job_page(request, context)
    form = ChoicesForm(job, context["found"], request.POST)
    if not form.is_valid():
        return _job_page(request, {**context, "form": form}, 422)
    try:
        job = import_jobs.go_on(
            actor=reader(request),
            job=job,
            kind=form.cleaned_data["kind"],
            target=form.cleaned_data.get("target", job.target),
            mapping=form.mapping(),
            act=request.POST.get("act", ""),
        )
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return _job_page(request, {**context, "form": form}, 422)
    if wants_fragment(request):
        return _job_page(request, job_context(job))
    return redirect("import-job", slug, job_id)


@require_safe
def import_progress(request: HttpRequest, slug: str, job_id: UUID) -> HttpResponse:
    """The changing part of the page; it asks for itself until the import ends."""
    job = _own_job(request, slug, job_id)
    return render(request, "annotation/_import_job.html", job_context(job))


@require_POST
def import_cancel(request: HttpRequest, slug: str, job_id: UUID) -> HttpResponse:
    """Stop the import; nothing of it is written."""
    job = import_jobs.cancel(actor=reader(request), job=_own_job(request, slug, job_id))
    if wants_fragment(request):
        return _job_page(request, job_context(job))
    return redirect("import-job", slug, job_id)


@require_POST
def import_here(request: HttpRequest, slug: str, job_id: UUID) -> StreamingHttpResponse:
    """Do now and here what no worker takes; the page tells how far it is until it ends."""
    job = _own_job(request, slug, job_id)
    return StreamingHttpResponse(streamed(request, job))


@require_safe
def import_faults(request: HttpRequest, slug: str, job_id: UUID) -> HttpResponse:
    """The faults as a CSV that a spreadsheet may open."""
    job = _own_job(request, slug, job_id)
    problems = (job.report or {}).get("problems", [])
    out = io.StringIO()
    table = csv.writer(out)
    columns = ("file", "row", "column", "code", "message")
    table.writerow(columns)
    for problem in problems:
        table.writerow([harmless(str(problem[name] or "")) for name in columns])
    response = HttpResponse(out.getvalue(), content_type="text/csv; charset=utf-8")
    name = f"{job.filename}.faults.csv"
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return response


def _own_job(request: HttpRequest, slug: str, job_id: UUID) -> ImportJob:
    project = open_project(request, slug, "import")
    try:
        return import_jobs.own_job(actor=reader(request), project=project, job_id=job_id)
    except ImportJob.DoesNotExist as nothing:
        raise Http404("There is no such import, or it is not yours.") from nothing


def _status(refusal: Refused) -> int:
    if isinstance(refusal, import_jobs.TooManyUploads):
        return 429
    return FULL if isinstance(refusal, import_jobs.NoRoom) else 422


def _job_page(request: HttpRequest, context: dict[str, object], status: int = 200) -> HttpResponse:
    name = "_import_job.html" if wants_fragment(request) else "import_job.html"
    return render(request, f"annotation/{name}", context, status=status)


def _page(
    request: HttpRequest, project: Project, form: UploadForm, status: int = 200
) -> HttpResponse:
    jobs = project.import_jobs.filter(created_by=reader(request))
    # A file that the reader may not bring is one of which they may not know that it came.
    closed = FILE_KINDS.keys() - {kind.name for kind in form.kinds}
    records = project.import_records.exclude(kind__in=closed).select_related("created_by")
    context = {
        "project": project,
        "form": form,
        "open_jobs": jobs.filter(state__in=import_jobs.OPEN),
        "records": records[:SHOWN_FILES],
    }
    return render(request, "annotation/import.html", context, status=status)
