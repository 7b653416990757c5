from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Person, Request
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
    adjudicator = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="adjudications")
    sheet_a = models.ForeignKey(Sheet, on_delete=models.PROTECT, related_name="+")
    sheet_b = models.ForeignKey(Sheet, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    contract = models.OneToOneField(
        Contract, on_delete=models.PROTECT, null=True, blank=True, related_name="adjudication"
    )
    opened_at = models.DateTimeField(auto_now_add=True)

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
        EDIT = "edit", _("edited")
        REJECT = "reject", _("no such constraint")

    adjudication = models.ForeignKey(
        Adjudication, on_delete=models.CASCADE, related_name="decisions"
    )
    item = models.CharField(max_length=80)
    take = models.CharField(max_length=8, choices=Take)
    result = models.JSONField(null=True)
    note = models.TextField(blank=True)
    decided_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["adjudication", "item"], name="decision_once_per_item"),
            models.CheckConstraint(
                condition=models.Q(take__in=["a", "b", "edit", "reject"]),
                name="decision_take_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item}: {self.take}"
