from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import RequestClass
from evaluation.models.arms import Arm
from evaluation.models.runs import Run


class VerdictQuerySet(models.QuerySet["Verdict"]):
    def current(self, *runs: Run) -> "VerdictQuerySet":
        """The newest verdict of each run, class and candidate; an older one stays readable."""
        newer = Verdict.objects.filter(
            run=models.OuterRef("run"),
            arm=models.OuterRef("arm"),
            request_class=models.OuterRef("request_class"),
            version__gt=models.OuterRef("version"),
        )
        return self.filter(run__in=runs).exclude(models.Exists(newer))


class Verdict(models.Model):
    """Release, fall back or clarify for one RequestClass and one candidate, with every rule and
    number behind it.
    """

    class Outcome(models.TextChoices):
        RELEASE = "release", _("release")
        FALLBACK = "fallback", _("fall back")
        CLARIFY = "clarify", _("clarify")
        NOT_ASSESSABLE = "not_assessable", _("not assessable")

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="verdicts")
    arm = models.ForeignKey(Arm, on_delete=models.PROTECT, related_name="verdicts")
    request_class = models.ForeignKey(
        RequestClass, on_delete=models.PROTECT, related_name="verdicts"
    )
    version = models.PositiveIntegerField(default=1)
    outcome = models.CharField(max_length=16, choices=Outcome)
    content = models.JSONField()
    sha256 = models.CharField(max_length=64)
    computed_at = models.DateTimeField(auto_now_add=True)

    objects = VerdictQuerySet.as_manager()

    class Meta:
        ordering = ["arm_id", "request_class__name", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "arm", "request_class", "version"], name="verdict_version_once"
            ),
            models.CheckConstraint(
                condition=models.Q(
                    outcome__in=["release", "fallback", "clarify", "not_assessable"]
                ),
                name="verdict_outcome_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.request_class}: {self.outcome}"
