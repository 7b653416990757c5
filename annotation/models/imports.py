from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models.people import Person, Project


class ImportRecord(models.Model):
    """One file that came in whole: which, by whom, how many rows. The same bytes are not taken
    twice.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="import_records")
    kind = models.CharField(max_length=20)
    # for example the arm that the rows belong to
    target = models.CharField(max_length=80, blank=True)
    filename = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    row_count = models.PositiveIntegerField()
    created_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "kind", "target", "sha256"], name="import_file_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.filename} ({self.kind})"


class ImportJob(models.Model):
    """One file on its way in: uploaded, looked at, mapped, checked and written, here or by a
    worker. The file lies under a name of ours in the data folder until the job ends.
    """

    class State(models.TextChoices):
        UPLOADED = "uploaded", _("waits for its columns to be confirmed")
        QUEUED = "queued", _("waits for a worker")
        RUNNING = "running", _("being checked and written")
        DONE = "done", _("imported")
        REFUSED = "refused", _("refused")
        CANCELLED = "cancelled", _("cancelled")
        FAILED = "failed", _("stopped by a fault of ours")

    public_id = models.UUIDField(default=uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="import_jobs")
    kind = models.CharField(max_length=20)
    target = models.CharField(max_length=80, blank=True)
    filename = models.CharField(max_length=255)
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    # `columns`: a column of the file → ours; `encoding`, `delimiter`: as the person chose them
    mapping = models.JSONField(default=dict)
    dry_run = models.BooleanField(default=False)
    state = models.CharField(max_length=9, choices=State, default=State.UPLOADED)
    rows_total = models.PositiveIntegerField(null=True, blank=True)
    rows_done = models.PositiveIntegerField(default=0)
    # What the import reported, or the faults that refused it.
    report = models.JSONField(null=True, blank=True)
    cancel_wanted = models.BooleanField(default=False)
    created_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    lease_owner = models.CharField(max_length=80, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["state", "leased_until"], name="import_job_open")]

    def __str__(self) -> str:
        return f"{self.filename} ({self.state})"
