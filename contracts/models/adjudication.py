from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Guideline, Person, Request
from contracts.models.contract import Contract
from contracts.models.sheets import Sheet


class Adjudication(models.Model):
    """The decision record that turns two Sheets into one Contract. Opening it freezes the sheets
    it was opened on.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")
        APPROVED = "approved", _("approved")

    request = models.ForeignKey(Request, on_delete=models.PROTECT, related_name="adjudications")
    # None while it is put down: any other adjudicator may go on with it.
    adjudicator = models.ForeignKey(
        Person, on_delete=models.PROTECT, null=True, blank=True, related_name="adjudications"
    )
    sheet_a = models.ForeignKey(Sheet, on_delete=models.PROTECT, related_name="+")
    sheet_b = models.ForeignKey(Sheet, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    contract = models.OneToOneField(
        Contract, on_delete=models.PROTECT, null=True, blank=True, related_name="adjudication"
    )
    opened_at = models.DateTimeField(auto_now_add=True)
    # Which sheet went back to its reviewer and is waited for: "a", "b", or neither.
    sent_back = models.CharField(max_length=1, blank=True)
    # What its reviewer is told.
    sent_back_words = models.TextField(blank=True)
    # Wordings of the whole request that say the same, for the contract.
    admissible_rewrites = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["request"],
                condition=models.Q(state="open"),
                name="adjudication_one_open_per_request",
            ),
            models.CheckConstraint(
                condition=~models.Q(sheet_a=models.F("sheet_b")), name="adjudication_two_sheets"
            ),
            models.CheckConstraint(
                condition=models.Q(sent_back__in=["", "a", "b"]),
                name="adjudication_sent_back_known",
            ),
            models.CheckConstraint(
                condition=models.Q(state="open", contract=None)
                | models.Q(state="approved", contract__isnull=False),
                name="adjudication_approved_has_contract",
            ),
        ]

    def __str__(self) -> str:
        return f"adjudication of {self.request}"


class Decision(models.Model):
    """How one difference was settled. `item` names the difference; `result` is the constraint that
    holds, or null.
    """

    class Take(models.TextChoices):
        A = "a", _("take A")
        B = "b", _("take B")
        MERGE = "merge", _("merged")
        EDIT = "edit", _("edited")
        REJECT = "reject", _("no such constraint")

    class Reason(models.TextChoices):
        GAP = "gap", _("guideline gap")
        SLIP = "slip", _("slip")
        READING = "reading", _("reading")
        OTHER = "other", _("other")

    adjudication = models.ForeignKey(
        Adjudication, on_delete=models.CASCADE, related_name="decisions"
    )
    item = models.CharField(max_length=80)
    take = models.CharField(max_length=8, choices=Take)
    result = models.JSONField(null=True)
    reason = models.CharField(max_length=8, choices=Reason, blank=True)
    note = models.TextField(blank=True)
    # The hash of both sides when it was decided, and whether a side has changed since.
    input_sha256 = models.CharField(max_length=64, blank=True)
    changed = models.BooleanField(default=False)
    # Of a guideline gap: the version that closed it.
    answered_by = models.ForeignKey(
        Guideline, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["adjudication", "item"], name="decision_once_per_item"),
            models.CheckConstraint(
                condition=models.Q(take__in=["a", "b", "merge", "edit", "reject"]),
                name="decision_take_known",
            ),
            models.CheckConstraint(
                condition=models.Q(reason__in=["", "gap", "slip", "reading", "other"]),
                name="decision_reason_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item}: {self.take}"
