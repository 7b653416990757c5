"""Files that leave the house: who may have which, under which names, and the record of it."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.exporting.kinds import EXPORT_KINDS, ExportKind, Wanted
from annotation.exporting.names import Names
from annotation.exporting.snapshot import snapshot
from annotation.exporting.writing import CONTENT_TYPES, pieces
from annotation.models import LedgerEntry, Membership, Person, Project, Seat
from annotation.permissions import Allowed, Decision, Denied, may, require
from annotation.services import ledger, seats
from annotation.services.projects import Refused, lock

BEGUN, EXPORTED = "export.begun", "exported"
_PSEUDONYM = re.compile(r"p[1-9]\d{0,5}")


@dataclass(frozen=True)
class Export:
    """One file on its way out. `pieces` may be gone through once."""

    actor: Person
    project: Project
    kind: ExportKind
    form: str
    named: bool
    own: bool

    @property
    def filename(self) -> str:
        """Made of names of ours alone: nothing in it needs to be escaped."""
        mine = "-mine" if self.own else ""
        return f"{self.project.slug}-{self.kind.name}{mine}.{self.form}"

    @property
    def content_type(self) -> str:
        return CONTENT_TYPES[self.form]

    def pieces(self) -> Iterator[bytes]:
        """Yield the bytes of the file, then write down what was handed out. Whoever stops listening
        ends it; the ledger then says that the file was not whole.
        """
        digest, rows, whole = hashlib.sha256(), 0, False
        try:
            with snapshot():
                found = self.kind.rows(self._wanted())
                for piece, count in pieces(found, self.kind.columns, self.form):
                    digest.update(piece)
                    rows += count
                    yield piece
            whole = True
        finally:
            self.record(EXPORTED, rows=rows, sha256=digest.hexdigest(), whole=whole)

    @transaction.atomic
    def record(self, entry: str, **more: Any) -> None:
        ledger.record(
            project=self.project,
            kind=entry,
            subject=self.kind.name,
            content={
                "kind": self.kind.name,
                "format": self.form,
                "named": self.named,
                "filter": {"person": self.actor.username} if self.own else {},
                **more,
            },
            actor=self.actor,
        )

    def _wanted(self) -> Wanted:
        own = self.actor if self.own else None
        return wanted(self.project, own, named=self.named, reader=self.actor)


def wanted(
    project: Project,
    own: Person | None = None,
    *,
    named: bool = False,
    reader: Person | None = None,
) -> Wanted:
    """What an export is about, with the names of everybody who ever was a member."""
    return Wanted(project, Names(project, named=named), own, reader)


def may_export(person: Person, project: Project, kind: ExportKind, *, named: bool) -> Decision:
    """Say whether the person may have everybody's rows of this kind, and if not, why."""
    decision = may(person, "export", project)
    if not decision.allowed:
        return decision
    if may(person, "annotate", project).allowed and not kind.blind:
        return Denied(
            _(
                "You annotate in this project: “%(kind)s” shows others' work or the answers, and "
                "you would no longer be blind. Your own work is under “My exports”."
            )
            % {"kind": kind.label}
        )
    if named and not may(person, "export_named", project).allowed:
        return Denied(
            _("Only an owner may export user names. Without them people stand under pseudonyms.")
        )
    return Allowed()


def begin_export(
    *,
    actor: Person,
    project: Project,
    kind_name: str,
    form: str = "",
    named: bool = False,
    own: bool = False,
) -> Export:
    """Return the file, ready to be read piece by piece. What was sealed and goes out with it counts
    as read from now on: nobody retracts it. With `own` it has the actor's rows alone.

    Raises KeyError for a kind that nobody registered, Refused for a form that it does not have.
    """
    kind = EXPORT_KINDS[kind_name]
    form = form or kind.forms[0]
    if form not in kind.forms:
        raise Refused(
            _("“%(kind)s” is written as %(forms)s, not as %(form)s.")
            % {"kind": kind.label, "forms": _(" or ").join(kind.forms), "form": form}
        )
    export = Export(actor, project, kind, form, named, own)
    if own:
        require(actor, "see_project", project)
        if not kind.for_own:
            raise Refused(_("“%(kind)s” is no work of one person.") % {"kind": kind.label})
    else:
        decision = may_export(actor, project, kind, named=named)
        if not decision.allowed:
            raise PermissionDenied(decision.reason)
    with transaction.atomic():
        lock(project)
        if kind.work and not own:
            seats.mark_read(seats=Seat.objects.filter(project=project, kind=kind.work))
        export.record(BEGUN)
    return export


def telling_exports(*, person: Person, project: Project) -> QuerySet[LedgerEntry]:
    """The exports by which the person saw others' work or answers, as ledger entries."""
    blind = [name for name, kind in EXPORT_KINDS.items() if kind.blind]
    begun = project.ledger.filter(kind=BEGUN, actor=person).exclude(subject__in=blind)
    return begun.filter(content__filter__person__isnull=True)


@transaction.atomic
def keep_pseudonyms(*, actor: Person, project: Project, people: Mapping[str, str]) -> list[str]:
    """Give the members the pseudonyms under which they stand in a file from elsewhere, and return
    the pseudonyms that were given. `people` maps those to user names.

    Once an export has handed pseudonyms out they stay as they are, and nothing is given. Whoever
    had a pseudonym that is needed takes one that became free.
    """
    require(actor, "import", project)
    lock(project)
    if project.ledger.filter(kind=BEGUN).exists():
        return []
    members = {m.person.username: m for m in project.memberships.select_related("person")}
    given = {
        members[name]: pseudonym
        for pseudonym, name in people.items()
        if name in members and _PSEUDONYM.fullmatch(pseudonym)
    }
    changed = _moved(list(members.values()), given)
    if changed:
        _write(changed)
        ledger.record(
            project=project,
            kind="pseudonyms.kept",
            subject=project.slug,
            content={m.person.username: m.pseudonym for m in changed},
            actor=actor,
        )
    return sorted(given[m] for m in changed if m in given)


def _moved(members: list[Membership], given: Mapping[Membership, str]) -> list[Membership]:
    """The members whose pseudonym changes, with the new one."""
    taken = set(given.values())
    free = [m.pseudonym for m in given if m.pseudonym not in taken]
    changed = []
    for member in members:
        new = given.get(member)
        if new is None and member.pseudonym in taken:
            new = free.pop()
        if new is not None and new != member.pseudonym:
            member.pseudonym = new
            changed.append(member)
    return changed


def _write(changed: list[Membership]) -> None:
    """Two steps, because no two members may share a pseudonym even for a moment."""
    for member in changed:
        Membership.objects.filter(pk=member.pk).update(pseudonym=f"moving-{member.pk}")
    for member in changed:
        member.save(update_fields=["pseudonym"])
