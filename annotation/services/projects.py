"""Projects and the people in them."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.canonical import content_hash
from annotation.models import Membership, Person, Project, Role
from annotation.models.people import ROLES
from annotation.permissions import forget_roles, require
from annotation.services import ledger


class Refused(Exception):
    """An act that the rules do not allow, with a sentence for the person who tried it."""


def lock(project: Project) -> None:
    """Let one writer at a time into the project: the first line of what must not happen twice."""
    project.lock()


@transaction.atomic
def create_project(
    *,
    actor: Person,
    slug: str,
    name: str,
    description: str = "",
    purpose: str = Project.Purpose.ACCEPTANCE,
    hypothetical: bool = False,
) -> Project:
    """Create a project whose first owner is the actor."""
    if Project.objects.filter(slug=slug).exists():
        raise Refused(_("The short name “%(slug)s” is taken: choose another.") % {"slug": slug})
    project = Project.objects.create(
        slug=slug,
        name=name,
        description=description,
        purpose=purpose,
        hypothetical=hypothetical,
        created_by=actor,
    )
    _give_roles(project, actor, ["owner"])
    ledger.record(
        project=project, kind="project.created", subject=slug, content={"name": name}, actor=actor
    )
    return project


# What an owner may change of a project after it began.
SETTINGS = (
    "name",
    "description",
    "lease_minutes",
    "reviewers_per_request",
    "paraphrases_per_request",
    "reference_date",
    "consent_text",
)


def settings_hash(project: Project) -> str:
    """The hash of the settings in force, so that a page can say which ones it showed."""
    return content_hash({name: _plain(getattr(project, name)) for name in SETTINGS})


@transaction.atomic
def change_project(
    *, actor: Person, project: Project, settings: Mapping[str, Any], seen: str = ""
) -> Project:
    """Change settings of a project; the ledger keeps each that changed, in full. `seen` is the
    `settings_hash` that the page showed: when others stand by now, nothing is written.
    """
    require(actor, "manage_project", project)
    lock(project)
    project.refresh_from_db()
    if seen and seen != settings_hash(project):
        raise Refused(_("Somebody else changed the settings meanwhile. Compare, then save again."))
    changed = {
        name: settings[name]
        for name in SETTINGS
        if name in settings and getattr(project, name) != settings[name]
    }
    if not changed:
        return project
    for field, value in changed.items():
        setattr(project, field, value)
    project.save(update_fields=list(changed))
    ledger.record(
        project=project,
        kind="project.changed",
        subject=project.slug,
        content={name: _plain(value) for name, value in changed.items()},
        actor=actor,
    )
    return project


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


@transaction.atomic
def set_member(
    *, actor: Person, project: Project, person: Person, roles: Iterable[str]
) -> Membership:
    """Give the person exactly these roles in the project; their earlier work stays as it is."""
    require(actor, "manage_people", project)
    wanted = [role for role in ROLES if role in set(roles)]
    if not wanted:
        raise Refused(_("Choose at least one role for %(person)s.") % {"person": person.shown_name})
    if person.erased_at:
        raise Refused(_("%(person)s was erased for good.") % {"person": person.shown_name})
    lock(project)
    if "owner" not in wanted:
        refuse_ownerless(project, person)
    if "annotator" not in wanted:
        return_held_seats(person=person, project=project)
    return admit(actor=actor, project=project, person=person, roles=wanted)


def admit(*, actor: Person, project: Project, person: Person, roles: list[str]) -> Membership:
    """Write the membership and its ledger entry. Call inside the transaction that asked whether
    it may be.
    """
    membership = _give_roles(project, person, roles)
    forget_roles(project)
    ledger.record(
        project=project,
        kind="member.set",
        subject=person.username,
        content={"roles": roles},
        actor=actor,
    )
    return membership


@transaction.atomic
def end_membership(*, actor: Person, project: Project, person: Person) -> None:
    """End the person's membership; what they wrote stays and is shown as a former member's. The
    items at which they are at work go back to the pool.
    """
    require(actor, "manage_people", project)
    lock(project)
    refuse_ownerless(project, person)
    ended = project.memberships.current().filter(person=person).update(ended_at=timezone.now())
    forget_roles(project)
    if ended:
        return_held_seats(person=person, project=project)
        ledger.record(
            project=project, kind="member.ended", subject=person.username, content={}, actor=actor
        )


def return_held_seats(*, person: Person, project: Project) -> None:
    """Return every seat at which the person is at work to the pool; the drafts are kept."""
    from annotation.services.seats import return_all_of  # seats are built on this module

    return_all_of(person=person, project=project)


def _give_roles(project: Project, person: Person, roles: list[str]) -> Membership:
    membership, _created = Membership.objects.update_or_create(
        project=project,
        person=person,
        defaults={"ended_at": None},
        create_defaults={"ended_at": None, "pseudonym": _free_pseudonym(project)},
    )
    membership.roles.exclude(name__in=roles).delete()
    for role in roles:
        Role.objects.get_or_create(membership=membership, name=role)
    return membership


def _free_pseudonym(project: Project) -> str:
    """The next number: nobody ever leaves the table, but an import may have given any."""
    taken = set(project.memberships.values_list("pseudonym", flat=True))
    number = len(taken) + 1
    while f"p{number}" in taken:
        number += 1
    return f"p{number}"


def refuse_ownerless(project: Project, person: Person) -> None:
    """Refuse that the person stops being an owner when nobody else who can log in is one."""
    owners = project.memberships.current().filter(roles__name="owner", person__is_active=True)
    if owners.filter(person=person).exists() and not owners.exclude(person=person).exists():
        raise Refused(
            _("%(person)s is the only owner of “%(project)s”: name another owner first.")
            % {"person": person.shown_name, "project": project.slug}
        )
