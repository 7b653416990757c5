"""Invitation links: made and taken back by owners, opened by whoever is to come in."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from annotation.access import open_project, reader
from annotation.account_forms import NewAccountForm
from annotation.forms import InvitationForm
from annotation.models import Invitation, Project
from annotation.services import invitations as service
from annotation.services import log_in
from annotation.services.projects import Refused
from annotation.views.people import done, people_page
from annotation.visitors import client_address


@require_POST
def invitation_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a link. It is shown in this answer only, so a plain POST is answered with the page."""
    project = open_project(request, slug, "manage_people")
    form = InvitationForm(request.POST, auto_id="invite_%s")
    if not form.is_valid():
        return people_page(request, project, invite_form=form, status=422)
    invitation, token = service.invite(actor=reader(request), project=project, **form.cleaned_data)
    link = request.build_absolute_uri(reverse("join", args=[token]))
    return people_page(request, project, link=link, invited=invitation, status=201)


@require_POST
def invitation_revoke(request: HttpRequest, slug: str, invitation_id: int) -> HttpResponse:
    """Make a link worthless that nobody has used."""
    project = open_project(request, slug, "manage_people")
    invitation = get_object_or_404(project.invitations, pk=invitation_id)
    if service.revoke(actor=reader(request), invitation=invitation):
        return done(request, project, _("The invitation was taken back."))
    refusal = _("That invitation was used or taken back before.")
    return people_page(request, project, refusal=refusal, status=422)


@login_not_required
@sensitive_post_parameters()
def join(request: HttpRequest, token: str) -> HttpResponse:
    """The page behind an invitation link; a POST by somebody logged in joins."""
    invitation = service.invitation_of(token)
    if invitation is None:
        raise Http404("There is no such invitation.")
    if not service.holds(invitation):
        return _page(request, invitation, token, status=410, refusal=service.no_longer())
    if request.method != "POST":
        return _page(request, invitation, token)
    if request.user.is_authenticated:
        return _accept(request, invitation, token)
    return _join_anew(request, invitation, token)


def _accept(request: HttpRequest, invitation: Invitation, token: str) -> HttpResponse:
    try:
        service.accept(actor=reader(request), invitation=invitation)
    except Refused as refusal:
        return _page(request, invitation, token, status=409, refusal=str(refusal))
    return _welcome(request, invitation.project)


def _join_anew(request: HttpRequest, invitation: Invitation, token: str) -> HttpResponse:
    """Make an account for whoever holds the link: the only sign-up there is."""
    try:
        log_in.count_visit(address=client_address(request))
    except log_in.TooMany as refusal:
        return _page(request, invitation, token, status=429, refusal=str(refusal))
    form = NewAccountForm(request.POST)
    if not form.is_valid():
        return _page(request, invitation, token, status=422, form=form)
    try:
        person = service.join_anew(person=form.person(), invitation=invitation)
    except Refused as refusal:
        return _page(request, invitation, token, status=409, refusal=str(refusal))
    login(request, person)
    return _welcome(request, invitation.project)


def _welcome(request: HttpRequest, project: Project) -> HttpResponse:
    messages.success(request, _("You are in the project now."))
    return redirect("project", project.slug)


def _page(
    request: HttpRequest, invitation: Invitation, token: str, status: int = 200, **more: Any
) -> HttpResponse:
    context = {"invitation": invitation, "token": token, "form": NewAccountForm(), **more}
    return render(request, "annotation/invitation.html", context, status=status)
