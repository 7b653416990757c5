"""Who may try a password, and what ends when an account's password or standing changes.

Attempts are counted by the database before a password is hashed; known and unknown names count
alike. Subjects are keyed hashes, so the table names nobody.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address, ip_network

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext

from annotation.models import ApiToken, Attempts, Person
from annotation.services.projects import Refused, refuse_ownerless, return_held_seats

WINDOW = timedelta(minutes=5)
KEPT = timedelta(days=1)
PER_ACCOUNT = 10
PER_ADDRESS = 200  # a whole team may come from one address


class TooMany(Refused):
    """Too many attempts; `wait` is how long until the next one counts."""

    def __init__(self, wait: timedelta) -> None:
        minutes = max(1, -(-int(wait.total_seconds()) // 60))
        super().__init__(
            ngettext(
                "Too many attempts. Try again in %(n)d minute.",
                "Too many attempts. Try again in %(n)d minutes.",
                minutes,
            )
            % {"n": minutes}
        )
        self.wait = wait


@dataclass(frozen=True)
class Limit:
    subject: str
    most: int


def count_password_check(*, username: str, address: str) -> None:
    """Count one check of a password, before it is made. Raises TooMany when the address or the
    account has had its share of this window.
    """
    # The address comes first: whoever has used it up cannot lock further accounts.
    _count(Limit(_subject("address", _network(address)), PER_ADDRESS))
    _count(Limit(_subject("account", username), PER_ACCOUNT))


def count_visit(*, address: str) -> None:
    """Count one attempt of a stranger that is no password check, against the address alone."""
    _count(Limit(_subject("address", _network(address)), PER_ADDRESS))


def forget_account(*, username: str) -> None:
    """Forget how often a password of this account was tried."""
    Attempts.objects.filter(subject=_subject("account", username)).delete()


def end_other_access(*, person: Person) -> None:
    """Revoke the person's API tokens. Their other sessions end by themselves: Django's sessions
    carry a hash of the password, and nobody inactive has one.
    """
    ApiToken.objects.filter(person=person, revoked_at=None).update(revoked_at=timezone.now())


@transaction.atomic
def deactivate(*, person: Person) -> None:
    """End the person's access: sessions, tokens and seats at work. What they wrote stays. Whoever
    is the only owner of a project is refused.
    """
    for membership in person.memberships.current().select_related("project"):
        refuse_ownerless(membership.project, person)
    Person.objects.filter(pk=person.pk).update(is_active=False)
    end_other_access(person=person)
    for membership in person.memberships.current().select_related("project"):
        return_held_seats(person=person, project=membership.project)


@transaction.atomic
def _take(limit: Limit, now: datetime) -> Attempts | None:
    """Count one attempt; the full row when none was left. The database decides, so that attempts
    at the same moment cannot pass together.
    """
    Attempts.objects.filter(window_from__lt=now - KEPT).delete()
    Attempts.objects.get_or_create(subject=limit.subject, defaults={"window_from": now})
    rows = Attempts.objects.filter(subject=limit.subject)
    rows.filter(window_from__lte=now - WINDOW).update(window_from=now, count=0)
    taken = rows.filter(count__lt=limit.most).update(count=F("count") + 1)
    return None if taken else rows.get()


def _count(limit: Limit) -> None:
    now = timezone.now()
    full = _take(limit, now)
    if full:
        raise TooMany(full.window_from + WINDOW - now)


def _subject(kind: str, value: str) -> str:
    return salted_hmac("annotation.log_in", f"{kind}:{value}", algorithm="sha256").hexdigest()


def _network(address: str) -> str:
    """The address, or for IPv6 the /64 that one subscriber has."""
    try:
        version = ip_address(address).version
    except ValueError:
        return "unknown"
    return str(ip_network(f"{address}/64", strict=False)) if version == 6 else address
