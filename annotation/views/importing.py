from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.access import open_project, reader
from annotation.forms import ImportForm
from annotation.fragments import wants_fragment
from annotation.importing.problems import ImportRefused, Problems
from annotation.models import Project
from annotation.services.imports import ImportReport, import_file

SHOWN_FILES = 20


def import_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a file in, all of it or nothing; or only check it."""
    project = open_project(request, slug, "import")
    person = reader(request)
    form = ImportForm(person, project, request.POST or None, request.FILES or None)
    if request.method != "POST":
        return _page(request, project, form)
    if not form.is_valid():
        return _page(request, project, form, status=422)
    file = form.cleaned_data["file"]
    try:
        report = import_file(
            actor=person,
            project=project,
            kind=form.cleaned_data["kind"],
            filename=file.name,
            data=file.read(),
            target=form.cleaned_data["arm"],
            dry_run=form.cleaned_data["check_only"],
        )
    except ImportRefused as refused:
        return _page(request, project, form, problems=refused.problems, status=422)
    if wants_fragment(request) or report.dry_run:
        return _page(request, project, form, sentence=_sentence(report))
    messages.success(request, _sentence(report))
    return redirect("import", slug)


def _sentence(report: ImportReport) -> str:
    """What the import did, in one sentence."""
    words = {"file": report.filename, "rows": report.rows, "written": report.written}
    if report.already_present:
        return (
            _("%(file)s is already present: the same file was imported before. Nothing changed.")
            % words
        )
    if report.dry_run:
        return (
            ngettext(
                "%(file)s can be imported: its %(rows)d row is faultless. Nothing was written.",
                "%(file)s can be imported: its %(rows)d rows are faultless. Nothing was written.",
                report.rows,
            )
            % words
        )
    if not report.written:
        return _("The content of %(file)s is already present. Nothing changed.") % words
    return (
        ngettext(
            "%(file)s was imported: %(written)d of %(rows)d row written.",
            "%(file)s was imported: %(written)d of %(rows)d rows written.",
            report.rows,
        )
        % words
    )


def _page(
    request: HttpRequest,
    project: Project,
    form: ImportForm,
    *,
    problems: Problems | None = None,
    sentence: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "project": project,
        "form": form,
        "problems": problems,
        "sentence": sentence,
        "records": project.import_records.select_related("created_by")[:SHOWN_FILES],
    }
    template = (
        "annotation/_import_result.html" if wants_fragment(request) else "annotation/import.html"
    )
    return render(request, template, context, status=status)
