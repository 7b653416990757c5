from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from annotation.access import open_project, reader
from annotation.forms import InvitationForm, NewMemberForm, RolesForm
from annotation.fragments import wants_fragment
from annotation.models import Person, Project, Role
from annotation.permissions import is_member, may
from annotation.services.projects import Refused, end_membership, set_member


@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest, slug: str) -> HttpResponse:
    """The members and their roles; a POST adds somebody who has an account."""
    project = open_project(request, slug, "manage_people")
    form = NewMemberForm(project, request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return people_page(request, project, form, status=422 if request.method == "POST" else 200)
    person = form.cleaned_data["username"]
    set_member(
        actor=reader(request), project=project, person=person, roles=form.cleaned_data["roles"]
    )
    return done(
        request, project, _("%(name)s is in the project now.") % {"name": person.shown_name}
    )


@require_POST
def member(request: HttpRequest, slug: str, username: str) -> HttpResponse:
    """Give a member exactly the roles that are ticked."""
    project = open_project(request, slug, "manage_people")
    person = _member(project, username)
    form = RolesForm(request.POST)
    if not form.is_valid():
        return _refused(request, project, str(form.errors["roles"][0]))
    try:
        set_member(
            actor=reader(request), project=project, person=person, roles=form.cleaned_data["roles"]
        )
    except Refused as refusal:
        return _refused(request, project, str(refusal))
    return done(
        request, project, _("The roles of %(name)s were saved.") % {"name": person.shown_name}
    )


@require_POST
def member_end(request: HttpRequest, slug: str, username: str) -> HttpResponse:
    """End a membership; what the person did stays."""
    project = open_project(request, slug, "manage_people")
    person = _member(project, username)
    try:
        end_membership(actor=reader(request), project=project, person=person)
    except Refused as refusal:
        return _refused(request, project, str(refusal))
    return done(
        request, project, _("%(name)s is no longer a member.") % {"name": person.shown_name}
    )


def _member(project: Project, username: str) -> Person:
    membership = get_object_or_404(
        project.memberships.current().select_related("person"), person__username=username
    )
    return membership.person


def done(request: HttpRequest, project: Project, notice: str) -> HttpResponse:
    """Show the people again, unless the reader has just given up being an owner or a member."""
    person = reader(request)
    still_owner = may(person, "manage_people", project).allowed
    if still_owner and wants_fragment(request):
        return people_page(request, project, notice=notice)
    messages.success(request, notice)
    if still_owner:
        return redirect("people", project.slug)
    leave = redirect("project", project.slug) if is_member(person, project) else redirect("home")
    return HttpResponseClientRedirect(leave.url) if wants_fragment(request) else leave


def _refused(request: HttpRequest, project: Project, reason: str) -> HttpResponse:
    return people_page(request, project, refusal=reason, status=422)


def people_page(
    request: HttpRequest,
    project: Project,
    form: NewMemberForm | None = None,
    *,
    invite_form: InvitationForm | None = None,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """Members, former members and invitations, as a page or as its fragment. `more`: `notice`,
    `refusal`, or the `link` of the invitation just made, which is shown once.
    """
    memberships = project.memberships.select_related("person").prefetch_related("roles")
    context = {
        "project": project,
        "form": form or NewMemberForm(project),
        "invite_form": invite_form or InvitationForm(auto_id="invite_%s"),
        "members": [m for m in memberships if m.ended_at is None],
        "former": [m for m in memberships if m.ended_at is not None],
        "invitations": project.invitations.select_related("created_by", "used_by"),
        "now": timezone.now(),
        "roles": Role.Name.choices,
        **more,
    }
    template = "annotation/_people.html" if wants_fragment(request) else "annotation/people.html"
    return render(request, template, context, status=status)
