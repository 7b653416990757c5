from datetime import datetime
from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models.people import Person, Project
from annotation.models.requests import Request


class SeatQuerySet(models.QuerySet["Seat"]):
    def taken(self) -> "SeatQuerySet":
        """Seats that count against the number wanted: at work, sealed, or given up with a
        reason.
        """
        return self.exclude(state=Seat.State.RETURNED)

    def expired(self, now: datetime) -> "SeatQuerySet":
        return self.filter(state=Seat.State.HELD, leased_until__lt=now)


class Seat(models.Model):
    """One person's claim on one item of one kind of work, with a lease; never two people on one
    seat.

    `draft` is the person's unfinished work in the shape that its kind of work defines. A returned
    seat keeps it.
    """

    class State(models.TextChoices):
        HELD = "held", _("at work")
        SUBMITTED = "submitted", _("sealed")
        RETURNED = "returned", _("returned")
        CANNOT_JUDGE = "cannot_judge", _("cannot judge")

    MOVES = {
        State.HELD: {State.SUBMITTED, State.RETURNED, State.CANNOT_JUDGE},
        State.RETURNED: {State.HELD},
        State.SUBMITTED: set(),
        State.CANNOT_JUDGE: {State.RETURNED},
    }

    # The id in addresses: random, so that it says nothing about how many seats others took.
    public_id = models.UUIDField(default=uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="seats")
    request = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="seats")
    kind = models.CharField(max_length=20)
    slot = models.PositiveSmallIntegerField()
    holder = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="seats")
    state = models.CharField(max_length=12, choices=State, default=State.HELD)
    taken_at = models.DateTimeField()
    leased_until = models.DateTimeField()
    draft = models.JSONField(default=dict)
    draft_version = models.PositiveIntegerField(default=0)
    draft_saved_at = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(blank=True)

    objects = SeatQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["request", "kind", "slot"],
                condition=~models.Q(state="returned"),
                name="seat_slot_once",
            ),
            models.UniqueConstraint(
                fields=["request", "kind", "holder"], name="seat_person_once_per_item"
            ),
            models.UniqueConstraint(
                fields=["project", "kind", "holder"],
                condition=models.Q(state="held"),
                name="seat_one_at_work_per_person",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["held", "submitted", "returned", "cannot_judge"]),
                name="seat_state_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.request} by {self.holder} ({self.state})"


class HumanRewrite(models.Model):
    """A person's rewording of a Request: `paraphrase` (robustness) or `standalone` (the human
    reference arm).
    """

    class Kind(models.TextChoices):
        PARAPHRASE = "paraphrase", _("paraphrase")
        STANDALONE = "standalone", _("standalone reference")

    request = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="human_rewrites")
    author = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="human_rewrites")
    seat = models.OneToOneField(
        Seat, on_delete=models.PROTECT, null=True, blank=True, related_name="human_rewrite"
    )
    kind = models.CharField(max_length=12, choices=Kind)
    text = models.TextField()
    clarification = models.BooleanField(_("the right reply is this question"), default=False)
    sealed_at = models.DateTimeField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        ordering = ["request_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["request", "author", "kind"], name="human_rewrite_once_per_author"
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=["paraphrase", "standalone"]),
                name="human_rewrite_kind_known",
            ),
            models.CheckConstraint(condition=~models.Q(text=""), name="human_rewrite_has_text"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.request}"
