"""A write that is sent twice with one `Idempotency-Key` is done once: the second gets the first
one's answer.
"""

import hashlib
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.problems import MEDIA_TYPE, Problem
from annotation.canonical import content_hash
from annotation.models import IdempotentReply, Person

HEADER = "Idempotency-Key"
MAX_KEY = 200
KEPT_FOR = timedelta(hours=24)
# A first request that is silent for so long died: the next one with its key takes its place.
GIVEN_UP_AFTER = timedelta(minutes=10)
RETRY_AFTER = {"Retry-After": "1"}


def key_of(request: Request) -> str:
    """The key that was sent, or the empty string."""
    key = request.headers.get(HEADER, "").strip()
    if len(key) > MAX_KEY or not key.isprintable():
        raise Problem(
            400,
            _("The Idempotency-Key must be at most %(n)d visible characters.") % {"n": MAX_KEY},
            kind="bad-key",
        )
    return key


def fingerprint_of(request: Request) -> str:
    """The hash of what was asked: verb, address and the body's meaning. Files count by content."""
    parts = [(name, _part(value)) for name, value in sorted(_items(request.data))]
    return content_hash([request.method, request.get_full_path(), parts])


def once(*, person: Person, key: str, fingerprint: str, act: Callable[[], Response]) -> Response:
    """Do the act, or give the answer that this key got before."""
    if not key:
        return act()
    reply = _claimed(person, key, fingerprint)
    if reply is None:
        return _given_before(person, key, fingerprint)
    try:
        response = act()
    except BaseException:
        reply.delete()  # a fault of ours: nothing was answered, so it may be tried again
        raise
    if not isinstance(response, Response) or response.status_code in (429, *range(500, 600)):
        reply.delete()  # a file is not kept, and what was not answered may be tried again
        return response
    reply.status, reply.body = response.status_code, _stored(response.data)
    reply.save(update_fields=["status", "body"])
    return response


def sweep(*, person: Person) -> int:
    """Forget the person's answers that are older than a day; return how many."""
    old = IdempotentReply.objects.filter(
        person=person, created_at__lt=timezone.now() - KEPT_FOR
    ).delete()
    return old[0]


def _claimed(person: Person, key: str, fingerprint: str) -> IdempotentReply | None:
    """The row of a first request; None when the key was used before."""
    sweep(person=person)
    try:
        with transaction.atomic():
            return IdempotentReply.objects.create(person=person, key=key, fingerprint=fingerprint)
    except IntegrityError:
        return _taken_over(person, key, fingerprint)


def _taken_over(person: Person, key: str, fingerprint: str) -> IdempotentReply | None:
    now = timezone.now()
    silent = IdempotentReply.objects.filter(
        person=person, key=key, fingerprint=fingerprint, status=None,
        created_at__lt=now - GIVEN_UP_AFTER,
    )  # fmt: skip
    if silent.update(created_at=now):
        return IdempotentReply.objects.get(person=person, key=key)
    return None


def _given_before(person: Person, key: str, fingerprint: str) -> Response:
    earlier = IdempotentReply.objects.filter(person=person, key=key).first()
    if earlier is None or (earlier.status is None and earlier.fingerprint == fingerprint):
        raise Problem(
            409,
            _("The first request with this key is still at work: ask again in a second."),
            kind="still-at-work",
            headers=RETRY_AFTER,
        )
    if earlier.fingerprint != fingerprint:
        raise Problem(
            422, _("This key was used for another request: take a new one."), kind="key-reused"
        )
    refused = (earlier.status or 0) >= 400
    return Response(
        earlier.answer,
        status=earlier.status,
        content_type=MEDIA_TYPE if refused else None,
        headers={"Idempotent-Replayed": "true"},
    )


def _stored(data: Any) -> str | None:
    """The answer as its own text: a database that sorts the fields would change its bytes."""
    return None if data is None else JSONRenderer().render(data).decode()


def _items(data: Any) -> list[tuple[str, Any]]:
    if hasattr(data, "lists"):  # a form: a name may stand several times
        return [(str(name), values) for name, values in data.lists()]
    return list(data.items()) if isinstance(data, dict) else [("", data)]


def _part(value: Any) -> Any:
    if isinstance(value, list):
        return [_part(part) for part in value]
    if isinstance(value, UploadedFile):
        digest = hashlib.sha256()
        for chunk in value.chunks():
            digest.update(chunk)
        value.seek(0)
        return [value.name, digest.hexdigest()]
    return value
