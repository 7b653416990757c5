"""Sets of variations, what people said of them, and suites that were run over them."""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from annotation.models import Corpus, Person, Project, Request
from evaluation.models.variants import Variation


class VariationSetQuerySet(models.QuerySet["VariationSet"]):
    def unattended(self) -> "VariationSetQuerySet":
        """Sets that are not made yet and on which nobody works now, by the database's clock."""
        silent = models.Q(leased_until__isnull=True) | models.Q(leased_until__lt=Now())
        return self.filter(silent, state=VariationSet.State.MAKING)


class VariationSet(models.Model):
    """The requests of a project, some of them replaced by a variation: made once by a recipe, then
    never changed.

    `recipe` says what was asked for and of which versions; `manifest` what came of it, item by
    item, and is what `sha256` is over.
    """

    class State(models.TextChoices):
        MAKING = "making", _("being made")
        MADE = "made", _("made")
        FAILED = "failed", _("failed")

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="variation_sets")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=80)
    recipe = models.JSONField()
    state = models.CharField(max_length=8, choices=State, default=State.MAKING)
    error = models.TextField(blank=True)
    notice = models.TextField(blank=True)
    worker = models.CharField(max_length=80, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    manifest = models.JSONField(null=True, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    made_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    made_at = models.DateTimeField(null=True, blank=True)

    objects = VariationSetQuerySet.as_manager()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="variation_set_number_once"),
            models.UniqueConstraint(fields=["project", "name"], name="variation_set_name_once"),
            models.CheckConstraint(
                condition=models.Q(state__in=["making", "made", "failed"]),
                name="variation_set_state_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.project})"


class VariationItem(models.Model):
    """One request of a set: clean, with a variation of its kind, or with none that could stand.

    `kind` is empty for a clean request. Where a kind has no variation, `why` says so, and
    `rejected` what was made and might not stand.
    """

    set = models.ForeignKey(VariationSet, on_delete=models.CASCADE, related_name="items")
    request = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="+")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=40, blank=True)
    variation = models.ForeignKey(
        Variation, on_delete=models.PROTECT, null=True, blank=True, related_name="items"
    )
    why = models.TextField(blank=True)
    rejected = models.JSONField(default=list, blank=True)
    # Drawn for people to look at.
    sampled = models.BooleanField(default=False)

    class Meta:
        ordering = ["set_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["set", "request"], name="variation_item_once"),
            models.CheckConstraint(
                condition=models.Q(variation__isnull=True) | ~models.Q(kind=""),
                name="variation_item_has_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind or 'clean'} {self.request} in {self.set}"


class VariationReview(models.Model):
    """What one person said of one variation, without seeing what others said."""

    item = models.ForeignKey(VariationItem, on_delete=models.CASCADE, related_name="reviews")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    meaning_kept = models.BooleanField()
    category_right = models.BooleanField()
    note = models.TextField(blank=True)
    reviewed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["item", "person"], name="variation_review_once")
        ]

    def __str__(self) -> str:
        return f"review of {self.item} by {self.person}"


class SuiteRunQuerySet(models.QuerySet["SuiteRun"]):
    def unattended(self) -> "SuiteRunQuerySet":
        """Runs that are not over and on which nobody works now, by the database's clock."""
        silent = models.Q(leased_until__isnull=True) | models.Q(leased_until__lt=Now())
        return self.filter(silent, state__in=SuiteRun.WORKED_ON)


class SuiteRun(models.Model):
    """One run of a robustness suite under frozen conditions. Its state is here, never in Celery.

    `content` is everything frozen and what `sha256` is over; `result` is computed from the rows
    when all are there.
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting for a worker")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    WORKED_ON = (State.QUEUED, State.RUNNING)
    OVER = (State.FINISHED, State.FAILED, State.CANCELLED)

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="suite_runs")
    suite = models.CharField(max_length=20)
    number = models.PositiveIntegerField()
    corpus = models.ForeignKey(Corpus, on_delete=models.PROTECT, related_name="+")
    content = models.JSONField()
    sha256 = models.CharField(max_length=64)
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    error = models.TextField(blank=True)
    notice = models.TextField(blank=True)
    worker = models.CharField(max_length=80, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    total = models.PositiveIntegerField(default=0)  # rows that it will have
    result = models.JSONField(null=True, blank=True)
    result_sha256 = models.CharField(max_length=64, blank=True)
    started_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = SuiteRunQuerySet.as_manager()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "suite", "number"], name="suite_run_number_once"
            ),
            models.CheckConstraint(
                condition=models.Q(
                    state__in=["queued", "running", "finished", "failed", "cancelled"]
                ),
                name="suite_run_state_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.suite} run {self.number} of {self.project}"

    @property
    def is_over(self) -> bool:
        return self.state in self.OVER


class SuiteRow(models.Model):
    """What one method made of one wording of one request. Append-only: a row that is there is not
    computed again.

    `key` says which: the method, and the wordings that were shown and searched. Sets that share a
    wording share the row.
    """

    run = models.ForeignKey(SuiteRun, on_delete=models.CASCADE, related_name="rows")
    request = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="+")
    key = models.CharField(max_length=120)
    content = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["run", "request", "key"], name="suite_row_once")
        ]

    def __str__(self) -> str:
        return f"{self.key} of {self.request} in {self.run}"
