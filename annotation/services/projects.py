"""Projects and the people in them."""

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Membership, Person, Project, Role
from annotation.models.people import ROLES
from annotation.permissions import require
from annotation.services import ledger


class Refused(Exception):
    """An act that the rules do not allow, with a sentence for the person who tried it."""


def lock(project: Project) -> None:
    """Let one writer at a time into the project: the first line of what must not happen twice.

    PostgreSQL locks the row until the transaction ends; SQLite has one writer anyway.
    """
    Project.objects.select_for_update().get(pk=project.pk)


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


@transaction.atomic
def change_project(
    *,
    actor: Person,
    project: Project,
    name: str,
    description: str,
    lease_minutes: int,
) -> Project:
    """Change what an owner may change of a project after it began; the ledger keeps what it was
    set to.
    """
    require(actor, "manage_project", project)
    settings = {
        "name": name,
        "description": description,
        "lease_minutes": lease_minutes,
    }
    for field, value in settings.items():
        setattr(project, field, value)
    project.save(update_fields=list(settings))
    ledger.record(
        project=project,
        kind="project.changed",
        subject=project.slug,
        content=settings,
        actor=actor,
    )
    return project


@transaction.atomic
def set_member(
    *, actor: Person, project: Project, person: Person, roles: Iterable[str]
) -> Membership:
    """Give the person exactly these roles in the project; their earlier work stays as it is."""
    require(actor, "manage_people", project)
    wanted = [role for role in ROLES if role in set(roles)]
    if not wanted:
        raise Refused(_("Choose at least one role for %(person)s.") % {"person": person.shown_name})
    _refuse_ownerless(project, person, leaving="owner" not in wanted)
    membership = _give_roles(project, person, wanted)
    ledger.record(
        project=project,
        kind="member.set",
        subject=person.username,
        content={"roles": wanted},
        actor=actor,
    )
    return membership


@transaction.atomic
def end_membership(*, actor: Person, project: Project, person: Person) -> None:
    """End the person's membership; what they wrote stays and is shown as a former member's."""
    require(actor, "manage_people", project)
    _refuse_ownerless(project, person, leaving=True)
    ended = project.memberships.current().filter(person=person).update(ended_at=timezone.now())
    if ended:
        ledger.record(
            project=project, kind="member.ended", subject=person.username, content={}, actor=actor
        )


def _give_roles(project: Project, person: Person, roles: list[str]) -> Membership:
    pseudonym = f"p{project.memberships.count() + 1}"  # nobody ever leaves the table
    membership, _created = Membership.objects.update_or_create(
        project=project,
        person=person,
        defaults={"ended_at": None},
        create_defaults={"ended_at": None, "pseudonym": pseudonym},
    )
    membership.roles.exclude(name__in=roles).delete()
    for role in roles:
        Role.objects.get_or_create(membership=membership, name=role)
    return membership


def _refuse_ownerless(project: Project, person: Person, *, leaving: bool) -> None:
    if not leaving:
        return
    owners = Role.objects.filter(
        name="owner", membership__project=project, membership__ended_at=None
    ).values_list("membership__person_id", flat=True)
    if list(owners) == [person.pk]:
        raise Refused(
            _("%(person)s is the only owner: make somebody else an owner first.")
            % {"person": person.shown_name}
        )
