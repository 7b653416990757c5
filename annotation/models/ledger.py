from typing import Any, NoReturn

from django.db import models

from annotation.canonical import content_hash
from annotation.models.people import Person, Project


class AppendOnly(Exception):
    """Somebody tried to change or delete what is sealed."""


class LedgerQuerySet(models.QuerySet["LedgerEntry"]):
    def visible_to(self, person: Person, *, annotates: bool) -> "LedgerQuerySet":
        """Who annotates is not told what the others have sealed."""
        if not annotates:
            return self
        # What others did, read or took out tells how far their work is; silent items stand among
        # the work, and that their contract is known must not be known.
        peers = models.Q(kind__in=["exposed", "exported", "export.begun"])
        peers |= models.Q(kind__endswith=".requeued")
        starts = (
            *("sheet.", "adjudication.", "contract.", "paraphrase.", "standalone."),
            *("gold.", "twin."),
        )
        for start in starts:
            peers |= models.Q(kind__startswith=start)
        return self.exclude(peers & ~models.Q(actor=person))

    def update(self, **kwargs: Any) -> NoReturn:
        raise AppendOnly("The ledger is append-only: an entry is never changed.")

    def delete(self) -> NoReturn:
        raise AppendOnly("The ledger is append-only: an entry is never deleted.")


class LedgerEntry(models.Model):
    """One sealing. `hash` covers the entry and the hash before it, so that any later change
    shows.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="ledger")
    sequence = models.PositiveIntegerField()
    kind = models.CharField(max_length=40)
    subject = models.CharField(max_length=200)
    content = models.JSONField()
    actor = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    # ISO 8601, UTC: text, so that the hash covers exactly what is stored
    at = models.CharField(max_length=32)
    previous_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)

    objects = LedgerQuerySet.as_manager()

    class Meta:
        ordering = ["project_id", "sequence"]
        verbose_name_plural = "ledger entries"
        indexes = [
            models.Index(
                fields=["project", "kind", "actor", "subject"], name="ledger_of_actor_and_subject"
            )
        ]
        constraints = [
            models.UniqueConstraint(fields=["project", "sequence"], name="ledger_sequence_once")
        ]

    def __str__(self) -> str:
        return f"{self.sequence} {self.kind} {self.subject}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise AppendOnly("The ledger is append-only: an entry is never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise AppendOnly("The ledger is append-only: an entry is never deleted.")

    def computed_hash(self) -> str:
        return content_hash(
            {
                "project": self.project_id,
                "sequence": self.sequence,
                "kind": self.kind,
                "subject": self.subject,
                "content": self.content,
                "actor": self.actor_id,
                "at": self.at,
                "previous_hash": self.previous_hash,
            }
        )
