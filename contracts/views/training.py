"""Training: the owner's page of known contracts and who found what, and the explanation that
follows a practice item.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access import open_project, reader
from annotation.models import Person, Project, Seat
from annotation.services.projects import Refused
from annotation.views.acting import go_to, seat_act, seat_of
from contracts import practice
from contracts.forms import TrainingForm
from contracts.models import Gold, PracticeSheet, Training
from contracts.practice import Practice, demands
from contracts.qualification import KIND, Standing, standing_of
from contracts.services import training as services
from contracts.services.training import SilentCheck
from contracts.views.shown import LABELS, marked_words, phrase_of, terms_shown

OUTCOMES = {
    practice.FOUND: ("✓", gettext_lazy("found")),
    practice.PARTLY: ("≈", gettext_lazy("partly")),
    practice.MISSED: ("−", gettext_lazy("missed")),
    practice.ADDED: ("+", gettext_lazy("only yours")),
}
DIFFERS = {
    "value": gettext_lazy("other value"),
    "materiality": gettext_lazy("other materiality"),
    "words": gettext_lazy("other words"),
}


@dataclass(frozen=True)
class RowShown:
    """One row of the explanation: what was known, what was given, and how they differ."""

    glyph: str
    outcome: str | Promise
    label: str | Promise
    known: str
    given: str
    critical: bool
    differs: Sequence[str | Promise]


@dataclass(frozen=True)
class PersonShown:
    person: Person
    standing: Standing
    silent: SilentCheck | None


@require_http_methods(["GET", "HEAD", "POST"])
def training(request: HttpRequest, slug: str) -> HttpResponse:
    """The known contracts, the pass mark, and how each annotator stands."""
    project = open_project(request, slug, "manage_work")
    services.show_known(actor=reader(request), project=project)
    now = Training.objects.filter(project=project).first() or Training(project=project)
    form = TrainingForm(request.POST or None, initial=TrainingForm.of(now))
    if request.method == "POST" and form.is_valid():
        services.set_training(actor=reader(request), project=project, **form.settings())
        messages.success(request, _("The training was saved."))
        return redirect("training", slug)
    context = {"project": project, "form": form} | _overview(project)
    return render(request, "contracts/training.html", context, status=422 if form.is_bound else 200)


@require_safe
def practice_item(request: HttpRequest, slug: str, seat_id: UUID) -> HttpResponse:
    """What was known beside what the reader marked, with the explanation."""
    project = open_project(request, slug, "annotate")
    seat = seat_of(request, project, seat_id, KIND)
    sheet = PracticeSheet.objects.filter(seat=seat).select_related("gold").first()
    if sheet is None or seat.state != Seat.State.SUBMITTED:
        raise Http404("This item is not answered yet.")
    compared = services.explained(sheet)
    context = {
        "project": project,
        "seat": seat,
        "sheet": sheet,
        "rows": rows_shown(compared, seat.request.texts),
        "compared": compared,
        "standing": standing_of(reader(request), project),
        "turns": terms_shown(seat.request, sheet.gold.terms)["turns"],
        "missed": _to_do_again(reader(request), project),
    }
    return render(request, "contracts/practice_item.html", context)


@seat_act(KIND)
def practice_again(request: HttpRequest, project: Project, seat: Seat) -> HttpResponse:
    """Do a practice item once more; the new answer replaces the old one."""
    try:
        services.try_again(actor=reader(request), seat=seat)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return go_to(request, "desk", project.slug)
    return go_to(request, "sheet", project.slug, seat.public_id)


def rows_shown(compared: Practice, texts: list[str]) -> list[RowShown]:
    """The rows of a comparison in words."""
    shown = []
    for row in compared.rows:
        glyph, outcome = OUTCOMES[row.outcome]
        one = row.known or row.given
        if one is None:
            continue
        known, given = (
            (phrase_of(side) or marked_words(side, texts)) if side else ""
            for side in (row.known, row.given)
        )
        differs = [DIFFERS[name] for name in row.differs]
        label = LABELS[one.kind]
        shown.append(RowShown(glyph, outcome, label, known, given, one.critical, differs))
    return shown


def _to_do_again(person: Person, project: Project) -> list[PracticeSheet]:
    """The reader's own answers that lack something, in the order of the requests."""
    own = PracticeSheet.objects.filter(person=person, gold__request__project=project)
    rows = own.select_related("gold__request", "seat").order_by("gold__request__position")
    return [sheet for sheet in rows if sheet.found < sheet.wanted]


def _overview(project: Project) -> dict[str, object]:
    silent = services.silent_checks(project)
    members = project.memberships.current().filter(roles__name="annotator")
    people = [member.person for member in members.select_related("person").order_by("joined_at")]
    gold = Gold.objects.filter(request__project=project).select_related("request")
    return {
        "gold": [(one, demands(one.terms)) for one in gold.order_by("use", "request__position")],
        "people": [
            PersonShown(person, standing_of(person, project), silent.get(person.pk))
            for person in people
        ],
    }
