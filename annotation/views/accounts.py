from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access import reader
from annotation.account_forms import TOO_MANY, LogInForm, NewPasswordForm
from annotation.demo import PERSONAS
from annotation.models import Person
from annotation.services import log_in
from annotation.visitors import client_address


class LogIn(LoginView):
    """Django's own log-in, because it knows where it is safe to go next; a refusal is 422 like
    every form's, and too many attempts are 429.
    """

    form_class = LogInForm
    template_name = "registration/log_in.html"
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        personas = (
            Person.objects.filter(username__in=PERSONAS, is_active=True) if settings.DEMO else ()
        )
        order = {name: position for position, name in enumerate(PERSONAS)}
        return super().get_context_data(
            personas=sorted(personas, key=lambda person: order[person.username]), **kwargs
        )

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        too_many = form.has_error(NON_FIELD_ERRORS, TOO_MANY)
        page = self.get_context_data(form=form)
        response = self.render_to_response(page, status=429 if too_many else 422)
        if isinstance(form, LogInForm) and too_many:
            response["Retry-After"] = str(form.wait_seconds)
        return response


@login_not_required
@require_safe
def demo_log_in(request: HttpRequest, username: str) -> HttpResponse:
    """Log one of the demo's invented people in without a password; outside the demo there is no
    such page.
    """
    if not settings.DEMO or username not in PERSONAS:
        raise Http404
    person = Person.objects.filter(username=username, is_active=True).first()
    if person is None:
        raise Http404
    login(request, person)
    return redirect("home")


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
def account(request: HttpRequest) -> HttpResponse:
    """Who I am here, my roles in each project, and my password."""
    person = reader(request)
    form = NewPasswordForm(person, client_address(request), request.POST or None)
    if request.method == "POST" and form.is_valid():
        form.save()
        log_in.end_other_access(person=person)
        update_session_auth_hash(request, person)
        messages.success(
            request,
            _("Your password was changed. Other sessions and API tokens of yours have ended."),
        )
        return redirect("account")
    memberships = person.memberships.current().select_related("project").prefetch_related("roles")
    return render(
        request,
        "registration/account.html",
        {"form": form, "memberships": memberships},
        status=422 if form.is_bound else 200,
    )
