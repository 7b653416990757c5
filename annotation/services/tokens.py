"""Tokens with which a person's programs come in. A token is shown once; what is kept cannot be
turned back into it.
"""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import ApiToken, Person
from annotation.services.projects import Refused

SCOPES: dict[str, Promise] = {
    "read": gettext_lazy("read what I may read"),
    "annotate": gettext_lazy("take seats, save drafts, seal"),
    "import": gettext_lazy("import files"),
    "export": gettext_lazy("export"),
    "run": gettext_lazy("pause, resume, cancel and extend runs"),
    "manage": gettext_lazy("manage people and projects"),
}
LIFETIME = timedelta(days=90)
USE_NOTED_EVERY = timedelta(minutes=1)
BEGINNING = "intact"
_SECRET_BYTES = 24  # 192 random bits


def create_token(
    *, actor: Person, name: str, scopes: Iterable[str], lifetime: timedelta | None = LIFETIME
) -> tuple[ApiToken, str]:
    """Make a token of the person's own; return it with the text that is shown this once. A
    lifetime of None never ends.
    """
    wanted = [scope for scope in SCOPES if scope in set(scopes)]
    if not name.strip():
        raise Refused(_("Give the token a name, so that you know it again."))
    if not wanted:
        raise Refused(_("Choose at least one thing that the token may do."))
    prefix = secrets.token_hex(4)
    text = f"{BEGINNING}_{prefix}_{secrets.token_hex(_SECRET_BYTES)}"
    token = ApiToken.objects.create(
        person=actor,
        name=name.strip(),
        prefix=prefix,
        token_sha256=_kept(text, actor),
        scopes=wanted,
        expires_at=timezone.now() + lifetime if lifetime else None,
    )
    return token, text


def revoke_token(*, actor: Person, token: ApiToken) -> None:
    """End one of the person's own tokens at once."""
    ApiToken.objects.filter(pk=token.pk, person=actor, revoked_at=None).update(
        revoked_at=timezone.now()
    )


def find_token(text: str) -> ApiToken | None:
    """Return the usable token with its person; None for anything that lets nobody in."""
    parts = text.split("_")
    if len(parts) != 3 or parts[0] != BEGINNING:
        return None
    usable = ApiToken.objects.usable(timezone.now()).select_related("person")
    for token in usable.filter(prefix=parts[1], person__is_active=True):
        if constant_time_compare(token.token_sha256, _kept(text, token.person)):
            return token
    return None


def note_use(token: ApiToken) -> None:
    """Write down that the token was used, at most once a minute."""
    now = timezone.now()
    if token.last_used_at and token.last_used_at > now - USE_NOTED_EVERY:
        return
    late = Q(last_used_at=None) | Q(last_used_at__lte=now - USE_NOTED_EVERY)
    ApiToken.objects.filter(late, pk=token.pk).update(last_used_at=now)


def _kept(text: str, person: Person) -> str:
    """The hash that is stored. It covers the password's own hash, so that a new password ends the
    token whichever way it was set.
    """
    return hashlib.sha256(f"{text}\n{person.password}".encode()).hexdigest()
