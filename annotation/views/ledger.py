from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access import open_project, reader
from annotation.erased import ErasedNames
from annotation.services.ledger import first_broken
from annotation.views.paging import page_of
from annotation.withheld_entries import shown_ledger

CHECKED = 2_000  # entries that a view of the page walks; the command walks all


@require_safe
def ledger_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Every sealing, the newest first, and whether the chain of their hashes holds."""
    project = open_project(request, slug, "see_ledger")
    shown = shown_ledger(reader=reader(request), project=project)
    entries = shown.entries.select_related("actor").order_by("-sequence")
    page, names = page_of(request, entries), ErasedNames(project)
    context = {
        "project": project,
        "page": page,
        "entries": [(entry, names.subject_of(entry)) for entry in page],
        "broken": first_broken(project, newest=CHECKED),
        "unchecked": shown.whole and page.paginator.count > CHECKED,
        "checked": CHECKED,
        "annotates": shown.annotates,
        "whole": shown.whole,
    }
    return render(request, "annotation/ledger.html", context)
