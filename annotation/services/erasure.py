"""Erasing a person: a separate, logged act. What they sealed stays, as a former member's, and no
figure changes; what tells who they were goes.

A ledger cannot be changed, so that a user name which stands in one stays there; `annotation.erased`
says whom it means, and pages and exports show the meaningless name that came instead.
"""

import json
import secrets
from functools import partial
from typing import Any, TypeVar

from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model, Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from annotation.erased import KIND, named_at
from annotation.erasure_effects import (
    OPEN_JOBS,
    may_erase,
    session_keys,
    unsealed_seats,
)
from annotation.importing import uploads
from annotation.models import (
    ApiToken,
    IdempotentReply,
    ImportJob,
    Invitation,
    Membership,
    Person,
)
from annotation.services import consent, ledger, seats
from annotation.services.log_in import forget_account
from annotation.services.projects import lock, refuse_ownerless
from annotation.services.rewrites import forget_drafts, withdraw_paraphrases

BEGINNING = "erased-"
Row = TypeVar("Row", bound=Model)


def erase_person(*, actor: Person | None, person: Person, texts: bool = False) -> Person:
    """Erase the person and return them under their new name; a second time changes nothing more.
    With `texts` their consents are withdrawn too, which deletes the texts of their paraphrases.

    The actor is a superuser; None is whoever runs the server and its commands. The only owner of a
    project is refused.
    """
    if actor is not None:
        decision = may_erase(actor, person)
        if not decision.allowed:
            raise PermissionDenied(decision.reason)
    found = session_keys(person)  # every session is read for it: not while others wait
    with transaction.atomic():
        _erase(actor, person, texts)
        Session.objects.filter(session_key__in=found).delete()
    person.refresh_from_db()
    return person


def _erase(actor: Person | None, person: Person, texts: bool) -> None:
    memberships = list(person.memberships.select_related("project").order_by("project_id"))
    for membership in memberships:
        lock(membership.project)
    for membership in memberships:
        refuse_ownerless(membership.project, person)
    old = person.username
    if not _rename(person):
        return
    _end_access(person, old)
    person.refresh_from_db()
    for membership in memberships:
        _leave(actor, membership, person, old, texts)
    forget_drafts(actor=person, seats_of=unsealed_seats(person))
    _cancel_imports(person)
    _forget_name(memberships, old, person.username)


def _rename(person: Person) -> bool:
    """Put nothing in the place of what tells who they were; False when it was done before."""
    blank = Person(username=_meaningless())
    blank.set_unusable_password()
    moved = Person.objects.filter(pk=person.pk, erased_at=None).update(
        username=blank.username,
        password=blank.password,
        first_name="",
        last_name="",
        email="",
        preferences={},
        is_active=False,
        is_staff=False,
        is_superuser=False,
        last_login=None,
        erased_at=timezone.now(),
    )
    return moved == 1


def _meaningless() -> str:
    """A name that nobody has; it is drawn, and has nothing to do with the old one."""
    while True:
        name = BEGINNING + secrets.token_hex(4)
        if not Person.objects.filter(username=name).exists():
            return name


def _end_access(person: Person, old: str) -> None:
    person.groups.clear()
    person.user_permissions.clear()
    ApiToken.objects.filter(person=person).delete()  # their names are the person's words
    IdempotentReply.objects.filter(person=person).delete()
    forget_account(username=old)
    now = timezone.now()
    made = Invitation.objects.filter(created_by=person, used_at=None, revoked_at=None)
    made.update(revoked_at=now)
    Invitation.objects.filter(used_by=person).update(note="")  # “for Anna, from the other team”


def _leave(
    actor: Person | None, membership: Membership, person: Person, old: str, texts: bool
) -> None:
    """End the membership, and write the erasure into the project's ledger under the new name."""
    project = membership.project
    place = named_at(project, old)
    current = Membership.objects.filter(pk=membership.pk, ended_at=None)
    current.update(ended_at=timezone.now())
    seats.return_all_of(person=person, project=project)
    ledger.record(
        project=project,
        kind=KIND,
        subject=person.username,
        content={"pseudonym": membership.pseudonym, "named_at": place, "texts": texts},
        actor=actor,
    )
    if texts:
        consent.withdraw(actor=person, project=project)
        withdraw_paraphrases(actor=person, project=project)  # also where nobody asked for consent


def _cancel_imports(person: Person) -> None:
    """Stop the person's imports that are on their way, and delete their files."""
    jobs = ImportJob.objects.filter(created_by=person, state__in=OPEN_JOBS)
    jobs.filter(state=ImportJob.State.RUNNING).update(cancel_wanted=True)
    waiting = list(jobs.exclude(state=ImportJob.State.RUNNING))
    ImportJob.objects.filter(pk__in=[job.pk for job in waiting]).update(
        state=ImportJob.State.CANCELLED, ended_at=timezone.now(), lease_owner="", leased_until=None
    )
    for job in waiting:
        transaction.on_commit(partial(uploads.forget, job.public_id))


def _forget_name(memberships: list[Membership], old: str, new: str) -> None:
    """Replace the old name where notes of imports quote it, and drop replies that tell it."""
    projects = [membership.project_id for membership in memberships]
    jobs = ImportJob.objects.filter(project__in=projects)
    for job in _with_text(jobs, old, "mapping", "report"):
        mapping, report = _renamed(job.mapping, old, new), _renamed(job.report, old, new)
        ImportJob.objects.filter(pk=job.pk).update(mapping=mapping, report=report)
    told = [
        reply.pk
        for reply in _with_text(IdempotentReply.objects.all(), old, "body")
        if _renamed(reply.answer, old, new) != reply.answer
    ]
    IdempotentReply.objects.filter(pk__in=told).delete()


def _with_text(rows: QuerySet[Row], text: str, *columns: str) -> list[Row]:
    """The rows in which one of these columns of JSON has the text, maybe within a word."""
    found = Q()
    for column in columns:
        rows = rows.alias(**{f"{column}_text": Cast(column, TextField())})
        # SQLite keeps letters outside ASCII as escapes, PostgreSQL as they are.
        # What is a text of JSON itself has its escapes twice.
        once = json.dumps(text)[1:-1]
        for spelled in {text, once, json.dumps(once)[1:-1]}:
            found |= Q(**{f"{column}_text__contains": spelled})
    return list(rows.filter(found))


def _renamed(value: Any, old: str, new: str) -> Any:
    """The value with the name replaced where it is a whole text, is quoted, or stands in a list of
    who is who (“p1=anna, p2=ben”).
    """
    if isinstance(value, str):
        quoted = value.replace(f"“{old}”", f"“{new}”")
        return new if value == old else _who_is_who(quoted, old, new)
    if isinstance(value, dict):
        return {key: _renamed(part, old, new) for key, part in value.items()}
    if isinstance(value, list):
        return [_renamed(part, old, new) for part in value]
    return value


def _who_is_who(text: str, old: str, new: str) -> str:
    if f"={old}" not in text.replace(" ", ""):
        return text
    pairs = [[part.strip() for part in pair.split("=")] for pair in text.split(",")]
    return ", ".join("=".join(new if part == old else part for part in pair) for pair in pairs)
