"""What the pages on which people write a rewording share: the form, the live checks beside it, and
what a save and a refused seal answer.
"""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy, ngettext

from annotation.desk import WORK_KINDS
from annotation.models import Project, Seat
from annotation.services.projects import Refused
from annotation.services.rewrites import Unanswered, Warned, drafted, text_fault
from annotation.views.acting import by_htmx, with_version
from annotation.warned import shown

LOOK = "look"  # in the address after a refused seal: the first warning takes the focus


class RewriteForm(forms.Form):
    """A text in the making; it may be unfinished, so nothing is required."""

    text = forms.CharField(
        label=gettext_lazy("The request in your own words"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5, "class": "words", "dir": "auto"}),
    )

    def clean_text(self) -> str:
        # Browsers send line ends as CR LF; the text is stored as it was typed.
        text = str(self.cleaned_data["text"]).replace("\r\n", "\n")
        fault = text_fault(text)
        if fault:
            raise forms.ValidationError(fault)
        return text


class ReferenceForm(RewriteForm):
    """A standalone reference, which may be a question back to the user."""

    text = forms.CharField(
        label=gettext_lazy("The request, so that it can be understood on its own"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5, "class": "words", "dir": "auto"}),
    )
    clarification = forms.BooleanField(
        label=gettext_lazy("The right reply is this question"), required=False
    )


FORMS: dict[str, type[RewriteForm]] = {"paraphrase": RewriteForm, "standalone": ReferenceForm}


def sent_draft(request: HttpRequest, seat: Seat) -> dict[str, Any]:
    """The draft that the page sent; a text that cannot be kept is refused with the reason."""
    form = FORMS[seat.kind](request.POST)
    if not form.is_valid():
        raise Refused("\n".join(str(fault) for faults in form.errors.values() for fault in faults))
    return drafted(
        form.cleaned_data["text"],
        request.POST.getlist("meant"),
        clarification=form.cleaned_data.get("clarification"),
    )


def writing(request: HttpRequest, project: Project, seat: Seat, warned: Warned) -> dict[str, Any]:
    """What the page shows of the text: the form, the checks, the addresses to save and to seal."""
    checks = _checks(seat, warned)
    look = LOOK in request.GET and any(not warning.meant for warning in checks["warnings"])
    form = FORMS[seat.kind](initial=seat.draft)
    if not look:
        form.fields["text"].widget.attrs["autofocus"] = True
    where = (project.slug, seat.public_id)
    return {
        "project": project,
        "seat": seat,
        "form": form,
        "look": look,
        "save_url": reverse(f"{seat.kind}-save", args=where),
        "seal_url": reverse(f"{seat.kind}-seal", args=where),
    } | checks


def saved(request: HttpRequest, project: Project, seat: Seat, warned: Warned) -> HttpResponse:
    """Answer a save: when, and what the checks say now, if the page shows something else."""
    if not by_htmx(request):
        return redirect(WORK_KINDS[seat.kind].page, project.slug, seat.public_id)
    checks = _checks(seat, warned)
    news = checks["state"] != request.POST.get("checks")
    context = {"project": project, "seat": seat, "saved": True, "news": news} | checks
    return with_version(render(request, "desk/_rewrite_saved.html", context), seat)


def not_sealed(
    request: HttpRequest, project: Project, seat: Seat, warned: Warned, refusal: Unanswered
) -> HttpResponse:
    """Say what waits for an answer; the page leads to the first of it. The text is saved."""
    if not by_htmx(request):
        messages.error(request, str(refusal))
        there = reverse(WORK_KINDS[seat.kind].page, args=[project.slug, seat.public_id])
        return redirect(f"{there}?{LOOK}=1")
    n = len(refusal.warnings)
    fault = ngettext(
        "Not sealed yet: %(n)d point under your text waits for you. Change the text, or say that "
        "you mean it.",
        "Not sealed yet: %(n)d points under your text wait for you. Change the text, or say that "
        "you mean it.",
        n,
    ) % {"n": n}
    context = {"project": project, "seat": seat, "faults": [fault], "act": "seal", "news": True}
    context |= _checks(seat, warned)
    response = render(request, "desk/_rewrite_refused.html", context, status=422)
    response["HX-Reswap"] = "none"
    return with_version(response, seat)


def _checks(seat: Seat, warned: Warned) -> dict[str, Any]:
    """The warnings, and the `state` by which a page says which ones it shows."""
    meant = seat.draft.get("meant") or []
    open_seat = seat.state in (Seat.State.HELD, Seat.State.RETURNED)
    found = warned(seat, seat.draft) if open_seat else ()
    warnings = [shown(warning, meant=warning.mark in meant) for warning in found]
    return {"warnings": warnings, "state": " ".join(warning.mark for warning in found)}
