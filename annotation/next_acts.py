"""What a person can do next in a project, from the registered places and from what the study still
lacks.
"""

from dataclasses import dataclass

from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Person, Project, Role
from annotation.permissions import ACTS, may, roles_of
from annotation.places import PLACES

# Places that need one of these acts are places to work in; the others are for reading.
WORKING = ("annotate", "adjudicate", "judge", "run", "see_results", "import", "manage_people")


@dataclass(frozen=True)
class NextAct:
    """A link that says what can be done there."""

    address: str
    label: str | Promise


@dataclass(frozen=True)
class Missing:
    """What the study lacks, in a sentence, and where this person can mend it (None: somebody else
    must).
    """

    sentence: str
    act: NextAct | None = None


def next_acts(person: Person, project: Project) -> list[NextAct]:
    """Return the places of the project in which the person can do something, in the bar's order."""
    roles = roles_of(person, project)
    found = []
    for place in PLACES:
        if place.act not in WORKING or not roles & set(ACTS[place.act] or ()):
            continue
        if place.contracts_only and not project.takes_contracts:
            continue
        try:
            found.append(NextAct(reverse(place.page, args=[project.slug]), place.label))
        except NoReverseMatch:  # a place may be registered before its page is served
            continue
    return found


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
