from datetime import datetime
from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models.people import Person, Project
from annotation.models.requests import Request, RequestClass


class SeatQuerySet(models.QuerySet["Seat"]):
    def taken(self) -> "SeatQuerySet":
        """Seats that count against the number wanted: at work, sealed, or given up with a
        reason.
        """
        return self.exclude(state=Seat.State.RETURNED)

    def expired(self, now: datetime) -> "SeatQuerySet":
        return self.filter(state=Seat.State.HELD, leased_until__lt=now)

    def done(self) -> "SeatQuerySet":
        """Seats whose work is done: sealed, or given up with a reason. The one definition."""
        return self.filter(state__in=[Seat.State.SUBMITTED, Seat.State.CANNOT_JUDGE])

    def aside(self) -> "SeatQuerySet":
        """Seats whose holders may take them up again, draft and all, if one is still free."""
        return self.filter(state=Seat.State.RETURNED).exclude(returned_why=Seat.Why.CLOSED)

    def abandoned(self, now: datetime) -> "SeatQuerySet":
        """Seats whose lease ran out, whether they went back to the pool already or not."""
        returned = models.Q(state=Seat.State.RETURNED, returned_why=Seat.Why.LEASE)
        return self.filter(returned | models.Q(state=Seat.State.HELD, leased_until__lt=now))

    def sealed_since(self, moment: datetime) -> "SeatQuerySet":
        return self.filter(state=Seat.State.SUBMITTED, sealed_at__gte=moment)


class Seat(models.Model):
    """One person's claim on one item of one kind of work, with a lease; never two people on one
    seat.

    `draft` is the person's unfinished work in the shape that its kind of work defines. A returned
    seat keeps it.
    """

    class Why(models.TextChoices):
        LATER = "later", _("put aside")
        LEASE = "lease", _("abandoned: the lease ran out")
        CLOSED = "closed", _("no longer open to its holder")
        REQUEUED = "requeued", _("requeued by an owner")

    class State(models.TextChoices):
        HELD = "held", _("at work")
        SUBMITTED = "submitted", _("sealed")
        RETURNED = "returned", _("returned")
        CANNOT_JUDGE = "cannot_judge", _("cannot judge")

    # The id in addresses: random, so that it says nothing about how many seats others took.
    public_id = models.UUIDField(default=uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="seats")
    request = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="seats")
    kind = models.CharField(max_length=20)
    slot = models.PositiveSmallIntegerField()
    # The request's own place, repeated here so that the next item is found by an index.
    position = models.PositiveIntegerField()
    holder = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="seats")
    state = models.CharField(max_length=12, choices=State, default=State.HELD)
    taken_at = models.DateTimeField()
    leased_until = models.DateTimeField()
    draft = models.JSONField(default=dict)
    draft_version = models.PositiveIntegerField(default=0)
    draft_saved_at = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(blank=True)
    returned_why = models.CharField(max_length=8, choices=Why, blank=True)
    sealed_at = models.DateTimeField(null=True, blank=True)
    # When somebody else first read what was sealed here: from then on nothing is retracted.
    read_at = models.DateTimeField(null=True, blank=True)
    # Seconds at work without idle time, and when they were last counted.
    active_seconds = models.PositiveIntegerField(default=0)
    active_at = models.DateTimeField(null=True, blank=True)

    objects = SeatQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            # The first three answer counts and searches alone, without reading rows.
            models.Index(
                fields=["project", "holder", "kind", "state", "sealed_at"],
                name="seat_of_person_by_state",
            ),
            models.Index(
                fields=["project", "kind", "holder", "position", "state"],
                name="seat_of_person_by_position",
            ),
            models.Index(
                fields=["project", "kind", "position", "state", "slot"], name="seat_by_position"
            ),
            models.Index(fields=["project", "kind", "state"], name="seat_state_of_project"),
            models.Index(
                fields=["project", "kind", "holder", "active_seconds"],
                condition=models.Q(state="submitted"),
                name="seat_time_of_person",
            ),
            models.Index(
                fields=["project", "leased_until"],
                condition=models.Q(state="held"),
                name="seat_lease",
            ),
        ]
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


class Revision(models.Model):
    """One saved state of a seat's draft. Rows are only ever added: undo and redo are new
    revisions that repeat an older one and say where the next undo and redo lead.

    `aside` is what a stale page wanted to save on top of `version`; it is kept, never in force.
    `key` and `fingerprint` tell a repeated save from a new one.
    """

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="revisions")
    version = models.PositiveIntegerField()
    draft = models.JSONField()
    act = models.CharField(max_length=60, blank=True)
    at = models.DateTimeField()
    undo_to = models.PositiveIntegerField(null=True, blank=True)
    redo_to = models.PositiveIntegerField(null=True, blank=True)
    aside = models.BooleanField(default=False)
    key = models.UUIDField(null=True, blank=True)
    fingerprint = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["seat_id", "version", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["seat", "version"],
                condition=models.Q(aside=False),
                name="revision_version_once",
            ),
            models.UniqueConstraint(
                fields=["seat", "key"],
                condition=models.Q(key__isnull=False),
                name="revision_key_once",
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.version} of {self.seat}"


class Need(models.Model):
    """How many seats of one kind of work a class of requests, or a single request, needs; without
    a row it is what the project says. Zero means that the work is not wanted there.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="needs")
    kind = models.CharField(max_length=20)
    request_class = models.ForeignKey(
        RequestClass, on_delete=models.CASCADE, null=True, blank=True, related_name="needs"
    )
    request = models.ForeignKey(
        Request, on_delete=models.CASCADE, null=True, blank=True, related_name="needs"
    )
    seats = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "request_class"],
                condition=models.Q(request_class__isnull=False),
                name="need_once_per_class",
            ),
            models.UniqueConstraint(
                fields=["kind", "request"],
                condition=models.Q(request__isnull=False),
                name="need_once_per_request",
            ),
            models.CheckConstraint(
                condition=models.Q(request_class__isnull=True, request__isnull=False)
                | models.Q(request_class__isnull=False, request__isnull=True),
                name="need_of_one_thing",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.seats} for {self.request or self.request_class}"


class HumanRewriteQuerySet(models.QuerySet["HumanRewrite"]):
    def standing(self) -> "HumanRewriteQuerySet":
        """What holds: neither retracted by its author nor withdrawn with their consent."""
        return self.filter(retracted_at=None, withdrawn_at=None)


class HumanRewrite(models.Model):
    """A person's rewording of a Request: `paraphrase` (robustness) or `standalone` (the human
    reference arm).

    `warnings` are the live checks that its author answered with "I mean it". A withdrawn
    paraphrase keeps its hash and loses its text.
    """

    class Kind(models.TextChoices):
        PARAPHRASE = "paraphrase", _("paraphrase")
        STANDALONE = "standalone", _("standalone reference")

    request = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="human_rewrites")
    author = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="human_rewrites")
    seat = models.ForeignKey(
        Seat, on_delete=models.PROTECT, null=True, blank=True, related_name="human_rewrites"
    )
    kind = models.CharField(max_length=12, choices=Kind)
    text = models.TextField(blank=True)
    clarification = models.BooleanField(_("the right reply is this question"), default=False)
    warnings = models.JSONField(default=list, blank=True)
    sealed_at = models.DateTimeField()
    sha256 = models.CharField(max_length=64)
    retracted_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = HumanRewriteQuerySet.as_manager()

    class Meta:
        ordering = ["request_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["request", "author", "kind"],
                condition=models.Q(retracted_at=None),
                name="human_rewrite_once_per_author",
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=["paraphrase", "standalone"]),
                name="human_rewrite_kind_known",
            ),
            models.CheckConstraint(
                condition=~models.Q(text="") | models.Q(withdrawn_at__isnull=False),
                name="human_rewrite_has_text",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.request}"
