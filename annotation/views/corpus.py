from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotation.access import open_project
from annotation.models import Corpus
from annotation.views.paging import page_of


@require_safe
def corpus(request: HttpRequest, slug: str, version: int | None = None) -> HttpResponse:
    """The documents of a corpus, the newest version unless another is asked for."""
    project = open_project(request, slug, "see_corpus")
    shown = (
        Corpus.objects.latest_of(project)
        if version is None
        else get_object_or_404(project.corpora, version=version)
    )
    context = {
        "project": project,
        "corpus": shown,
        "versions": project.corpora.order_by("-version"),
        "page": page_of(request, shown.documents.order_by("position")) if shown else None,
    }
    return render(request, "annotation/corpus.html", context)


@require_safe
def document(request: HttpRequest, slug: str, version: int, key: str) -> HttpResponse:
    """One document of one version of the corpus."""
    project = open_project(request, slug, "see_corpus")
    shown = get_object_or_404(project.corpora, version=version)
    found = get_object_or_404(shown.documents, key=key)
    return render(
        request,
        "annotation/document.html",
        {"project": project, "corpus": shown, "document": found},
    )
