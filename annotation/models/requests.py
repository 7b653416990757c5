from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models.people import Person, Project


class RequestClass(models.Model):
    """The task type for which one verdict is given (for example `dated-fact`)."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="request_classes")
    name = models.CharField(max_length=60)

    class Meta:
        ordering = ["name"]
        verbose_name_plural = "request classes"
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="request_class_once")
        ]

    def __str__(self) -> str:
        return self.name


class RequestQuerySet(models.QuerySet["Request"]):
    def with_words(self) -> "RequestQuerySet":
        """Load what a page shows of a request in a constant number of queries."""
        return self.select_related("request_class").prefetch_related("turns")


class Request(models.Model):
    """What a user asked: permitted Turns plus the current text.

    `answers` and `evidence` are for scoring only; nobody who still may annotate is shown them.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="requests")
    key = models.CharField(max_length=200)
    request_class = models.ForeignKey(
        RequestClass, on_delete=models.PROTECT, related_name="requests"
    )
    text = models.TextField()
    reference_date = models.DateField(null=True, blank=True)
    answers = models.JSONField(null=True, blank=True)
    evidence = models.JSONField(null=True, blank=True)
    metadata = models.JSONField(default=dict)
    # Who brought its answers and evidence knows them, and gets no Sheet of it.
    created_by = models.ForeignKey(
        Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    sha256 = models.CharField(max_length=64)
    position = models.PositiveIntegerField()

    objects = RequestQuerySet.as_manager()

    class Meta:
        ordering = ["project_id", "position", "pk"]
        indexes = [models.Index(fields=["project", "position"], name="request_order")]
        constraints = [
            models.UniqueConstraint(fields=["project", "key"], name="request_key_once"),
            models.CheckConstraint(condition=~models.Q(text=""), name="request_has_text"),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def texts(self) -> list[str]:
        """Every turn's text in order, the current text last: what a span's `turn` counts."""
        return [*(turn.text for turn in self.turns.all()), self.text]


class Turn(models.Model):
    """One permitted turn of the conversation before the current text."""

    class Speaker(models.TextChoices):
        USER = "user", _("user")
        ASSISTANT = "assistant", _("assistant")

    request = models.ForeignKey(Request, on_delete=models.CASCADE, related_name="turns")
    position = models.PositiveSmallIntegerField()
    role = models.CharField(max_length=12, choices=Speaker)
    text = models.TextField()

    class Meta:
        ordering = ["request_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["request", "position"], name="turn_position_once"),
            models.CheckConstraint(
                condition=models.Q(role__in=["user", "assistant"]), name="turn_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role}: {self.text[:40]}"
