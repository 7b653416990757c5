from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from annotation.models import Person, Project, Request
from contracts.models import Contract
from evaluation.models.arms import Arm
from evaluation.models.protocol import Conditions, Protocol
from evaluation.scoring.protocol import JUDGES


class RunQuerySet(models.QuerySet["Run"]):
    def with_void(self) -> "RunQuerySet":
        """With `void_version` and `void_at` of the newest registration that supersedes the rules of
        a run; None while its decisions stand.
        """
        newer = Protocol.objects.filter(
            project=models.OuterRef("project"),
            name=models.OuterRef("protocol__name"),
            version__gt=models.OuterRef("protocol__version"),
        ).order_by("-version")
        return self.annotate(
            void_version=models.Subquery(newer.values("version")[:1]),
            void_at=models.Subquery(newer.values("registered_at")[:1]),
        )

    def unattended(self) -> "RunQuerySet":
        """Runs that are not over and on which nobody works now: their message was lost, or their
        worker died.
        """
        attended = Case.objects.filter(
            run=models.OuterRef("pk"),
            state=Case.State.RUNNING,
            leased_until__gte=Now(),
        )
        return self.filter(state__in=Run.WORKED_ON).exclude(models.Exists(attended))


class Run(models.Model):
    """Cases of several arms under one Protocol and one set of Conditions. Its state is here, never
    in Celery.
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting for a worker")
        RUNNING = "running", _("running")
        PAUSED = "paused", _("paused")
        FINISHED = "finished", _("finished")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    WORKED_ON = (State.QUEUED, State.RUNNING)
    OVER = (State.FINISHED, State.FAILED, State.CANCELLED)

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
    # What its workers wait for at the moment, as a sentence: an endpoint that is away, for example.
    notice = models.TextField(blank=True)
    # Compute everything anew: by default the stages of equal cases of earlier runs are taken over.
    fresh = models.BooleanField(default=False)
    # Conclude although cases failed: they are counted beside the scores and never scored.
    without_failed = models.BooleanField(default=False)
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
                condition=models.Q(
                    state__in=["queued", "running", "paused", "finished", "failed", "cancelled"]
                ),
                name="run_state_known",
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.number} of {self.project}"

    @property
    def judging(self) -> str:
        """Whom its rules have judge: one of `scoring.protocol.JUDGING`."""
        return str(self.protocol.content["judging"]) if self.protocol else "automatic"

    @property
    def judges(self) -> int:
        """How many people judge each item that people judge."""
        return int(self.protocol.content.get("judges", JUDGES)) if self.protocol else JUDGES

    @property
    def is_over(self) -> bool:
        return self.state in self.OVER

    @property
    def is_worked_on(self) -> bool:
        return self.state in self.WORKED_ON


class CaseQuerySet(models.QuerySet["Case"]):
    def open(self) -> "CaseQuerySet":
        return self.filter(state__in=[Case.State.PENDING, Case.State.RUNNING])

    def lost(self) -> "CaseQuerySet":
        """Cases without a result: their endpoint failed, or their workers ended three times."""
        return self.filter(state__in=[Case.State.FAILED, Case.State.DEAD])

    def claimable(self) -> "CaseQuerySet":
        """Pending cases, and running ones whose worker went silent, by the database's clock."""
        return self.filter(
            models.Q(state=Case.State.PENDING)
            | models.Q(state=Case.State.RUNNING, leased_until__lt=Now())
        )


class Case(models.Model):
    """One Request under one Arm in one Run."""

    class State(models.TextChoices):
        PENDING = "pending", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        DEAD = "dead", _("given up")

    MAX_ATTEMPTS = 3
    # After so many lost workers it is run alone, so that the next loss can be laid to it.
    MAX_BESIDE_OTHERS = 3

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="cases")
    arm = models.ForeignKey(Arm, on_delete=models.PROTECT, related_name="cases")
    request = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="cases")
    contract = models.ForeignKey(
        Contract, on_delete=models.PROTECT, null=True, blank=True, related_name="cases"
    )
    state = models.CharField(max_length=8, choices=State, default=State.PENDING)
    # Times that it was begun alone and beside others, without those that ended in good order.
    attempts = models.PositiveSmallIntegerField(default=0)
    beside_others = models.PositiveSmallIntegerField(default=0)
    lease_owner = models.CharField(max_length=80, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    status = models.CharField(max_length=20, blank=True)  # ok, or the kind of failure
    error = models.TextField(blank=True)
    # How many of its four stages are kept, in their order; the rows themselves are StageResults.
    stages_done = models.PositiveSmallIntegerField(default=0)
    closed_at = models.DateTimeField(null=True, blank=True)
    # The scored record, computed from the stage rows and judgements when the run is concluded.
    outcome = models.JSONField(null=True, blank=True)

    objects = CaseQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["run", "state"], name="case_by_state")]
        constraints = [
            models.UniqueConstraint(fields=["run", "arm", "request"], name="case_once"),
            models.CheckConstraint(
                condition=models.Q(state__in=["pending", "running", "done", "failed", "dead"]),
                name="case_state_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.request} under {self.arm} in {self.run}"

    @property
    def must_be_alone(self) -> bool:
        """Whether its workers were lost so often that it is run with no other beside it."""
        return self.beside_others > self.MAX_BESIDE_OTHERS


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
    # The earlier run of equal conditions whose row this is a copy of.
    taken_from = models.ForeignKey(
        Run, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
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


class Call(models.Model):
    """One call to an outside service in a run, by the hash of what was sent and its repeat index.

    The row is there before the call is made, so that equal calls of a run are made once, by
    whichever worker. `reply` is null while its worker waits; what could not be read is not kept.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="calls")
    key = models.CharField(max_length=64)
    reply = models.JSONField(null=True, blank=True)
    worker = models.CharField(max_length=80)
    leased_until = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["run", "key"], name="call_once")]

    def __str__(self) -> str:
        return f"call {self.key[:12]} of {self.run}"
