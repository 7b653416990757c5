from django.db import models

from annotation.models import Document, Request


class Variation(models.Model):
    """A surface variant of a Request with the same intent, and how it was made and checked."""

    request = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="variations")
    kind = models.CharField(max_length=40)
    text = models.TextField()
    generator = models.CharField(max_length=120)
    version = models.CharField(max_length=40)
    seed = models.BigIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=1)
    validation = models.JSONField(default=dict)

    class Meta:
        ordering = ["request_id", "kind", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["request", "kind", "generator", "version", "seed"],
                name="variation_once",
            ),
            models.CheckConstraint(condition=~models.Q(text=""), name="variation_has_text"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.request}"


class Perturbation(models.Model):
    """A surface variant of a Document with the same facts."""

    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="perturbations")
    kind = models.CharField(max_length=40)
    setting = models.CharField(max_length=40)
    text = models.TextField()
    generator = models.CharField(max_length=120)
    version = models.CharField(max_length=40)
    seed = models.BigIntegerField(default=0)
    validation = models.JSONField(default=dict)

    class Meta:
        ordering = ["document_id", "kind", "setting", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["document", "setting", "generator", "version", "seed"],
                name="perturbation_once",
            ),
            models.CheckConstraint(condition=~models.Q(text=""), name="perturbation_has_text"),
        ]

    def __str__(self) -> str:
        return f"{self.setting} of {self.document}"
