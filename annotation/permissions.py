"""May this person do this here? Pages, commands and the API all ask these functions.

`ACTS` is the whole map from acts to the roles that may do them; `None` means any member.
"""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from annotation.models import Person, Project

ACTS: dict[str, tuple[str, ...] | None] = {
    "see_project": None,
    "annotate": ("annotator",),
    "adjudicate": ("adjudicator",),
    "judge": ("adjudicator",),
    "see_requests": ("adjudicator", "engineer", "owner"),
    "see_corpus": ("engineer", "owner"),
    "import": ("engineer", "owner"),
    "register_protocol": ("engineer", "owner"),
    "run": ("engineer",),
    "leave_out_failed": ("engineer", "owner"),
    "see_results": ("engineer", "owner"),
    "see_agreement": ("engineer", "owner"),
    "see_ledger": ("engineer", "owner"),
    "export": ("engineer", "owner"),
    "export_named": ("owner",),
    "manage_work": ("owner",),
    "write_guidelines": ("owner",),
    "manage_people": ("owner",),
    "manage_project": ("owner",),
    "import_work": ("engineer", "owner"),
    "set_single_needs": ("owner",),
    "build_twins": ("adjudicator", "engineer", "owner"),
    "approve_twins": ("adjudicator", "owner"),
    "review_variations": ("adjudicator", "owner"),
}
# What these refuse or list tells of peers' work and of known contracts.
CLOSED_TO_ANNOTATORS = (
    *("import_work", "set_single_needs", "see_agreement"),
    *("build_twins", "approve_twins", "review_variations"),
)


_ROLES = "_roles_of_the_reader"


@dataclass(frozen=True)
class Allowed:
    allowed: bool = True
    reason: str = ""


@dataclass(frozen=True)
class Denied:
    reason: str
    allowed: bool = False


Decision = Allowed | Denied


def roles_of(person: Person | AnonymousUser, project: Project) -> frozenset[str]:
    """Return the roles that the person holds today; an empty set for strangers and former
    members.
    """
    return _held(person, project) or frozenset()


def is_member(person: Person | AnonymousUser, project: Project) -> bool:
    return _held(person, project) is not None


def remember_roles(person: Person, project: Project, held: frozenset[str]) -> None:
    """Keep the roles that were read with this very project object, for whatever asks with it: a
    web request loads its own, and asks several times.
    """
    project.__dict__[_ROLES] = (person.pk, held)


def forget_roles(project: Project) -> None:
    """Read roles anew from now on; whoever changes them says so."""
    project.__dict__.pop(_ROLES, None)


def _held(person: Person | AnonymousUser, project: Project) -> frozenset[str] | None:
    """The member's roles, in one query; None for whoever is no member."""
    if not person.is_authenticated:
        return None
    if _ROLES in project.__dict__ and project.__dict__[_ROLES][0] == person.pk:
        remembered: frozenset[str] | None = project.__dict__[_ROLES][1]
        return remembered
    current = project.memberships.current().filter(person=person)
    names = list(current.values_list("roles__name", flat=True))
    return frozenset(name for name in names if name) if names else None


def may(person: Person | AnonymousUser, act: str, project: Project) -> Decision:
    """Say whether the person may do the act in the project, and if not, why, in a sentence for
    them.
    """
    roles = _held(person, project)
    if roles is None:
        return Denied(_("You are not a member of this project."))
    wanted = ACTS[act]
    if act in CLOSED_TO_ANNOTATORS and "annotator" in roles:
        return Denied(_("Whoever annotates here stays blind to others' work: ask somebody else."))
    if wanted is None or roles & set(wanted):
        return Allowed()
    return Denied(
        _("This needs the role %(roles)s in this project. An owner can give it to you.")
        % {"roles": _(" or ").join(_(role) for role in wanted)}
    )


def require(person: Person | AnonymousUser, act: str, project: Project) -> None:
    """Raise PermissionDenied with the reason unless the person may do the act."""
    decision = may(person, act, project)
    if not decision.allowed:
        raise PermissionDenied(decision.reason)
