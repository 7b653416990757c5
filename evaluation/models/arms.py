from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Project, Request


class Arm(models.Model):
    """`original`, `human`, or a named candidate rewriter, run here or uploaded."""

    class Source(models.TextChoices):
        ORIGINAL = "original", _("original search")
        HUMAN = "human", _("human reference")
        ENGINE = "engine", _("rewriter run here")
        UPLOADED = "uploaded", _("uploaded rewrites")

    RESERVED: ClassVar[tuple[str, ...]] = ("original", "human")

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="arms")
    name = models.SlugField(max_length=80)
    source = models.CharField(max_length=10, choices=Source)
    rewriter = models.CharField(max_length=40, blank=True)
    parameters = models.JSONField(default=dict)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="arm_name_once"),
            models.CheckConstraint(
                condition=models.Q(source__in=["original", "human", "uploaded"], rewriter="")
                | (models.Q(source="engine") & ~models.Q(rewriter="")),
                name="arm_engine_names_rewriter",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_default(self) -> bool:
        """Whether it is a rewriter under its own name, with every parameter at its default."""
        return self.source == self.Source.ENGINE and self.name == self.rewriter

    @property
    def is_candidate(self) -> bool:
        return self.source in (self.Source.ENGINE, self.Source.UPLOADED)


class UploadedRewrite(models.Model):
    """One line of an arm's rewrites.jsonl, as it came."""

    arm = models.ForeignKey(Arm, on_delete=models.PROTECT, related_name="uploaded_rewrites")
    request = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="+")
    content = models.JSONField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["arm", "request"], name="uploaded_rewrite_once")
        ]

    def __str__(self) -> str:
        return f"{self.arm}: {self.request}"


class UploadedRun(models.Model):
    """One line of an arm's run.jsonl: the hits and the answer that a team's own pipeline logged."""

    arm = models.ForeignKey(Arm, on_delete=models.PROTECT, related_name="uploaded_runs")
    request = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="+")
    content = models.JSONField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["arm", "request"], name="uploaded_run_once")]

    def __str__(self) -> str:
        return f"{self.arm}: {self.request}"
