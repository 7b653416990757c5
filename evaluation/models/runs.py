from datetime import datetime

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from annotation.models import Person, Project, Request
from contracts.models import Contract
from evaluation.models.arms import Arm
from evaluation.models.protocol import Conditions, Protocol


class RunQuerySet(models.QuerySet["Run"]):
    def unattended(self) -> "RunQuerySet":
        """Runs that are not over and on which nobody works now: their message was lost, or their
        worker died.
        """
        attended = Case.objects.filter(
            run=models.OuterRef("pk"),
            state=Case.State.RUNNING,
            leased_until__gte=Now(),
        )
        return self.filter(state__in=[Run.State.QUEUED, Run.State.RUNNING]).exclude(
            models.Exists(attended)
        )


class Run(models.Model):
    """Cases of several arms under one Protocol and one set of Conditions. Its state is here, never
    in Celery.
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting for a worker")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        FAILED = "failed", _("failed")

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="runs")
    number = models.PositiveIntegerField()
    # A retrieval-only project gives no verdicts, so its runs need no protocol.
    protocol = models.ForeignKey(
        Protocol, on_delete=models.PROTECT, null=True, blank=True, related_name="runs"
    )
    conditions = models.ForeignKey(Conditions, on_delete=models.PROTECT, related_name="runs")
    arms = models.ManyToManyField(Arm, related_name="runs")
    arm_content = models.JSONField()  # what each arm was when the run started, by name
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    error = models.TextField(blank=True)
    # The scorecard and everything else computed from the rows when the run was concluded.
    result = models.JSONField(null=True, blank=True)
    result_sha256 = models.CharField(max_length=64, blank=True)
    started_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="run_number_once"),
            models.CheckConstraint(
                condition=models.Q(state__in=["queued", "running", "finished", "failed"]),
                name="run_state_known",
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.number} of {self.project}"

    @property
    def is_over(self) -> bool:
        return self.state in (self.State.FINISHED, self.State.FAILED)


class CaseQuerySet(models.QuerySet["Case"]):
    def open(self) -> "CaseQuerySet":
        return self.filter(state__in=[Case.State.PENDING, Case.State.RUNNING])

    def claimable(self, now: datetime) -> "CaseQuerySet":
        """Pending cases, and running ones whose worker went silent."""
        return self.filter(
            models.Q(state=Case.State.PENDING)
            | models.Q(state=Case.State.RUNNING, leased_until__lt=now)
        )


class Case(models.Model):
    """One Request under one Arm in one Run."""

    class State(models.TextChoices):
        PENDING = "pending", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    MAX_ATTEMPTS = 3

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="cases")
    arm = models.ForeignKey(Arm, on_delete=models.PROTECT, related_name="cases")
    request = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="cases")
    contract = models.ForeignKey(
        Contract, on_delete=models.PROTECT, null=True, blank=True, related_name="cases"
    )
    state = models.CharField(max_length=8, choices=State, default=State.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_owner = models.CharField(max_length=80, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    status = models.CharField(max_length=20, blank=True)  # ok, or the kind of failure
    error = models.TextField(blank=True)
    # The scored record, computed from the stage rows and judgements when the run is concluded.
    outcome = models.JSONField(null=True, blank=True)

    objects = CaseQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["run", "state"], name="case_by_state")]
        constraints = [
            models.UniqueConstraint(fields=["run", "arm", "request"], name="case_once"),
            models.CheckConstraint(
                condition=models.Q(state__in=["pending", "running", "done", "failed"]),
                name="case_state_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.request} under {self.arm} in {self.run}"


class StageResult(models.Model):
    """What one stage of a case gave. Append-only: a stage that has its row is not run again."""

    class Stage(models.TextChoices):
        REWRITE = "rewrite", _("rewrite")
        RETRIEVE = "retrieve", _("retrieval")
        ANSWER = "answer", _("answer")
        JUDGE = "judge", _("judgement")

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="stages")
    stage = models.CharField(max_length=8, choices=Stage)
    content = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["case", "stage"], name="stage_once"),
            models.CheckConstraint(
                condition=models.Q(stage__in=["rewrite", "retrieve", "answer", "judge"]),
                name="stage_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage} of {self.case}"
