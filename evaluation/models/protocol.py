from django.db import models

from annotation.models import Corpus, Person, Project


class Protocol(models.Model):
    """The preregistered rules: floors, ceilings, tests, for each RequestClass; sealed before the
    first result.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="protocols")
    name = models.CharField(max_length=80)
    version = models.PositiveIntegerField()
    content = models.JSONField()
    sha256 = models.CharField(max_length=64)
    supersedes = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="superseded_by"
    )
    registered_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    registered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name", "version"], name="protocol_version_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


class Conditions(models.Model):
    """Everything frozen for a Run, identified by the SHA-256 of its canonical JSON."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="conditions")
    corpus = models.ForeignKey(Corpus, on_delete=models.PROTECT, related_name="conditions")
    content = models.JSONField()
    sha256 = models.CharField(max_length=64)
    frozen_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    frozen_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "conditions"
        constraints = [
            models.UniqueConstraint(fields=["project", "sha256"], name="conditions_content_once")
        ]

    def __str__(self) -> str:
        return f"conditions {self.sha256[:8]}"
