"""What a person can do next in a project, from the registered places and from what the study still
lacks.
"""

from dataclasses import dataclass

from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.desk import WORK_KINDS
from annotation.models import Person, Project, Role, Seat
from annotation.permissions import may, roles_of
from annotation.places import open_to
from annotation.services import consent

# Places that need one of these acts are places to work in; the others are for reading.
WORKING = (
    "annotate",
    "adjudicate",
    "judge",
    "review_variations",
    "run",
    "see_results",
    "import",
    "manage_work",
    "manage_people",
)


@dataclass(frozen=True)
class NextAct:
    """A link that says what can be done there."""

    address: str
    label: str | Promise


@dataclass(frozen=True)
class Missing:
    """What comes first, in a sentence: something to go on with, or something that the study lacks;
    and where this person can do it (None: somebody else must).
    """

    sentence: str
    act: NextAct | None = None


def next_acts(person: Person, project: Project) -> list[NextAct]:
    """Return the places of the project in which the person can do something, in the bar's order."""
    roles = roles_of(person, project)
    found = []
    for place in open_to(project, roles):
        if place.act not in WORKING:
            continue
        try:
            found.append(NextAct(reverse(place.page, args=[project.slug]), place.label))
        except NoReverseMatch:  # a place may be registered before its page is served
            continue
    return found


def first_thing(person: Person, project: Project) -> Missing | None:
    """Return what comes before everything else for this person: to agree, to go on with the item
    at work, or to give the study what it lacks. None: any of the next acts will do.
    """
    if may(person, "annotate", project).allowed:
        if consent.needed(person, project):
            sentence = _("The study asks its annotators to agree to a text before they begin.")
            return Missing(sentence, NextAct(reverse("consent", args=[project.slug]), _("Read it")))
        held = _at_work(person, project)
        if held:
            return held
    return missing(person, project)


def _at_work(person: Person, project: Project) -> Missing | None:
    own = Seat.objects.filter(project=project, holder=person, state=Seat.State.HELD)
    for seat in own.select_related("request"):
        kind = WORK_KINDS.get(seat.kind)
        if kind:
            sentence = _("You are at work on %(key)s (%(kind)s).") % {
                "key": seat.request.key,
                "kind": kind.label,
            }
            there = reverse(kind.page, args=[project.slug, seat.public_id])
            return Missing(sentence, NextAct(there, _("Go on")))
    return None


def missing(person: Person, project: Project) -> Missing | None:
    """Return the first thing that the study needs before anybody can work in it, or None."""
    if not project.corpora.exists() or not project.requests.exists():
        return _missing_words(person, project)
    annotators = Role.objects.filter(
        name="annotator", membership__project=project, membership__ended_at=None
    ).count()
    wanted = project.reviewers_per_request
    if not project.takes_contracts or annotators >= wanted:
        return None
    if not may(person, "manage_people", project).allowed:
        return None
    sentence = ngettext(
        "Each request is read by %(wanted)d reviewer, and %(have)d person here may annotate.",
        "Each request is read by %(wanted)d reviewers, and %(have)d here may annotate.",
        wanted,
    ) % {"wanted": wanted, "have": annotators}
    return Missing(sentence, NextAct(reverse("people", args=[project.slug]), _("Add people")))


def _missing_words(person: Person, project: Project) -> Missing:
    if project.corpora.exists():
        lacks = _("There is a corpus, and there are no requests yet.")
    else:
        lacks = _("This study has no corpus yet: the documents come first, then the requests.")
    if may(person, "import", project).allowed:
        return Missing(lacks, NextAct(reverse("import", args=[project.slug]), _("Import a file")))
    return Missing(lacks + " " + _("An owner or an engineer imports them."))
