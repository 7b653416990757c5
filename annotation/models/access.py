"""How programs come in, what they sent before, and how often somebody tried."""

import json
from datetime import datetime
from typing import Any

from django.db import models

from annotation.models.people import Person


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def usable(self, now: datetime) -> "ApiTokenQuerySet":
        return self.filter(revoked_at=None).filter(
            models.Q(expires_at=None) | models.Q(expires_at__gt=now)
        )


class ApiToken(models.Model):
    """A person's key to the API, shown once. It never allows more than its person may do; `scopes`
    allow less. Only its hash is kept; `prefix` tells tokens apart in lists.
    """

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=12)
    token_sha256 = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.name} of {self.person}"


class IdempotentReply(models.Model):
    """What a write with an `Idempotency-Key` answered: the same key gets the same answer again."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    fingerprint = models.CharField(max_length=64)
    # Empty while the first request is still at work.
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    body = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "idempotent replies"
        constraints = [
            models.UniqueConstraint(fields=["person", "key"], name="idempotency_key_once")
        ]

    def __str__(self) -> str:
        return f"{self.key} of {self.person}"

    @property
    def answer(self) -> Any:
        """The data that were answered, their fields in the order in which they were."""
        return json.loads(self.body) if isinstance(self.body, str) else self.body


class Attempts(models.Model):
    """How often something was tried within one window of time, counted by the database."""

    subject = models.CharField(max_length=64, unique=True)  # a hash: no names, no addresses
    window_from = models.DateTimeField()
    count = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "attempts"

    def __str__(self) -> str:
        return f"{self.count} since {self.window_from}"
