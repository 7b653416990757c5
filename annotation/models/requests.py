from collections.abc import Sequence
from datetime import date

from django.db import models
from django.db.models.functions import Coalesce, Substr
from django.utils.translation import gettext_lazy as _

from annotation.models.people import Person, Project

SHOWN_OF_TEXT = 221  # characters of a text that a list reads: one more than it shows


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
        return self.select_related("request_class", "project").prefetch_related("turns")

    def listed(self, ids: Sequence[int]) -> "RequestQuerySet":
        """A page of a list: the beginning of each text as `beginning`, the number of turns before
        it as `turns_before`, and none of what is long.
        """
        turns = Turn.objects.filter(request=models.OuterRef("pk")).order_by().values("request")
        count = models.Subquery(turns.annotate(n=models.Count("pk")).values("n"))
        beginning = Substr("text", 1, SHOWN_OF_TEXT)
        found = self.filter(pk__in=ids).select_related("request_class").order_by("position", "pk")
        return found.defer("text", "answers", "evidence", "metadata").annotate(
            beginning=beginning, turns_before=Coalesce(count, 0)
        )


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
        indexes = [
            models.Index(fields=["project", "position"], name="request_order"),
            models.Index(fields=["request_class", "position"], name="request_order_in_class"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["project", "key"], name="request_key_once"),
            models.CheckConstraint(condition=~models.Q(text=""), name="request_has_text"),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def asked_on(self) -> date | None:
        """The day that “now” means in it: its own reference date, else the project's."""
        return self.reference_date or self.project.reference_date

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
