from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import open_project, reader
from annotation.models import Project
from annotation.permissions import may
from annotation.services import consent
from annotation.services.projects import Refused


@require_http_methods(["GET", "HEAD", "POST"])
def consent_page(request: HttpRequest, slug: str) -> HttpResponse:
    """What an annotator agrees to before the first item; a POST agrees."""
    project = _agreed_to(request, slug)
    if request.method != "POST":
        return _page(request, project)
    if not request.POST.get("agree"):
        return _page(request, project, 422, fault=_("Tick the box if you agree."))
    try:
        consent.give(
            actor=reader(request), project=project, text_sha256=request.POST.get("text", "")
        )
    except Refused as refusal:
        return _page(request, project, 422, fault=str(refusal))
    messages.success(request, _("Thank you. You can take your first item."))
    return redirect("desk", slug)


@require_POST
def consent_withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    """End the reader's consent, with what that does to what they wrote."""
    project = _agreed_to(request, slug)
    consent.withdraw(actor=reader(request), project=project)
    messages.success(request, _("Your consent is withdrawn."))
    return redirect("consent", slug)


def _agreed_to(request: HttpRequest, slug: str) -> Project:
    """The project, also for a former member who can still withdraw."""
    former = Project.objects.filter(
        slug=slug, consents__person=reader(request), consents__withdrawn_at=None
    )
    return former.first() or open_project(request, slug, "see_project")


def _page(request: HttpRequest, project: Project, status: int = 200, **more: Any) -> HttpResponse:
    person = reader(request)
    context = {
        "project": project,
        "given": consent.standing(person=person, project=project),
        "text_sha256": consent.text_hash(project),
        "annotates": may(person, "annotate", project).allowed,
        "withdrawable": consent.ever_given(person=person, project=project),
        **more,
    }
    return render(request, "annotation/consent.html", context, status=status)
