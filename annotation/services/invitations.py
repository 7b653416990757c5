"""Links that let one person into a project, once. The token is shown once and kept as a hash."""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Invitation, Membership, Person, Project
from annotation.models.people import ROLES
from annotation.permissions import is_member, may, require
from annotation.services import ledger
from annotation.services.projects import Refused, admit, lock

TOKEN_BYTES = 24  # 192 random bits
MAX_DAYS = 30


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def invitation_of(token: str) -> Invitation | None:
    """The invitation that this link is for, whether it still holds or not."""
    found = Invitation.objects.filter(token_sha256=token_hash(token))
    return found.select_related("project", "created_by").first()


def holds(invitation: Invitation) -> bool:
    """Tell whether the link lets somebody in now: unused, in time, and from somebody who still
    may invite.
    """
    usable = Invitation.objects.usable(timezone.now()).filter(
        pk=invitation.pk, created_by__is_active=True
    )
    return (
        usable.exists() and may(invitation.created_by, "manage_people", invitation.project).allowed
    )


@transaction.atomic
def invite(
    *, actor: Person, project: Project, roles: Iterable[str], note: str = "", days: int = 7
) -> tuple[Invitation, str]:
    """Make an invitation; return it with its token, which nothing can show again."""
    require(actor, "manage_people", project)
    wanted = [role for role in ROLES if role in set(roles)]
    if not wanted:
        raise Refused(_("Choose at least one role."))
    if not 1 <= days <= MAX_DAYS:
        raise Refused(_("An invitation holds for 1 to %(most)d days.") % {"most": MAX_DAYS})
    token = secrets.token_urlsafe(TOKEN_BYTES)
    invitation = Invitation.objects.create(
        project=project,
        token_sha256=token_hash(token),
        roles=wanted,
        note=note,
        created_by=actor,
        expires_at=timezone.now() + timedelta(days=days),
    )
    _record(invitation, actor, "invitation.made", {"roles": wanted, "days": days})
    return invitation, token


@transaction.atomic
def revoke(*, actor: Person, invitation: Invitation) -> bool:
    """Make an unused link worthless; False when it was used or revoked before."""
    require(actor, "manage_people", invitation.project)
    unused = Invitation.objects.filter(pk=invitation.pk, used_at=None, revoked_at=None)
    if not unused.update(revoked_at=timezone.now()):
        return False
    _record(invitation, actor, "invitation.revoked", {})
    return True


@transaction.atomic
def accept(*, actor: Person, invitation: Invitation) -> Membership:
    """Join the project by the link, which is used up by it. Of two who use it at once, one joins;
    a member who opens it does not use it up.
    """
    project = invitation.project
    lock(project)
    if is_member(actor, project):
        raise Refused(_("You are in this project already. The link was not used."))
    if not holds(invitation):
        raise Refused(no_longer())
    now = timezone.now()
    ours = Invitation.objects.usable(now).filter(pk=invitation.pk)
    if ours.update(used_at=now, used_by=actor) != 1:
        raise Refused(no_longer())
    _record(invitation, actor, "invitation.used", {})
    return admit(actor=actor, project=project, person=actor, roles=list(invitation.roles))


def join_anew(*, person: Person, invitation: Invitation) -> Person:
    """Save a new account (its password set before, because that is slow) and join with it: both
    or neither.
    """
    try:
        with transaction.atomic():
            person.save()
            accept(actor=person, invitation=invitation)
    except IntegrityError as taken:
        raise Refused(_("That username was taken a moment ago: choose another.")) from taken
    return person


def no_longer() -> str:
    return _("This invitation was used, ended or taken back. Ask whoever sent it for a new one.")


def _record(invitation: Invitation, actor: Person, kind: str, content: dict[str, object]) -> None:
    ledger.record(
        project=invitation.project,
        kind=kind,
        subject=str(invitation.pk),
        content=content,
        actor=actor,
    )
